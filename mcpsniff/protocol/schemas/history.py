"""Which revision brought which member: mcp-types has one model for all four handshake revisions, MCP has not.

A member that a revision does not define is no part of its shape there: receivers ignore what they do not know.
Sources: the schema and the changelog page of each revision.
"""

REVISIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28")
MODERN = REVISIONS[-1]

# "Definition.member", "Definition" where a choice between definitions grew, "Definition.member[]" where a list of what
# was single became a choice → first revision
SINCE = {
    # 2025-03-26: audio, tool annotations, progress messages, completions
    "AudioContent": "2025-03-26",
    "ProgressNotificationParams.message": "2025-03-26",
    "ServerCapabilities.completions": "2025-03-26",
    "Tool.annotations": "2025-03-26",
    # 2025-06-18: elicitation, structured tool output, resource links, titles, _meta on most objects
    "Annotations.lastModified": "2025-06-18",
    "AudioContent._meta": "2025-06-18",
    "BlobResourceContents._meta": "2025-06-18",
    "CallToolResult.structuredContent": "2025-06-18",
    "ClientCapabilities.elicitation": "2025-06-18",
    "CompleteRequestParams.context": "2025-06-18",
    "EmbeddedResource._meta": "2025-06-18",
    "ImageContent._meta": "2025-06-18",
    "Implementation.title": "2025-06-18",
    "Prompt._meta": "2025-06-18",
    "Prompt.title": "2025-06-18",
    "PromptArgument.title": "2025-06-18",
    "PromptReference.title": "2025-06-18",
    "Resource._meta": "2025-06-18",
    "Resource.title": "2025-06-18",
    "ResourceLink": "2025-06-18",
    "ResourceTemplate._meta": "2025-06-18",
    "ResourceTemplate.title": "2025-06-18",
    "Root._meta": "2025-06-18",
    "TextContent._meta": "2025-06-18",
    "TextResourceContents._meta": "2025-06-18",
    "Tool._meta": "2025-06-18",
    "Tool.outputSchema": "2025-06-18",
    "Tool.title": "2025-06-18",
    # 2025-11-25: icons, tasks, tool use in sampling, elicitation modes
    "CallToolRequestParams.task": "2025-11-25",
    "ClientCapabilities.tasks": "2025-11-25",
    "CreateMessageRequestParams.task": "2025-11-25",
    "CreateMessageRequestParams.toolChoice": "2025-11-25",
    "CreateMessageRequestParams.tools": "2025-11-25",
    "CreateMessageResult.content[]": "2025-11-25",
    "Elicitation.form": "2025-11-25",
    "Elicitation.url": "2025-11-25",
    "ElicitRequestFormParams.mode": "2025-11-25",
    "ElicitRequestFormParams.task": "2025-11-25",
    "ElicitRequestURLParams": "2025-11-25",
    "Implementation.description": "2025-11-25",
    "Implementation.icons": "2025-11-25",
    "Implementation.websiteUrl": "2025-11-25",
    "InputSchema.$schema": "2025-11-25",
    "OutputSchema.$schema": "2025-11-25",
    "Prompt.icons": "2025-11-25",
    "Resource.icons": "2025-11-25",
    "ResourceLink.icons": "2025-11-25",
    "ResourceTemplate.icons": "2025-11-25",
    "Sampling.context": "2025-11-25",
    "Sampling.tools": "2025-11-25",
    "SamplingMessage._meta": "2025-11-25",
    "SamplingMessage.content[]": "2025-11-25",
    "ServerCapabilities.tasks": "2025-11-25",
    "Tool.execution": "2025-11-25",
    "Tool.icons": "2025-11-25",
    "ToolResultContent": "2025-11-25",
    "ToolUseContent": "2025-11-25",
}

REQUIRED_UNTIL = {  # a member that a later revision made optional → last revision that requires it
    "CancelledNotificationParams.requestId": "2025-06-18",
}

EMBEDDED = {  # requests that 2026-07-28 carries inside inputRequests, where no method map lists them
    "elicitation/create": ("ElicitRequest", "ElicitResult"),
    "roots/list": ("ListRootsRequest", "ListRootsResult"),
    "sampling/createMessage": ("CreateMessageRequest", "CreateMessageResult"),
}
