# Everything a fresh checkout needs: python3 and make. `make test` does the rest.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
SOAKED := $(VENV)/.soak

.PHONY: help test lint types unit soak bench wheel demo recording docs clean

help:
	@echo "make test   lint, types and all tests (real claude, scripted model)"
	@echo "make soak   the trials of tests/faults and tests/fuzz, all of them, and their table"
	@echo "make bench  time, cost and memory, as ratios within one run"
	@echo "make demo   watch a supervised agent at work: no account, no key"
	@echo "make recording  the same into docs/demo.*, from a real run"
	@echo "make docs   docs/cli.md, from what the commands print"
	@echo "make wheel  the wheel and the source archive, in dist/"
	@echo "make clean  remove the virtual environment and caches"

# The pinned pip writes console scripts that do not import re (5 ms at every start).
$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt --build-constraint constraints.txt \
		--editable '.[dev]'
	touch $(READY)

test: lint types unit

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY)
	$(BIN)/mypy

unit: $(READY)
	$(BIN)/pytest -n 2 $(PYTEST_ARGS)

# what only the soak needs
$(SOAKED): $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt --build-constraint constraints.txt \
		--editable '.[soak]'
	touch $(SOAKED)

# the same trials as in `make test`, in full numbers
soak: $(SOAKED)
	CCC_SOAK=1 $(BIN)/pytest -n 2 tests/faults tests/fuzz $(PYTEST_ARGS)

bench: $(READY)
	$(BIN)/python -m bench $(BENCH_ARGS)

wheel: $(READY)
	rm -rf dist
	$(BIN)/hatchling build

demo: $(READY)
	@$(BIN)/ccc demo $(DEMO_ARGS)

# docs/demo.*: the demo as a picture and as text, made from a real run
recording: $(READY)
	$(BIN)/python docs/record_demo.py

# docs/cli.*: the reference, from what the commands print
docs: $(READY)
	$(BIN)/python docs/make_cli.py

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis build dist
