"""Message shapes, one file a revision, written by tools/schemas/generate.py; do not edit them by hand."""
