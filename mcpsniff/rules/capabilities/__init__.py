"""Rules on what each side declared it can do."""
