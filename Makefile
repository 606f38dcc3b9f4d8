# SPDX-License-Identifier: BSD-3-Clause
# make run | test | quick | lint | bench | clean        Needs Python 3.11 or newer; all else is installed into .venv.

PYTHON  ?= python3
MACHINE ?= excavator
WORKERS ?= 2

VENV := .venv
BIN  := $(VENV)/bin

.PHONY: run test quick lint bench clean

run: $(VENV)/.for-run
	$(BIN)/knuckleboom run $(MACHINE)

test: lint
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

# Stamps, so that a second call does not install again; a changed pyproject.toml does.
$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.for-run: pyproject.toml | $(BIN)/python
	@echo "installing packages into $(VENV) (about a minute; only the first time) ..."
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

$(VENV)/.for-tests: pyproject.toml | $(BIN)/python
	@echo "installing packages for tests into $(VENV) (a few minutes; only the first time) ..."
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,peers,robots]'
	touch $@ $(VENV)/.for-run
