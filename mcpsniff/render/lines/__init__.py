"""Rows of a capture as lines of text, without rich: as quick as the analysis, and safe to look at."""
