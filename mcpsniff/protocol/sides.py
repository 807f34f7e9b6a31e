"""The two sides of a conversation."""

CLIENT = "client"
SERVER = "server"
OTHER = {CLIENT: SERVER, SERVER: CLIENT}
