#!/usr/bin/env bash
# Runs a command of internal/lab, which is a module of its own, in the folder of the project.
#   scripts/lab.sh doctables|fit|judge|mutants|samplegen|systems|vocabulary|gallery|bench|reader [FLAG…]
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

[ $# -gt 0 ] || die "Usage: scripts/lab.sh COMMAND [FLAG…], one of $(cd internal/lab && ls -d */ | tr -d / | paste -sd' ')"
mkdir -p build/lab
go build -C internal/lab -tags "$TAGS" -o "$PWD/build/lab/$1" "./$1"
exec "build/lab/$1" "${@:2}"
