"""Rules on multi round-trip requests: input_required results and their retries."""
