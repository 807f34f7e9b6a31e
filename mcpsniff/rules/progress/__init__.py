"""Rules about progress notifications."""
