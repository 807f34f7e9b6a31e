"""The sample calendar server, whose tools have a name in common with the library's and a claim that is false."""

import sys

from library.diary import calendar_service
from library.serve import serve

if __name__ == "__main__":
    sys.exit(serve(calendar_service, "A small calendar that speaks MCP, in either era or both."))
