#!/usr/bin/env bash
# Makes the pictures of the documentation with the program itself.
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

mkdir -p docs/screenshots
# They are drawn off the screen, so no display is needed. The picture of a real
# history is only made where the shared data is at hand.
PICTURES=$PWD/docs/screenshots go test -count=1 -tags "$TAGS,ci" ./gui -run TestPicturesShowTheScreens
say "Written to docs/screenshots"
