package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// windowShown and windowMemory are those of the program's window over a window that has
// nothing but a list, both on a screen in memory.
func windowShown(ctx context.Context, l *lab) (float64, error) {
	ours, bare, err := windows(ctx, l)
	return seconds(ours.clock) / seconds(bare.clock), err
}

func windowMemory(ctx context.Context, l *lab) (float64, error) {
	ours, bare, err := windows(ctx, l)
	return ours.memory / bare.memory, err
}

// windows is how long the two take until they are shown, and their memory at rest, measured
// once in a round.
func windows(ctx context.Context, l *lab) (ours, bare usage, err error) {
	for _, w := range []struct {
		name, module, pkg string
		into              *usage
	}{{"window", ".", "./gui/palimpsest-window", &ours}, {"barelist", "internal/lab", "./bench/barelist", &bare}} {
		if u, ok := l.sampled[w.name]; ok {
			*w.into = u
			continue
		}
		path := filepath.Join(l.dir, w.name)
		if _, err := os.Stat(path); err != nil {
			if err := build(ctx, w.module, path, w.pkg, "migrated_fynedo,sqlite_fts5"); err != nil {
				return ours, bare, err
			}
		}
		if *w.into, err = atRest(ctx, l.dir, path); err != nil {
			return ours, bare, err
		}
		l.sampled[w.name] = *w.into
	}
	return ours, bare, nil
}

// settling is how long a window has for what it does when it was shown.
const settling = 8 * time.Second

// atRest starts a program on a screen in memory, until it rests.
func atRest(ctx context.Context, dir, program string) (u usage, err error) {
	for _, tool := range []string{"Xvfb", "xdotool"} {
		if _, err := exec.LookPath(tool); err != nil || runtime.GOOS != "linux" {
			return u, fmt.Errorf("there is no %s here", tool)
		}
	}
	r, w, err := os.Pipe()
	if err != nil {
		return u, err
	}
	defer r.Close()
	screen := exec.CommandContext(ctx, "Xvfb", "-displayfd", "3", "-screen", "0", "1600x1000x24", "-nolisten", "tcp", "-noreset")
	screen.ExtraFiles = []*os.File{w}
	err = screen.Start()
	w.Close()
	if err != nil {
		return u, err
	}
	defer stop(screen)
	number, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		return u, fmt.Errorf("the screen in memory did not start: %w", err)
	}
	home, err := os.MkdirTemp(dir, "home-*")
	if err != nil {
		return u, err
	}
	p := exec.CommandContext(ctx, program)
	p.Env = append(os.Environ(), "DISPLAY=:"+strings.TrimSpace(number), "WAYLAND_DISPLAY=", "LIBGL_ALWAYS_SOFTWARE=1", "NO_AT_BRIDGE=1",
		"XDG_CONFIG_HOME="+home, "XDG_DATA_HOME="+home, "XDG_RUNTIME_DIR="+home)
	from := time.Now()
	if err := p.Start(); err != nil {
		return u, err
	}
	defer stop(p)
	look := exec.CommandContext(ctx, "xdotool", "search", "--sync", "--onlyvisible", "--pid", strconv.Itoa(p.Process.Pid))
	look.Env = p.Env
	if err := look.Run(); err != nil {
		return u, fmt.Errorf("no window is shown: %w", err)
	}
	u.clock = time.Since(from)
	select {
	case <-time.After(settling):
	case <-ctx.Done():
		return u, ctx.Err()
	}
	u.memory, err = memoryOf(p.Process.Pid, "VmRSS:")
	return u, err
}

// memoryOf is one of the sizes that Linux knows of a process, in MB.
func memoryOf(pid int, name string) (float64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, fmt.Errorf("the program ended, or its memory is not known: %w", err)
	}
	_, rest, _ := strings.Cut(string(status), name)
	kb, err := strconv.ParseFloat(strings.Fields(rest + " -")[0], 64)
	return kb * 1024 / 1e6, err
}

// stop ends a program that holds nothing that must be kept.
func stop(cmd *exec.Cmd) {
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
}
