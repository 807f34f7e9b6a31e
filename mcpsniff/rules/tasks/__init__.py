"""Rules about tasks: those of 2025-11-25, and the extension of 2026-07-28."""
