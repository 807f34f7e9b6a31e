"""The byte streams of a session, from its records."""

import io

from mcpsniff.capture.reader import read
from mcpsniff.capture.streams import stdio_bytes

HEADER = b'{"type":"capture","format":"mcpsniff","version":1}\n'


def test_the_streams_of_a_session():
    """Messages with the blanks around them, text, base64 and stderr, each with its own line end."""
    capture = (
        HEADER + b'{"type":"message","seq":1,"t":0,"from":"client","size":11,"message": {"id":1} }\n'
        b'{"type":"stderr","seq":2,"t":0,"size":4,"eol":"\\r\\n","raw":"hi"}\n'
        b'{"type":"text","seq":3,"t":0,"from":"server","size":3,"b64":"//4="}\n'
        b'{"type":"text","seq":4,"t":0,"from":"client","size":4,"eol":"","raw":"rest"}\n'
        b'{"type":"eof","seq":5,"t":0,"stream":"stdin"}\n'
    )
    assert stdio_bytes(read(io.BytesIO(capture))) == {
        "client": b' {"id":1} \nrest',
        "server": b"\xff\xfe\n",
        "stderr": b"hi\r\n",
    }
