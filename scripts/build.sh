#!/usr/bin/env bash
# Builds ./palimpsest. The first build compiles the window toolkit and SQLite
# and takes some minutes; later ones take seconds.
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

scripts/deps.sh
say "Building ./palimpsest (the first build takes some minutes)"
go build -tags "$TAGS" -ldflags "$(stamp)" -o palimpsest .
