"""Where the texts on tasks stand: the utility of 2025-11-25, the proposal and the page of the later extension."""

OLD = "2025-11-25"
TASKS = "basic/utilities/tasks"
PROPOSAL = "https://modelcontextprotocol.io/seps/2663-tasks-extension"
OVERVIEW = "https://modelcontextprotocol.io/extensions/tasks/overview"
