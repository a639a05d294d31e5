#!/usr/bin/env bash
# Makes the pictures of the documentation with the program itself.
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

scripts/build.sh
mkdir -p docs/screenshots
# They are drawn off the screen, so no display is needed. The picture of a real
# history is only made where the shared data is at hand.
real=../shared/data/transcripts/codex_rollout/agentv_1f4427_0_compacted.jsonl
[ -f "$real" ] || real=
./palimpsest screenshots docs/screenshots ${real:+"$real"}
say "Written to docs/screenshots"
