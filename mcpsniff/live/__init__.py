"""Captures watched while they are written: `mcpsniff follow`."""
