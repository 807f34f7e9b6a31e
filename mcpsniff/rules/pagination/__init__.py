"""Rules about cursors and pages."""
