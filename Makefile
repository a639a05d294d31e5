# Palimpsest: `make run` opens the program, `make test` checks it.
# Everything else about the commands is in scripts/.

FILE ?=

.DEFAULT_GOAL := help
.PHONY: help run build cli test lint bench bench-quick fuzz soak screenshots screenshots-check package clean

help: ## show this list
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' $(MAKEFILE_LIST) | expand -t 22

run: ## build and open the window; FILE=history.jsonl opens that history
	@scripts/run.sh "$(FILE)"

build: ## build ./palimpsest
	@scripts/build.sh

cli: ## build build/palimpsest: the verbs alone, static, for machines without a desktop
	@scripts/cli.sh

test: ## every check: format, vet, staticcheck, tests, races, a real window
	@scripts/test.sh

lint: ## format, vet, staticcheck and the size of functions only
	@scripts/lint.sh

bench: ## measure what a person feels of the speed, ten minutes; writes docs/performance.md
	@scripts/bench.sh

bench-quick: ## the same once, on small histories, to see that it works; writes nothing to docs
	@scripts/bench.sh -quick

soak: ## kill, fill, lock, flip, race and signal for SOAKTIME (60s), into build/soak.tsv
	@scripts/soak.sh

fuzz: ## run every fuzz target for FUZZTIME (60s each), into build/fuzz.tsv
	@scripts/fuzz.sh

screenshots: ## make the pictures of docs/screenshots anew
	@scripts/screenshots.sh

screenshots-check: ## look at every screen, theme, language and size for what can't be read
	@scripts/screenshots-check.sh

package: ## a package for this system in build/
	@scripts/package.sh

clean: ## remove what the commands above made
	rm -rf build palimpsest
