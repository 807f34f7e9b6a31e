"""The sample client: `python library_client.py SCENARIO [--era legacy|modern|dual] --http URL | --stdio COMMAND…`."""

import sys

from library.client.play import play

if __name__ == "__main__":
    sys.exit(play(sys.argv[1:]))
