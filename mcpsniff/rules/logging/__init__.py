"""Rules about log notifications."""
