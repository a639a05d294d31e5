#!/usr/bin/env bash
# Looks at every screen in memory and fails on what a person could not read: see
# gui/gate_test.go. GATEPICTURES=DIR keeps a picture of each.
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

GATE=all go test -count=1 -timeout 30m -tags "$TAGS,ci" ./gui -run 'TestEveryScreen|TestTheGate'
