# The author's front door. Every recipe only calls a tool; what is stale is decided by `tito build`.

PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' 2>/dev/null \
	&& echo $$p && break; done)
BIN := .venv/bin
READY := .venv/.ready
SITE := .venv/.site-ready
export PYTHONUTF8 = 1

.PHONY: build demo docs test test-all bench compare check format edition lock clean help

build: $(READY) ## Build what changed: source/ -> notebooks/, release/, tinytorch/ (the default)
	@$(BIN)/tito build

demo: $(READY) ## Build the course, grade a small example class and show its gradebook
	@$(BIN)/tito demo

test: $(READY) ## Run the test suite (minutes)
	@$(BIN)/python -m pytest -n auto -m "not slow"

test-all: test ## Run the test suite, then the slow tests
	@$(BIN)/python -m pytest -n auto -m slow

bench: $(READY) ## Time the engine beside its rivals (`make compare` first): one table
	@$(BIN)/python -m bench

compare: $(READY) ## Install PyTorch, other rivals, Dask and axe-core into .venv, for their tests and `make bench`
	@$(call install,compare)
	@$(call install,scale)
	-@$(BIN)/python -m tests.docs.axe

docs: $(READY) $(SITE) ## Build the site into .build/site (minutes the first time: every lesson is run)
	@$(BIN)/tito build
	@$(BIN)/python -m sphinx -W --keep-going -j 2 docs .build/site
	@echo "Open .build/site/index.html"

check: $(READY) ## The gate: style, lesson rules, generated trees in sync, no leaked solution
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/tito check

format: $(READY) ## Format and mend the style of everything that is written by hand
	@$(BIN)/ruff check --fix --quiet .
	@$(BIN)/ruff format .

edition: $(READY) ## Write dist/: the folder and the zip that students get
	@$(BIN)/tito student-edition

lock: ## Lock the newest versions that pyproject.toml allows (needs uv)
	uv pip compile pyproject.toml --extra course --extra dev --universal --python-version 3.11 \
		--no-header --no-annotate --no-emit-index-url --quiet --upgrade -o requirements.lock

clean: ## Remove what can be rebuilt and is not in git (.venv stays)
	rm -rf .build dist docs/lessons .pytest_cache .ruff_cache .hypothesis

help: ## List the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 12

$(READY): requirements.lock pyproject.toml
	@test -n "$(PYTHON)" || { echo "error: no Python 3.11-3.13 found: install one, or say make PYTHON=/path/to/python"; exit 1; }
	@echo "Setting up .venv from requirements.lock (once; a minute or two)"
	@if command -v uv >/dev/null; then \
		uv venv --quiet --allow-existing --python "$$($(PYTHON) -c 'import sys; print(sys.executable)')" .venv && \
		uv pip install --quiet --python .venv -r requirements.lock && \
		uv pip install --quiet --python .venv --no-deps --no-build-isolation -e .; \
	else \
		$(PYTHON) -m venv .venv && \
		$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.lock && \
		$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .; \
	fi
	@touch $@

$(SITE): $(READY)
	@echo "Installing Sphinx into .venv (once)"
	@$(call install,docs)
	@touch $@

# What pyproject.toml names as an extra, beside the locked versions.
define install
if command -v uv >/dev/null; then \
	uv pip install --quiet --python .venv -c requirements.lock -r pyproject.toml --extra $(1); \
else \
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-build-isolation \
		-c requirements.lock -e '.[$(1)]'; \
fi
endef
