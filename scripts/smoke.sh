#!/usr/bin/env bash
# Starts the real program with the real driver on a screen in memory and looks
# whether it draws. Unit tests use Fyne's test driver and can't see that.
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

[ "$(uname -s)" = Linux ] || { say "Skipped: the screen in memory is X11."; exit 0; }
[ -x ./palimpsest ] || die "./palimpsest is not built: run make build."
scripts/deps.sh headless
# shellcheck source=scripts/xvfb.sh
source scripts/xvfb.sh
start_screen
show_window ./palimpsest "$SAMPLE"
save_picture build/smoke.png
say "The window shows $(identify -format '%k colours, %wx%h' build/smoke.png): build/smoke.png"

# It must end by itself when asked to.
kill -TERM "$WINDOW_PID" 2>/dev/null || true
for _ in $(seq 300); do
	kill -0 "$WINDOW_PID" 2>/dev/null || break
	sleep 0.1
done
if kill -0 "$WINDOW_PID" 2>/dev/null; then
	# Go prints what each goroutine waits for.
	kill -QUIT "$WINDOW_PID" 2>/dev/null || true
	sleep 2
	cat "$SCREEN_DIR/out" >&2
	kill -KILL "$WINDOW_PID" 2>/dev/null || true
	die "The program did not end within 30 s of being told to."
fi
