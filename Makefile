# make run      serves scorepad to the phones in this network (ARGS="--port 8001")
# make demo     the same, with an example match to look at, kept apart from real ones
# make test     the tests and what they must cover (ARGS="tests/test_table.py -x": only some, nothing to cover)
# make test-all the same, and the tests that take minutes or the network
# make check    format, lint, types, then make test
# make format   lays out and tidies the code
# make fuzz     sends ten minutes of nonsense to it (SECONDS_LONG=60: one minute)
# make lock     writes anew which libraries are deployed, with their hashes, into requirements.lock
# make audit    asks whether one of those is known to be unsafe; needs the network
# make bench    measures how fast it is
# make clean    removes what was made here, but for the matches in instance/

PYTHON_HERE = .venv/bin/python
CORE = table rules contracts doubles ledger match settling standing stakes explain debts meanings matchfile

# Homebrew's libraries, for a Python that is not Homebrew's.
ifeq ($(shell uname),Darwin)
LIBRARIES = DYLD_FALLBACK_LIBRARY_PATH=/opt/homebrew/lib:/usr/local/lib:/usr/lib
endif

empty :=
comma := ,
core-files := $(subst $(empty) ,$(comma),$(CORE:%=scorepad/%.py) $(CORE:%=scorepad/%/*))

.PHONY: run demo test test-all check format fuzz lock audit bench clean

run:
	@sh .ci/setup run
	@$(LIBRARIES) exec .venv/bin/scorepad serve $(ARGS)

demo:
	@sh .ci/setup run
	@$(LIBRARIES) SCOREPAD_DATA=instance/demo exec .venv/bin/scorepad serve --demo $(ARGS)

test: MARKS = -m "not slow"
test test-all:
	@sh .ci/setup test
ifeq ($(strip $(ARGS)),)
	@$(LIBRARIES) SCOREPAD_BROWSER="$$(sh .ci/browser)" $(PYTHON_HERE) -m pytest $(MARKS) \
		--numprocesses auto --maxprocesses 4 --dist loadfile \
		--cov --cov-report=term-missing:skip-covered --cov-fail-under=90
	@$(PYTHON_HERE) -m coverage report --include='$(core-files)' --fail-under=100 || \
		{ echo 'The tests must reach every branch of the core.'; exit 1; }
else
	@$(LIBRARIES) SCOREPAD_BROWSER="$$(sh .ci/browser)" $(PYTHON_HERE) -m pytest $(MARKS) $(ARGS)
endif

check:
	@sh .ci/setup test
	$(PYTHON_HERE) -m ruff format --check
	$(PYTHON_HERE) -m ruff check
	$(PYTHON_HERE) -m mypy
	@$(MAKE) --no-print-directory test

format:
	@sh .ci/setup test
	$(PYTHON_HERE) -m ruff format
	$(PYTHON_HERE) -m ruff check --fix

fuzz: SECONDS_LONG = 600
fuzz:
	@sh .ci/setup test
	@end=$$(($$(date +%s) + $(SECONDS_LONG))); \
	while [ "$$(date +%s)" -lt "$$end" ]; do \
		SCOREPAD_FUZZ=10 $(PYTHON_HERE) -m pytest -q tests/test_fuzz.py -k 'any or other or answered' $(ARGS) || exit 1; \
	done

lock:
	@sh .ci/setup test
	@$(PYTHON_HERE) -m pip install --quiet --disable-pip-version-check 'uv>=0.9'
	@$(PYTHON_HERE) -m uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes \
		--no-emit-index-url --no-emit-find-links --no-header --output-file requirements.lock pyproject.toml
	@$(PYTHON_HERE) -m pytest -q tests/test_lock.py

audit:
	@sh .ci/setup test
	@$(PYTHON_HERE) -m pip install --quiet --disable-pip-version-check 'pip-audit>=2.9'
	@$(PYTHON_HERE) -m pip_audit --strict --requirement requirements.lock --require-hashes --disable-pip --progress-spinner off || \
		{ echo 'make audit: a library named above is unsafe, or nobody could be asked about it.'; exit 1; }

bench:
	@sh .ci/setup test
	@if [ -d benchmarks ]; then $(LIBRARIES) $(PYTHON_HERE) -m benchmarks $(ARGS); \
	else echo 'There are no benchmarks yet.'; fi

clean:
	rm -rf .venv .coverage .coverage.* .hypothesis .mypy_cache .pytest_cache .ruff_cache build dist htmlcov
	find scorepad tests -name __pycache__ -prune -exec rm -rf {} +
