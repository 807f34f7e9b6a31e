"""The figures of one session, one subject a file: fed while the capture is read, they say their part at the end."""
