"""Rules on elicitation: questions to the user."""
