# A fresh checkout needs python3 (3.11 or newer) and make.
PYTHON ?= python3
# Many tests mostly wait for processes, so run one more than there are cores.
JOBS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)
VENV := .venv
BIN := $(VENV)/bin
DEMO := $(VENV)/.demo
READY := $(VENV)/.ready
SOAKED := $(VENV)/.soak
AXE_VERSION := 4.14.0
AXE := build/axe/axe-core-$(AXE_VERSION).tgz
PIP := $(BIN)/python -m pip install --disable-pip-version-check -c constraints.txt
PYTEST = $(BIN)/pytest -n $(JOBS) --dist worksteal $(PYTEST_ARGS)

.PHONY: help demo install uninstall test test-all unit lint types soak bench compat wheel test-wheel test-versions \
	axe eval-check coverage mutants picture recording docs docs-check clean

help:
	@echo "make demo       watch a supervised agent work: no account, no key"
	@echo "make install    put ccc on your PATH (with uv, pipx or a private environment)"
	@echo "make uninstall  remove it again (PURGE=1: with ccc.json, your keys and all logs)"
	@echo
	@echo "make test       lint, types and the most important tests, in a few minutes"
	@echo "make test-all   lint, types and every test"
	@echo "make unit       tests/unit, in seconds; make lint and make types: ruff, mypy"
	@echo "                PYTEST_ARGS selects tests, JOBS=2 sets how many run at once"
	@echo "make soak       tests/faults and tests/fuzz in full, with a table of results"
	@echo "make bench      time, cost and memory, as ratios within one run"
	@echo "make compat     the self-test and the main journeys on versions of claude from npm"
	@echo "make picture    docs/web.png, the page as chromium shows it"
	@echo "make recording  docs/demo.*, from a real run of the demo"
	@echo "make docs       docs/cli.md, from what the commands print"
	@echo "make docs-check whether the documents agree with the program and the tests"
	@echo "make wheel      the wheel and the source archive, in dist/"
	@echo "make test-wheel every test, against the installed wheel instead of the tree"
	@echo "make test-versions  a short trial of the wheel with pinned and with newest dependencies"
	@echo "make eval-check the tests of ccc eval --export that need Inspect AI"
	@echo "make coverage   every test, with branch coverage"
	@echo "make mutants    mutation tests of the modules that decide"
	@echo "make clean      remove the virtual environment and caches"

# what ccc itself needs, without the tools of its tests
$(DEMO): pyproject.toml constraints.txt scripts/ccc
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Python 3.11 or newer is needed: make $(MAKECMDGOALS) PYTHON=python3.12" >&2; exit 1; }
	@echo "Installing ccc and claude into $(VENV) (about 440 MB). This can take a minute …"
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) --quiet pip
	@$(PIP) --build-constraint constraints.txt --editable .
	@touch $(DEMO)

$(READY): $(DEMO)
	@echo "Installing the tools of the tests into $(VENV). This can take a minute …"
	@$(PIP) --build-constraint constraints.txt --editable '.[dev]'
	@touch $(READY)

install uninstall:
	@PYTHON='$(PYTHON)' PURGE='$(PURGE)' scripts/install $@

# Needs python3, make and git. Tests that require another tool skip and name it.
test: lint types
	$(PYTEST) -m 'journey or not (real or thorough)' tests/unit tests/contract tests/e2e tests/wheel

test-all: lint types axe
	$(PYTEST) -m 'not soak'

unit: $(READY)
	$(PYTEST) tests/unit

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY)
	$(BIN)/mypy

# axe-core audits the pages of ccc web in tests; without npm those tests skip
axe:
	@! command -v npm > /dev/null || $(MAKE) --no-print-directory $(AXE) || echo "axe-core: npm failed"

$(AXE):
	rm -rf build/axe && mkdir -p build/axe
	cd build/axe && npm pack --silent axe-core@$(AXE_VERSION) > /dev/null
	tar -xzf $(AXE) -C build/axe package/axe.min.js

# the extra packages of the soak tests
$(SOAKED): $(READY)
	$(PIP) --build-constraint constraints.txt --editable '.[soak]'
	touch $(SOAKED)

