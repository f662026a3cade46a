# Novaberg. `make run` and `make test` are all that is needed; both start from a bare checkout.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: run setup test lint types contracts unit bench clean

run: setup            ## install and start server, worker and page on 127.0.0.1:8642
	$(BIN)/novaberg serve

setup: $(STAMP)       ## create .venv and install

$(STAMP): pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Novaberg needs Python 3.11 or newer.")'
	@echo 'Installing into $(VENV); this takes a minute or two.'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --editable .
	touch $@

$(VENV)/.installed-dev: $(STAMP)
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@

lint: $(VENV)/.installed-dev      ## style, formatting, dependencies
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/deptry src

types: $(VENV)/.installed-dev     ## strict types
	$(BIN)/mypy

contracts: $(VENV)/.installed-dev ## the arrows of the house
	$(BIN)/lint-imports

unit: $(VENV)/.installed-dev      ## the quick tests
	$(BIN)/pytest tests/unit tests/golden

test: lint types contracts        ## everything: lint, types, contracts, all tests with golden vectors and browser
	$(BIN)/pytest

bench: $(VENV)/.installed-dev     ## measure against the limits of each path
	$(BIN)/python -m bench all

clean:                            ## remove what make has made
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache
