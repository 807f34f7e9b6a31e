"""Habits that are legal, or that somebody will regret."""
