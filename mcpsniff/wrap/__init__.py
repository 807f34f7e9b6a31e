"""Stand between an MCP client and its server on stdio; POSIX only.

Bytes pass untouched; a forked recorder writes the capture. Until the server runs nothing is imported that
bare Python has not loaded.
"""
