# SPDX-License-Identifier: BSD-3-Clause
"""The browser and the server that tests of the page share; tests in Node need neither, nor their packages."""

import pytest


@pytest.fixture(scope="module")
def browser():
    from report.browser import chromium

    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def server():
    from cabin.page.driven import driven

    with driven("excavator") as running:
        yield running
