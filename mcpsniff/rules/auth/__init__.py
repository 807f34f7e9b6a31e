"""Rules about authorization."""
