# Everything a fresh checkout needs: python3 and make. `make test` does the rest.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
SOAKED := $(VENV)/.soak

.PHONY: help test lint types unit soak bench wheel test-wheel coverage mutants demo recording docs clean

help:
	@echo "make test   lint, types and all tests (real claude, scripted model)"
	@echo "make lint | types | unit  one of the three; PYTEST_ARGS chooses among the tests"
	@echo "make soak   the trials of tests/faults and tests/fuzz, all of them, and their table"
	@echo "make bench  time, cost and memory, as ratios within one run"
	@echo "make demo   watch a supervised agent at work: no account, no key"
	@echo "make recording  the same into docs/demo.*, from a real run"
	@echo "make docs   docs/cli.md, from what the commands print"
	@echo "make wheel  the wheel and the source archive, in dist/"
	@echo "make test-wheel  all tests against the installed wheel instead of the tree"
	@echo "make coverage    all tests, and which branches of the code they pass through"
	@echo "make mutants     small changes of src/ccc/domain that the unit tests should notice"
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
	$(BIN)/pytest -n 2 --dist worksteal $(PYTEST_ARGS)

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

# The tests find ccc in an environment where the wheel is installed, and the tree is not.
test-wheel: wheel
	rm -rf build/wheel
	$(PYTHON) -m venv build/wheel
	build/wheel/bin/python -m pip install --quiet --disable-pip-version-check -c constraints.txt pip
	build/wheel/bin/python -m pip install --quiet --disable-pip-version-check -c constraints.txt \
		"$$(ls dist/*.whl)[dev]"
	build/wheel/bin/python -P -c "import ccc; assert 'site-packages' in ccc.__file__, ccc.__file__"
	build/wheel/bin/pytest -n 2 $(PYTEST_ARGS)

# First the unit tests alone: the rules of supervision have no branch that they don't pass through.
# Then everything. What is started by a test is measured too, which makes it slow: whether a test
# passes is what `make test` says, not this.
COVERAGE := $(BIN)/coverage
FLOOR := 95
POLICY := */domain/policy.py,*/domain/task.py,*/domain/event.py,*/domain/turn.py,*/domain/verdict.py
coverage: $(READY)
	rm -rf build/coverage && mkdir -p build/coverage
	-$(COVERAGE) run -m pytest -n 2 tests/unit
	$(COVERAGE) combine --quiet
	$(COVERAGE) report --include='$(POLICY)' --fail-under=100
	$(COVERAGE) report --include='*/domain/*,*/supervisor/*' --fail-under=99
	-$(COVERAGE) run -m pytest -n 2 --ignore=tests/unit $(PYTEST_ARGS)
	$(COVERAGE) combine --quiet --append
	$(COVERAGE) report --fail-under=$(FLOOR)

# In pieces: make mutants MUTANTS='ccc.domain.policy*'. Survivors: mutmut browse, docs/quality.md.
mutants: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt \
		--editable '.[dev,mutants]'
	$(BIN)/mutmut run --max-children 2 $(MUTANTS)
	$(BIN)/mutmut results

demo: $(READY)
	@$(BIN)/ccc demo $(DEMO_ARGS)

# docs/demo.*: the demo as a picture and as text, made from a real run
recording: $(READY)
	$(BIN)/python docs/record_demo.py

# docs/cli.*: the reference, from what the commands print
docs: $(READY)
	$(BIN)/python docs/make_cli.py

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis build dist mutants
