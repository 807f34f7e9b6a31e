"""Rules about Streamable HTTP requests, statuses and bodies."""
