"""Message shapes, one file a revision, written by generate.py; do not edit them by hand."""
