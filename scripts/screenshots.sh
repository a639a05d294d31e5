#!/usr/bin/env bash
# Makes the pictures of the documentation anew, with the program itself.
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

scripts/build.sh
mkdir -p docs/screenshots
if [ "$(uname -s)" = Linux ]; then
	scripts/deps.sh headless
	# shellcheck source=scripts/xvfb.sh
	source scripts/xvfb.sh
	start_screen
fi
./palimpsest screenshots docs/screenshots
say "Written to docs/screenshots"
