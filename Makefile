# `make test` and `make demo` set everything up by themselves; `make` alone lists the targets.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/installed
# what `make fresh` tries, e.g. FRESH="--python python3.13"
FRESH ?= --lowest
# e.g. PIP_OPTIONS="--extra-index-url https://download.pytorch.org/whl/cpu": torch without CUDA, some GB less
PIP_OPTIONS ?=

.DEFAULT_GOAL := help
.PHONY: help install test test-long fresh mutants lint demo bench docs notebooks pictures build clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/  make \1\t\2/p' $(firstword $(MAKEFILE_LIST)) | expand -t 18

install: $(STAMP) ## create .venv and install the package with its development tools

$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "ka_env needs Python 3.11 or newer: make PYTHON=python3.11")'
	for room in agents training; do test -e ka_env/$$room || ln -s ../$$room ka_env/$$room; done
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet $(PIP_OPTIONS) -c constraints.txt -e ".[dev]"
	@touch $@

test: lint ## lint, type check and run the tests
	$(BIN)/python -m pytest -n 2

test-long: $(STAMP) ## what takes too long for every day: many random examples, the installed wheel, old dependencies (hours)
	KA_EXAMPLES=500 $(BIN)/python -m pytest -n 2 tests/blackpoker/test_properties.py tests/blackpoker/test_fuzz.py \
		tests/blackpoker/test_record.py tests/bluemoon/test_properties.py tests/bluemoon/test_fuzz.py
	$(BIN)/python -m pytest -n 2 -m long
	$(BIN)/python -m tests.fresh --lowest

fresh: $(STAMP) ## a part of the tests in an environment of its own: the oldest dependencies, or another Python
	$(BIN)/python -m tests.fresh $(FRESH)

mutants: $(STAMP) ## flip the rules piece by piece and see whether a test notices (ten minutes; goes on where it stopped)
	$(BIN)/python -m tests.mutate

lint: $(STAMP) ## ruff and mypy
	$(BIN)/python -m ruff check .
	$(BIN)/python -m ruff format --check .
	$(BIN)/python -m mypy

demo: $(STAMP) ## train an agent for a minute, then tournaments of BlackPoker and of Blue Moon
	rm -rf runs/demo
	$(BIN)/ka train --preset quick --set steps=700000 --out runs/demo
	$(BIN)/ka arena round-robin random greedy policy:lite-entry20 policy:runs/demo/policy.npz \
		--pairs 200 --store runs/demo/arena.sqlite
	$(BIN)/ka arena round-robin random greedy bully --on base/random --pairs 150 --store runs/demo/bluemoon.sqlite
	@echo
	@echo "To look at: runs/demo/report.html (how it learned), runs/demo/arena.html, runs/demo/bluemoon.html (who beats whom)"
	@echo "What next?"
	@echo "  $(BIN)/ka play --opponent policy:runs/demo/policy.npz                  # play against it"
	@echo "  $(BIN)/ka arena duel policy:runs/demo/policy.npz greedy                # is it stronger than rules of thumb?"
	@echo "  $(BIN)/ka train --preset standard                                      # train one for an hour"

bench: $(STAMP) ## measure the speed in full (some minutes)
	$(BIN)/ka bench

docs: $(STAMP) ## build the documentation into site/
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict

notebooks: $(STAMP) ## run the notebooks and keep their outputs (some minutes)
	$(BIN)/python notebooks/run.py

pictures: $(STAMP) ## draw the boards of the documentation anew
	$(BIN)/ka show --seed 3 --viewer 0 --scale 0.7 --png docs/images/table.png
	$(BIN)/ka show docs/positions/answer.txt --viewer 0 --scale 0.7 --png docs/images/answer.png
	$(BIN)/ka show docs/positions/fight.txt --viewer 0 --scale 0.7 --png docs/images/fight.png
	$(BIN)/ka show --ruleset base --frame khind-buka --seed 3 --viewer 0 --scale 0.7 --png docs/images/bluemoon_table.png
	$(BIN)/ka show docs/positions/bluemoon_fight.txt --viewer 0 --scale 0.7 --png docs/images/bluemoon_fight.png
	$(BIN)/ka show docs/positions/bluemoon_bluff.txt --viewer 0 --scale 0.7 --png docs/images/bluemoon_bluff.png
	$(BIN)/python -m tests.project.screens
	$(BIN)/python -m ka_env.serve.pictures docs/images docs/positions

build: $(STAMP) ## make the wheel and the source distribution in dist/
	$(BIN)/python -m build

clean: ## remove .venv and whatever tools have left behind
	rm -rf $(VENV) build dist site *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .benchmarks
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
