"""The handshake: initialize, its answer, initialized."""
