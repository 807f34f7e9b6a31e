"""The sample software: one small library server in three builds (legacy, modern, dual), a calendar server, a client.

Standard library only. Written to be read: what the protocol asks of each revision stands in the room of its era.
"""
