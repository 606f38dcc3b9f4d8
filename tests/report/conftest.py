# SPDX-License-Identifier: BSD-3-Clause
"""The browser that tests of reports share."""

import pytest

from report.browser import chromium


@pytest.fixture(scope="module")
def browser():
    with chromium() as found:
        yield found
