#!/usr/bin/env bash
# Measures the goals of docs/performance.md against their baselines.
#   scripts/bench.sh [-quick] [FLAG…]       all goals, into build/bench.txt and docs/performance.md
#   scripts/bench.sh compare OLD NEW        two such files, with benchstat
#   BENCH=REGEXP scripts/bench.sh           only these benchmarks, as they are
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

if [ "${1:-}" = compare ]; then
	[ $# -eq 3 ] || die "Usage: scripts/bench.sh compare OLD NEW"
	exec go run golang.org/x/perf/cmd/benchstat@latest "$2" "$3"
fi

scripts/deps.sh
mkdir -p build
if [ -z "${BENCH:-}" ]; then
	exec go run -tags "$TAGS" ./internal/bench "$@"
fi
list=()
for p in $(go list -tags "$TAGS" -f '{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}' ./...); do
	go list -tags "$TAGS" -test -deps "$p" | grep -q '^fyne\.io/fyne/' || list+=("$p")
done
go test -tags "$TAGS" -run '^$' -bench "$BENCH" -benchmem -count "${COUNT:-1}" "${list[@]}" | tee build/bench-some.txt
say "Written to build/bench-some.txt"
