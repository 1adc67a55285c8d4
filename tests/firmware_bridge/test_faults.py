"""The product's link and the unmodified firmware, with everything that can happen between them."""

from __future__ import annotations

import pytest

from tests.firmware_bridge import faults
from tests.firmware_bridge.emulator import MISSING

pytestmark = [pytest.mark.micropython, pytest.mark.skipif(bool(MISSING), reason=MISSING)]


def test_no_picture_is_wrong_and_no_key_lost_or_doubled() -> None:
    rows = faults.table()
    print("\n".join([faults.heading(), *map(faults.line, rows)]))
    assert len(rows) == len(faults.CASES)
    for row in rows:
        assert row.tried > 0, row.fault
        assert (row.wrong_at_rest, row.keys_lost, row.keys_doubled) == (0, 0, 0), row.fault
