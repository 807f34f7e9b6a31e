"""Rules on prompts and on completion."""
