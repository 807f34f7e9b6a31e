"""Where a value stands that messages are judged by: JSON pointers for `Rule.echoes` and `Rule.values`.

The token `*` stands for any name or index; what ends in `/` is a value of which only the whole counts, not its parts.
"""

CLIENT_CAPABILITIES = ("/params/capabilities", "/params/_meta/io.modelcontextprotocol~1clientCapabilities")
SERVER_CAPABILITIES = ("/result/capabilities",)
CURSORS = ("/params/cursor", "/result/nextCursor")
ELICITATIONS = ("/params/elicitationId", "/params/mode", "/params/url", "/error/code", "/error/data")
CANCELLATIONS = ("/params/requestId",)
KINDS = (  # by which it is known what shape something must have
    "/params/messages/*/content/*/type",
    "/params/messages/*/content/type",
    "/params/mode",
    "/params/ref/type",
    "/params/task/",
    "/result/content/*/type",
    "/result/content/type",
    "/result/inputRequests/*/method",
    "/result/messages/*/content/type",
    "/result/resultType",
    "/result/task/",
)
LISTINGS = ("/result/tools", "/result/prompts", "/result/resources", "/result/resourceTemplates")
MIRRORED = (
    "/params/_meta/io.modelcontextprotocol~1protocolVersion",
    "/params/name",
    "/params/uri",
    "/params/taskId",
    "/params/arguments",
    "/error",
)
MODES = ("/params/mode", "/result/inputRequests/*/params/mode", "/error/data/elicitations/*/mode")
PROGRESS_TOKENS = ("/params/_meta/progressToken", "/params/progressToken")
QUESTIONS = ("/result/inputRequests/", "/params/inputRequests/")  # their keys
RELATED_TASKS = ("/params/_meta/io.modelcontextprotocol~1related-task",)
REQUEST_STATES = ("/params/requestState", "/result/requestState")
TASK_STATUSES = ("/result/status", "/result/task/status", "/params/status")  # of tasks
SUBSCRIPTIONS = (
    "/params/_meta/io.modelcontextprotocol~1subscriptionId",
    "/params/notifications",
    "/params/requestId",
)
TASK_MEMBERS = ("/params/taskId", "/result/task", "/result/taskId", "/result/ttlMs")
TOOLS = ("/result/tools",)
PROMPTS = ("/result/prompts",)
VERSIONS = ("/params/protocolVersion", "/result/protocolVersion")  # of the handshake
WHOLE_LISTS = tuple(f"{name}/" for name in LISTINGS)  # and not what their entries say
