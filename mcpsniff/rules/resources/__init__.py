"""Rules on resources: their URIs, contents and errors."""
