# Every target goes through one launcher, which makes its own virtual environment and toolchain in a cache folder.
# STACK names the stack, CONTEXT a context of your kubeconfig (for stacks on your own cluster), NODES the nodes of the
# embedded cluster: real ones run pods and take root, simulated ones don't.

PYTHON ?= python3
STACK ?= local
CONTEXT ?=
NODES ?=
ARGS ?=
# The shell gets it as a variable, so that quotes in it stay as they are.
export ARGS
PYTEST_ARGS ?=

RUN = @$(PYTHON) devcluster/bootstrap.py --stack=$(STACK) $(if $(CONTEXT),--context=$(CONTEXT)) $(if $(NODES),--nodes=$(NODES))

.PHONY: help up preview down status slurm ssh pulumi toolchain clean-cache test test-all gpu-bundle coverage lint site generate lock

help: ## show this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 14

up: ## bring the stack up (STACK=local: with an embedded cluster) and show what exists
	$(RUN) up

preview: ## show what `make up` would change
	$(RUN) preview

down: ## destroy the stack; STACK=local: remove the embedded cluster as well
	$(RUN) down

status: ## show what runs and what exists
	$(RUN) status

slurm: ## run a command as a user on the login node: make slurm ARGS='srun -N2 hostname'
	$(RUN) slurm "$$ARGS"

ssh: ## log in to the cluster as a user, or run a command so (ARGS='sbatch job.sh')
	$(RUN) ssh "$$ARGS"

pulumi: ## run any pulumi command: make pulumi ARGS='stack output'
	$(RUN) pulumi "$$ARGS"

toolchain: ## build what the embedded cluster and the engine need, and nothing else
	$(RUN) toolchain

clean-cache: ## remove the virtual environment, the built toolchain and Go's caches
	$(RUN) clean-cache

test: ## show each tested behaviour once (PYTEST_ARGS='-k name' for some tests)
	$(RUN) test $(PYTEST_ARGS)

test-all: ## run also the tests that show again what others show
	$(RUN) test-all $(PYTEST_ARGS)

gpu-bundle: ## pack what tests/gpu need on a machine without network, into .gpu-bundle/
	$(RUN) python -m tools.gpu_bundle .gpu-bundle

coverage: ## run the tests without servers and list the branches that they don't reach
	$(RUN) python -m pytest -n auto --cov --cov-report=term-missing:skip-covered tests/unit tests/components

lint: ## check format, style, types, the links of the pages, and the plugin's schema: as models are, what it has lost since the last tag
	$(RUN) lint
	$(RUN) python -m tools.package_schema --check
	$(RUN) python -m tools.breaking_changes

site: ## build the pages as a site, into site/
	$(RUN) python -m tools.docs_site site

generate: ## write tables of fields, the schemas, the types of mappings and docs/reference anew
	$(RUN) python -m tools.kubernetes_fields
	$(RUN) python -m tools.generate_dicts
	$(RUN) python -m pulumi_slurm_stacks.schema stacks/stack-config.schema.json
	$(RUN) python -m pulumi_slurm_cli.drift.report stacks/drift-report.schema.json
	$(RUN) python -m pulumi_slurm_cli.review.report stacks/review-report.schema.json
	$(RUN) python -m tools.package_schema
	$(RUN) python -m tools.generate_reference
	$(RUN) python -m tools.alerts_page
	$(RUN) python -m tools.dashboards_page

# The tests' lock first, which has all packages, so that the others have the same version of each. uv is on PATH.
COMPILE = uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate --python-version 3.11 --upgrade
LOCK = $(COMPILE) --group devcluster pyproject.toml
# Groups of packages that nothing else is installed with.
ALONE = policy release audit installers

lock: ## take the newest packages in the ranges of pyproject.toml into locks/, by uv
	$(LOCK) --extra gke --extra ack --group test --group lint --output-file locks/tests.lock
	$(LOCK) --constraint locks/tests.lock --output-file locks/base.lock
	$(LOCK) --constraint locks/tests.lock --extra gke --output-file locks/gke.lock
	$(LOCK) --constraint locks/tests.lock --extra ack --output-file locks/ack.lock
	$(COMPILE) pyproject.toml --constraint locks/tests.lock --extra gke --extra ack --output-file locks/wheel.lock
	$(foreach group,$(ALONE),$(COMPILE) --group $(group) --output-file locks/$(group).lock &&) true
