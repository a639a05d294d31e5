#!/usr/bin/env bash
# Every check, in the order in which they fail fastest. From a cold cache on
# two cores most of the time is compiling the window toolkit once.
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# With the tag ci Fyne's tests take no font of the system and need no OpenGL,
# so that they measure and draw the same everywhere. It hides what a real
# driver and real fonts do; the smoke run builds without it for that reason.
run_tests() {
	local all
	mapfile -t all < <(go list -tags "$TAGS,ci" ./...)
	test_drawn "$TAGS,ci" "${all[@]}"
}

# go_test runs go test and notes which tests were skipped, and why. lint.sh has vetted
# every package by then.
SKIPPED=build/skipped.tsv
go_test() { go test -vet=off -json "$@" | build/tools/skips -note "$SKIPPED"; }

# serial_tests are those of scripts/serial.txt, in which nothing runs at the same time that
# does not in others.
serial_tests() { awk '!/^#/ && NF { names = names (names ? "|" : "") $2 } END { print "^(" names ")$" }' scripts/serial.txt; }

# test_drawn TAGS [-race] PACKAGE…: tests, but those that SKIP names, and only those that RUN names. The property tests draw new random
# histories at every run, which is what a developer wants; CI draws the same
# ones every time, so that a failure is due to the change and not to chance. Under the race
# detector they draw a tenth: what is concurrent in them is the same in each, and the run
# without it has drawn them all.
test_drawn() {
	# A slow machine is no fault: what hangs still ends.
	local tags=$1 flags=(-timeout 60m) drawn=() fixed=() draw=() status=0 p imports
	shift
	if [ "$1" = -race ]; then
		flags+=(-race -short)
		draw+=(-rapid.checks=50) # of which -short takes a fifth
		shift
	fi
	[ -z "${SKIP:-}" ] || flags+=(-skip "$SKIP")
	[ -z "${RUN:-}" ] || flags+=(-run "$RUN")
	[ -z "${CI:-}" ] || draw+=(-rapid.seed=20261121)
	if [ ${#draw[@]} -eq 0 ]; then
		go_test "${flags[@]}" -tags "$tags" "$@"
		return
	fi
	while read -r p imports; do
		case $imports in
		*pgregory.net/rapid*) drawn+=("$p") ;;
		*) fixed+=("$p") ;;
		esac
	done < <(go list -tags "$tags" -f '{{.ImportPath}} {{.TestImports}} {{.XTestImports}}' "$@")
	[ ${#fixed[@]} -eq 0 ] || go_test "${flags[@]}" -tags "$tags" "${fixed[@]}" || status=1
	[ ${#drawn[@]} -eq 0 ] || go_test "${flags[@]}" -tags "$tags" "${drawn[@]}" "${draw[@]}" || status=1
	return "$status"
}

# Packages that start goroutines or lock, and do not import Fyne; what is only made once or
# pooled is raced by those that use it at the same time. What only reads many files, or
# compacts, one after the other is left out here (-short). Fyne is never
# compiled with the race detector: that takes long, and its test driver runs
# fyne.Do on the calling goroutine, which the detector must report.
racing_packages() {
	local p dir
	go list -test -tags "$TAGS" -f '{{.ImportPath}}{{"\t"}}{{.Dir}}{{"\t"}}{{join .Deps " "}}' ./... |
		awk -F'\t' '$3 ~ /(^| )fyne\.io\/fyne\// { drawn[$2] } $1 !~ / |\.test$/ { path[$2] = $1 }
			END { for (dir in path) if (!(dir in drawn)) print path[dir] "\t" dir }' | sort |
		while IFS=$'\t' read -r p dir; do
			if grep -qE '^\s*go (func\(|[a-zA-Z_.]+\()' "$dir"/*.go || [ -n "$(find "$dir" -maxdepth 1 -name '*.go' ! -name '*_test.go' -exec grep -lE 'sync\.(RW)?Mutex|sync\.(WaitGroup|Map|Cond)|atomic\.|errgroup' {} +)" ]; then echo "$p"; fi
		done
}

run_races() {
	local list
	mapfile -t list < <(racing_packages | grep -vx palimpsest/cli)
	[ ${#list[@]} -gt 0 ] || { say "No package of that kind."; return 0; }
	printf '  %s\n' "${list[@]}"
	say "Without those of scripts/serial.txt: $(grep -cE '^[a-z]' scripts/serial.txt)."
	# C is compiled once more for it, in half the time: the detector does not look into it.
	CGO_CFLAGS=-O1 SKIP=$(serial_tests) test_drawn "$TAGS" -race "${list[@]}" || return 1
	# Of the verbs only batches and lists of files do something at the same time.
	CGO_CFLAGS=-O1 RUN='Batch|Queue|Workers|Several|ManyFiles' SKIP=$(serial_tests) test_drawn "$TAGS" -race ./cli
}

# The lab is a module of its own, of what the project is measured and fitted with.
run_lab() { go test -C internal/lab -vet=off -tags "$TAGS,ci" ./...; }

# The example is a module outside ours, as an agent's own is.
run_example() { (cd docs/examples/agent && GOFLAGS=-mod=mod go test ./...); }

build_program() { go build -tags "$TAGS" -ldflags "$(stamp)" -o palimpsest .; }

say "Runs: gofmt, go vet, staticcheck, all tests, the race detector, and a real window on a screen in memory."
scripts/deps.sh headless
start=$SECONDS
rm -f "$SKIPPED"
mkdir -p build/tools
go build -C internal/lab -o "$PWD/build/tools/skips" ./skips
check "format, vet, staticcheck, sizes, weaknesses, licences" scripts/lint.sh
check "tests of all packages" run_tests
check "race detector on packages that work in parallel" run_races
check "the lab" run_lab
check "an agent outside this module" run_example
check "build" build_program
check "a real window" scripts/smoke.sh
check "why tests were skipped" build/tools/skips -check "$SKIPPED" scripts/skips.txt
checked
printf '\nAll checks passed in %d min %02d s.\n' $(((SECONDS - start) / 60)) $(((SECONDS - start) % 60))
