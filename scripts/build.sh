#!/usr/bin/env bash
# Builds ./palimpsest. The first build compiles the window toolkit and SQLite
# and takes some minutes; later ones take seconds.
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

scripts/deps.sh
say "Building ./palimpsest. The first time takes 7 minutes of processor time and 1 GB; later it takes seconds."
quietly build/build.log go build -tags "$TAGS" -ldflags "$(stamp)" -o palimpsest .
