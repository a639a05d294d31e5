#!/usr/bin/env bash
# Benchmarks of the packages that know no window.
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

scripts/deps.sh
mkdir -p build
list=()
for p in $(go list -tags "$TAGS" -f '{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}' ./...); do
	go list -tags "$TAGS" -test -deps "$p" | grep -q '^fyne\.io/fyne/' || list+=("$p")
done
go test -tags "$TAGS" -run '^$' -bench "${BENCH:-.}" -benchmem -count "${COUNT:-1}" "${list[@]}" | tee build/bench.txt
say "Written to build/bench.txt"
