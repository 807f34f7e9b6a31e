"""Rules about `subscriptions/listen` streams and change notifications."""
