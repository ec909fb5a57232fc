# Developers' commands; each uses the python of the active environment.
PYTHON ?= python
# Processes that run the tests, a file of them at a time.
JOBS ?= 2

.PHONY: build test test-quick test-interpreted test-here coverage coverage-compiled coverage-interpreted test-browser test-packages test-tools lint format docs man bench mutants matrix fuzz clean

build:            ## compile the kernels in place, or fail; needs the extra test
	JPEVALB_EXT=1 $(PYTHON) setup.py build_ext --inplace

test:             ## the tests, on whichever kernels are installed, then interpreted
	$(MAKE) test-here
	JPEVALB_PURE=1 $(MAKE) test-here

INTERPRETED = tests/kernels/test_core.py tests/legacy/test_golden_evalb.py tests/score/test_scores.py tests/kernels/test_path_kernel.py \
	tests/kernels/test_columns.py tests/kernels/test_counting.py tests/metrics/test_discontinuous.py

test-quick:       ## the tests that are not slow, with few random examples, on the kernels that the environment asks for
	$(PYTHON) -m pytest --hypothesis-profile=quick -m 'not packages and not slow' --ignore-glob='tests/report/test_browser*.py' \
		-n $(JOBS) --dist loadfile --no-loadscope-reorder

test-interpreted: ## on interpreted kernels: their own tests, the C program's cases and the frozen scores
	JPEVALB_PURE=1 $(PYTHON) -m pytest $(INTERPRETED)

test-here:        ## the tests, on the kernels that the environment asks for
	$(PYTHON) -m pytest --ignore-glob='tests/report/test_browser*.py' -n $(JOBS) --dist loadfile --no-loadscope-reorder -rs

coverage: coverage-compiled coverage-interpreted  ## branch coverage on either kernels; the floor stands in pyproject.toml

coverage-compiled:    ## the package around the kernels
	$(PYTHON) -m coverage erase
	$(PYTHON) -m coverage run -m pytest --ignore-glob='tests/report/test_browser*.py'
	$(PYTHON) -m coverage combine -q
	$(PYTHON) -m coverage report --omit='jpevalb/kernels/*'

coverage-interpreted: ## the package with its kernels; takes a quarter of an hour
	$(PYTHON) -m coverage erase
	JPEVALB_PURE=1 $(PYTHON) -m coverage run -m pytest --ignore-glob='tests/report/test_browser*.py'
	$(PYTHON) -m coverage combine -q
	$(PYTHON) -m coverage report

test-browser:     ## the HTML report in chromium, driven by selenium; needs both installed
	$(PYTHON) -m pytest tests/report/test_browser*.py -n $(JOBS)

test-packages:    ## builds the sdist and the wheel and installs them in fresh environments
	$(PYTHON) -m pytest -m packages tests/project/test_packages.py

# A folder for the tools' environment, which is then kept for the next run.
TOOLS ?=

test-tools:       ## real tokenisers and sentence splitters, installed in an environment of their own (1 GB), against their offsets
	$(PYTHON) -m tests.tools $(if $(TOOLS),--environment $(TOOLS))
	$(PYTHON) -m tests.tools.conventions $(if $(TOOLS),--environment $(TOOLS))

mutants:          ## make mutants MODULE=metrics/times: would its tests notice a wrong line? writes tests/mutants.md; needs cosmic-ray (the extra dev)
	$(PYTHON) -m tests.mutants $(MODULE)

matrix:           ## make matrix MODULE=metrics/times: which test kills which mutant, and which tests kill nothing alone?
	mkdir -p build
	$(PYTHON) -m tests.mutants --matrix build/matrix.json $(MODULE)

# Seconds for each fuzz target.
SECONDS ?= 60

fuzz:             ## the fuzz targets on kernels compiled with sanitizers; needs gcc and the extra test. An hour each before a release
	$(PYTHON) -m tests.fuzz.sanitized --seconds $(SECONDS)

lint:
	$(PYTHON) -m ruff format --check .
	$(PYTHON) -m ruff check .
	$(PYTHON) -m mypy
	lint-imports
	check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	check-jsonschema --builtin-schema vendor.github-actions action.yml

format:
	$(PYTHON) -m ruff format .
	$(PYTHON) -m ruff check --fix .

docs:             ## the pages under docs/_build/html; warnings are errors
	$(PYTHON) -m sphinx -W -q -b html docs docs/_build/html

man:              ## the manual pages, from the options of the parsers and docs/options.md
	$(PYTHON) docs/manual.py

bench:            ## instructions of an installed wheel (needs valgrind; EVALB_SOURCE=FOLDER for ratios to evalb) and timings on made input
	$(PYTHON) -m tests.benchmarks.instructions
	$(PYTHON) -m tests.benchmarks.modes
	$(PYTHON) -m tests.benchmarks.growth
	$(PYTHON) -m tests.benchmarks.peers
	$(PYTHON) -m tests.benchmarks.tree_metrics
	$(PYTHON) -m tests.benchmarks.averaging
	$(PYTHON) -m tests.benchmarks.significance
	$(PYTHON) -m tests.benchmarks.claims
	$(PYTHON) -m tests.benchmarks.checked $(SECTION23)
	$(PYTHON) -m tests.benchmarks.discontinuous
	$(PYTHON) -m tests.benchmarks.alignment_regimes
	$(PYTHON) -m tests.benchmarks.alignment_regimes --hard
	$(PYTHON) -m tests.benchmarks.alignment_gaps --lengths 50 300 5000

clean:
	rm -rf build dist *.egg-info jpevalb/kernels/*.c jpevalb/kernels/*.so
