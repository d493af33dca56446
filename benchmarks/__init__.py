"""How fast scorepad is, how light, and how few taps it takes: `make bench`."""

import sys
from pathlib import Path

TESTS = Path(__file__).parent.parent / "tests"

# A match is played here by the same hand as in the tests.
sys.path.insert(0, str(TESTS))
