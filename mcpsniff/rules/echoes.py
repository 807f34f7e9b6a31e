"""Where a value stands that one message gives and others are judged by: JSON pointers for `Rule.echoes`.

The token `*` stands for any name or index; what ends in `/` is a value of which only the whole counts, not its parts.
"""

CLIENT_CAPABILITIES = ("/params/capabilities", "/params/_meta/io.modelcontextprotocol~1clientCapabilities")
SERVER_CAPABILITIES = ("/result/capabilities",)
CURSORS = ("/params/cursor", "/result/nextCursor")
ELICITATIONS = ("/params/elicitationId", "/params/mode", "/params/url", "/error/code", "/error/data")
CANCELLATIONS = ("/params/requestId",)
LISTINGS = ("/result/tools", "/result/prompts", "/result/resources", "/result/resourceTemplates")
MODES = ("/params/mode", "/result/inputRequests/*/params/mode", "/error/data/elicitations/*/mode")
PROGRESS_TOKENS = ("/params/_meta/progressToken", "/params/progressToken")
QUESTIONS = ("/result/inputRequests/", "/params/inputRequests/")  # their keys
RELATED_TASKS = ("/params/_meta/io.modelcontextprotocol~1related-task",)
REQUEST_STATES = ("/params/requestState", "/result/requestState")
SUBSCRIPTIONS = (
    "/params/_meta/io.modelcontextprotocol~1subscriptionId",
    "/params/notifications",
    "/params/requestId",
)
TASK_MEMBERS = ("/params/taskId", "/result/task", "/result/taskId", "/result/ttlMs")
TOOLS = ("/result/tools",)
PROMPTS = ("/result/prompts",)
VERSIONS = ("/result/supportedVersions", "/error/data/supported")
WHOLE_LISTS = tuple(f"{name}/" for name in LISTINGS)  # and not what their entries say