# the trials of `make test-all` in full numbers
soak: $(SOAKED)
	CCC_SOAK=1 $(PYTEST) tests/faults tests/fuzz

bench: $(READY)
	$(BIN)/python -m bench $(BENCH_ARGS)

# Fetches claude from npm into ~/.cache/ccc-compat or COMPAT_CLIENTS; needs npm.
compat: $(READY)
	$(BIN)/python -m compat $(COMPAT_ARGS)

wheel: $(READY)
	rm -rf dist
	$(BIN)/hatchling build

# Run the tests in an environment that has the wheel but not the tree.
test-wheel: wheel axe
	rm -rf build/wheel
	$(PYTHON) -m venv build/wheel
	build/wheel/bin/python -m pip install --quiet --disable-pip-version-check -c constraints.txt pip
	build/wheel/bin/python -m pip install --quiet --disable-pip-version-check -c constraints.txt \
		"$$(ls dist/*.whl)[dev]"
	build/wheel/bin/python -P -c "import ccc; assert 'site-packages' in ccc.__file__, ccc.__file__"
	build/wheel/bin/pytest -n $(JOBS) --dist worksteal -m 'not soak' $(PYTEST_ARGS)

# Installs the wheel twice, with the versions of constraints.txt and with the newest ones, and tries
# the main commands. A part of `make test-all`.
test-versions: $(READY)
	$(PYTEST) tests/wheel/test_wheel.py -k test_with_these_dependencies

# Inspect AI brings 80 packages, so it gets an environment of its own.
eval-check:
	$(PYTHON) -m venv build/eval
	build/eval/bin/python -m pip install --quiet --disable-pip-version-check -c constraints.txt pip
	build/eval/bin/python -m pip install --quiet --disable-pip-version-check -c constraints.txt \
		--build-constraint constraints.txt --editable '.[dev,eval]'
	build/eval/bin/pytest -n 2 tests/contract/test_eval_export.py tests/e2e/test_eval_inspect.py $(PYTEST_ARGS)

# First run the unit tests alone: they must cover every branch of the supervision rules.
# Then run everything else. Processes that the tests start are measured too, which makes them slow,
# so `make test-all` decides whether a test passes, not this target.
COVERAGE := $(BIN)/coverage
FLOOR := 95
POLICY := */model/evidence.py,*/model/outcome.py,*/supervision/policy.py,*/claude/turn.py,*/supervision/verdict.py
coverage: $(READY) axe
	rm -rf build/coverage && mkdir -p build/coverage
	-$(COVERAGE) run -m pytest -n 2 tests/unit
	$(COVERAGE) combine --quiet
	$(COVERAGE) report --include='$(POLICY)' --fail-under=100
	$(COVERAGE) report --include='*/claude/formats/*,*/text/*,*/supervision/on_stop.py,*/supervision/loop.py' --fail-under=99
	-$(COVERAGE) run -m pytest -n 2 --ignore=tests/unit -m 'not soak' $(PYTEST_ARGS)
	$(COVERAGE) combine --quiet --append
	$(COVERAGE) report --fail-under=$(FLOOR)

# Run a part with make mutants MUTANTS='ccc.supervision.policy*'. For survivors, see mutmut browse
# and docs/quality.md.
mutants: $(READY)
	$(PIP) --editable '.[dev,mutants]'
	$(BIN)/mutmut run --max-children 2 $(MUTANTS)
	$(BIN)/mutmut results

demo: $(DEMO)
	@$(BIN)/ccc demo $(DEMO_ARGS)

# docs/web.png: the page of `ccc web`
picture: $(READY)
	CCC_PICTURES=docs $(PYTEST) tests/e2e/test_web_page.py -k test_the_picture

# docs/demo.*: a picture and the text of a real demo run
recording: $(READY)
	$(BIN)/python docs/record_demo.py

# docs/cli.*: the command reference, generated from the commands' help
docs: $(READY)
	$(BIN)/python docs/make_cli.py

docs-check: $(READY)
	$(PYTEST) tests/docs tests/contract/test_journeys.py

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis build dist mutants
