"""What analyses leave behind."""

import gc
from io import BytesIO

from mcpsniff.analysis.engine import analyze
from mcpsniff.rules.selection import EVERYTHING

HEADER = b'{"type":"capture","seq":0,"t":0,"format":"mcpsniff","version":1,"transport":"stdio"}\n'
PING = b'{"type":"message","seq":1,"t":1,"from":"client","size":6,"message":{"jsonrpc":"2.0","id":1,"method":"x"}}\n'


def test_a_process_that_reads_many_captures_does_not_grow():
    """What one analysis needs, some 500 objects, is garbage for the collector, which is left as it was found."""
    settings = gc.get_threshold(), gc.get_freeze_count()
    analyze(BytesIO(HEADER + PING), EVERYTHING)
    gc.collect()
    before = len(gc.get_objects())
    for _ in range(300):
        analyze(BytesIO(HEADER + PING), EVERYTHING)
    assert len(gc.get_objects()) < before + 300 * 200
    assert (gc.get_threshold(), gc.get_freeze_count()) == settings
