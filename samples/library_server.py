"""The sample library server: `python library_server.py [--era legacy|modern|dual] [--http HOST:PORT]`."""

import sys

from library.librarian import library_service
from library.serve import serve

if __name__ == "__main__":
    sys.exit(serve(library_service, "A small library that speaks MCP, in either era or both."))
