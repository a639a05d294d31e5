#!/usr/bin/env bash
# Measures what a person feels of the program's speed: docs/performance.md.
#   scripts/bench.sh [-quick] [-only REGEXP] [-rounds N]
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

scripts/deps.sh
exec scripts/lab.sh bench "$@"
