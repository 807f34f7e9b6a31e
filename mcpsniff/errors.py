"""The one exception that a user sees."""


class McpsniffError(Exception):
    """Carries one sentence for people: what is wrong, where, and what to do."""

    place: tuple[str, ...] = ()  # lines that show the place, below the sentence
