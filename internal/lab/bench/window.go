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

// windowCPU and windowMemory are those of the program's window over a window that has
// nothing but a list, both on a screen in memory.
func windowCPU(ctx context.Context, l *lab) (float64, error) {
	ours, bare, err := windows(ctx, l)
	return seconds(ours.cpu) / seconds(bare.cpu), err
}

func windowMemory(ctx context.Context, l *lab) (float64, error) {
	ours, bare, err := windows(ctx, l)
	return ours.memory / bare.memory, err
}

// windows is what the two take from their start until they rest, measured once in a round.
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

// atRest starts a program on a screen in memory, and says what it has taken when it rests.
func atRest(ctx context.Context, dir, program string) (u usage, err error) {
	if _, err := exec.LookPath("Xvfb"); err != nil || runtime.GOOS != "linux" {
		return u, fmt.Errorf("there is no Xvfb here")
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
	if err := p.Start(); err != nil {
		return u, err
	}
	defer stop(p)
	select {
	case <-time.After(settling):
	case <-ctx.Done():
		return u, ctx.Err()
	}
	proc := fmt.Sprintf("/proc/%d/", p.Process.Pid)
	status, err := os.ReadFile(proc + "status")
	if err != nil {
		return u, fmt.Errorf("the window ended: %w", err)
	}
	_, resident, _ := strings.Cut(string(status), "VmRSS:")
	kb, err := strconv.ParseFloat(strings.Fields(resident + " -")[0], 64)
	u.memory = kb * 1024 / 1e6
	stat, _ := os.ReadFile(proc + "stat")
	_, rest, _ := strings.Cut(string(stat), ") ") // after the name, which may hold spaces
	if f := strings.Fields(rest); len(f) > 12 {
		user, _ := strconv.Atoi(f[11])
		system, _ := strconv.Atoi(f[12])
		u.cpu = time.Duration(user+system) * 10 * time.Millisecond // hundredths of a second
	}
	return u, err
}

// stop ends a program that holds nothing that must be kept.
func stop(cmd *exec.Cmd) {
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
}
