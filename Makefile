# SPDX-License-Identifier: BSD-3-Clause
# make run | drive | test | quick | lint | bench | clean        Needs Python 3.11 or newer; all else is installed into .venv.
# drive and test also need Node 20 or newer, which builds the page of the cabin; test needs Chromium besides.

PYTHON  ?= python3
MACHINE ?= excavator
WORKERS ?= 2

VENV := .venv
BIN  := $(VENV)/bin

PAGE     := src/knuckleboom/cabin/page/index.html
SOURCES  := $(shell find page -type f -not -path '*/node_modules/*')
PACKAGES := page/node_modules/.package-lock.json

.PHONY: run drive test quick lint bench clean

run: $(VENV)/.for-run
	$(BIN)/knuckleboom run $(MACHINE)

drive: $(VENV)/.for-drive $(PAGE)
	$(BIN)/knuckleboom drive $(MACHINE)

test: lint $(PAGE)
	$(BIN)/python tools/chromium.py
	$(BIN)/pytest -n $(WORKERS)

quick: $(VENV)/.for-tests
	$(BIN)/pytest -n $(WORKERS) -m "not slow"

lint: $(VENV)/.for-tests
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/python tools/kernel_lint.py

bench: $(VENV)/.for-tests
	$(BIN)/knuckleboom bench speed
	$(BIN)/knuckleboom bench compile

clean:
	rm -rf $(VENV) .pytest_cache .ruff_cache .mypy_cache .import_linter_cache .hypothesis .benchmarks build dist
	rm -rf page/node_modules src/knuckleboom/cabin/page tests/cabin/page/pictures

# Stamps, so that a second call does not install again; a changed pyproject.toml does.
$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.for-run: pyproject.toml | $(BIN)/python
	@echo "installing packages into $(VENV) (about a minute; only the first time) ..."
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

$(VENV)/.for-drive: pyproject.toml | $(BIN)/python
	@echo "installing packages into $(VENV) (a minute or two; only the first time) ..."
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[cabin]'
	touch $@ $(VENV)/.for-run

$(VENV)/.for-tests: pyproject.toml | $(BIN)/python
	@echo "installing packages for tests into $(VENV) (a few minutes; only the first time) ..."
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,cabin,peers,robots]'
	touch $@ $(VENV)/.for-run $(VENV)/.for-drive

# The page of the cabin: three.js and uPlot come from npm, Vite builds into the package.
$(PACKAGES): page/package.json page/package-lock.json
	@command -v npm >/dev/null || { echo "The page of the cabin is built with Node 20 or newer, and npm was not found. Please install Node.js (https://nodejs.org, or your system's package 'npm')."; exit 1; }
	cd page && npm ci --no-fund --no-audit --loglevel=error
	touch $@

$(PAGE): $(SOURCES) $(PACKAGES)
	cd page && npm run --silent build
