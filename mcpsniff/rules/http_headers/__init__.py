"""Rules about the headers that mirror a request's body."""
