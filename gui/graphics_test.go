package gui

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// fallingDriver is a driver that is Mesa's, at REAL, to the toolkit's own thread, and ends a
// program that asks for it in another one.
const fallingDriver = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

const void **__driDriverGetExtensions_swrast(void) {
	if (syscall(SYS_gettid) != getpid()) *(volatile int *)NULL = 0;
	const void **(*real)(void) = (const void **(*)(void))dlsym(dlopen(REAL, RTLD_LAZY), "__driDriverGetExtensions_swrast");
	return real();
}
`

// slowLibrary is the one that the other thread waits for, without anything in it: when that
// takes a second the other thread is there before the toolkit asks for the driver.
const slowLibrary = `
#include <unistd.h>

int XineramaQueryExtension(void *d, int *a, int *b) { return 0; }
int XineramaIsActive(void *d) { return 0; }
void *XineramaQueryScreens(void *d, int *n) { return 0; }

__attribute__((constructor)) static void slow(void) { sleep(1); }
`

// library makes a shared library of a program in C.
func library(t *testing.T, path, code string) {
	t.Helper()
	cc := exec.Command("cc", "-shared", "-fPIC", "-x", "c", "-", "-o", path, "-ldl")
	cc.Stdin = strings.NewReader(code)
	if out, err := cc.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// started is what became of a program that was started.
type started struct {
	drew bool     // its first frame; else it ended by itself
	said string   // what it wrote
	left []string // marks of what it ended within
}

// startsWith starts the program with an environment, and ends it when it drew.
func startsWith(t *testing.T, bin string, env ...string) (s started) {
	t.Helper()
	dir := filepath.Join(filepath.Dir(bin), "home")
	meter := filepath.Join(t.TempDir(), "meter")
	cmd := exec.Command(bin)
	cmd.Env = append(append(os.Environ(), "WAYLAND_DISPLAY=", "LIBGL_ALWAYS_SOFTWARE=1", "NO_AT_BRIDGE=1", "HOME="+dir, "XDG_CONFIG_HOME="+dir,
		"XDG_DATA_HOME="+dir, "XDG_CACHE_HOME="+dir, "XDG_RUNTIME_DIR="+dir, "LC_ALL=C.UTF-8", "PALIMPSEST_METER="+meter), env...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	late, again := time.After(time.Minute), time.NewTicker(20*time.Millisecond)
	defer again.Stop()
	for waits := true; waits; {
		select {
		case <-ended:
			waits = false
		case <-late:
			_ = cmd.Process.Kill()
			<-ended
			t.Fatalf("%v: a minute, and it neither drew nor ended\n%s", env, out.String())
		case <-again.C:
			if b, _ := os.ReadFile(meter); bytes.Contains(b, []byte("frame ")) {
				time.Sleep(300 * time.Millisecond) // the other thread may need a moment more
				_ = cmd.Process.Signal(os.Interrupt)
				<-ended
				s.drew, waits = true, false
			}
		}
	}
	s.said = out.String()
	s.left, _ = filepath.Glob(filepath.Join(dir, "palimpsest", "crashes", "trying-*"))
	return s
}

// The driver is loaded ahead beside the toolkit. Where that can't be done, or ends the
// program, the window is shown all the same, or the program says that it can't.
func TestGraphicsLoadedAheadDoNoHarm(t *testing.T) {
	if testing.Short() {
		t.Skip("the program was not started without its driver: it takes half a minute")
	}
	bin, dir, other := buildProgram(t), t.TempDir(), t.TempDir()
	screen, mute := startScreen(t), startScreen(t, "-extension", "GLX")
	for _, library := range []string{filepath.Join(dir, "libX11-xcb.so.1"), filepath.Join(other, "libXinerama.so.1")} {
		if err := os.WriteFile(library, []byte("no library"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]struct {
		env  []string
		ends bool // it says that there can be no window
	}{
		"all is there":                       {env: []string{"DISPLAY=" + screen}},
		"what is waited for never comes":     {env: []string{"DISPLAY=" + screen, "LD_LIBRARY_PATH=" + other}},
		"a library of X11 can't be loaded":   {env: []string{"DISPLAY=" + screen, "LD_LIBRARY_PATH=" + dir}, ends: true},
		"Wayland is named and is not there":  {env: []string{"DISPLAY=" + screen, "WAYLAND_DISPLAY=nowhere"}},
		"the display is given with its host": {env: []string{"DISPLAY=unix" + screen}},
		"no such display":                    {env: []string{"DISPLAY=:9999"}, ends: true},
		"no such host":                       {env: []string{"DISPLAY=127.0.0.1:9999"}, ends: true},
		"the display draws no OpenGL":        {env: []string{"DISPLAY=" + mute}, ends: true},
		"there is no such driver":            {env: []string{"DISPLAY=" + screen, "__GLX_VENDOR_LIBRARY_NAME=none"}},
		"the driver's parts are not there":   {env: []string{"DISPLAY=" + screen, "LIBGL_DRIVERS_PATH=" + dir}, ends: true},
	} {
		s := startsWith(t, bin, c.env...)
		if s.drew == c.ends || c.ends != strings.Contains(s.said, "No window can be opened") {
			t.Errorf("%s: it drew: %t; it said: %s", name, s.drew, s.said)
		}
		if s.drew && len(s.left) > 0 {
			t.Errorf("%s: it drew, and left %q", name, s.left)
		}
		for _, mark := range s.left {
			os.Remove(mark)
		}
	}
}

// A driver that ends the program when it is loaded ahead does so once.
func TestADriverThatFallsDoesSoOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("the program was not started with a driver that falls: it takes half a minute")
	}
	bin, dir := buildProgram(t, "cc"), t.TempDir()
	real, _ := filepath.Glob("/usr/lib*/*/dri/swrast_dri.so")
	if len(real) == 0 {
		t.Skip("the program was not started with a driver that falls: there is none of Mesa's to put one before")
	}
	library(t, filepath.Join(dir, "swrast_dri.so"), fmt.Sprintf("#define REAL %q\n%s", real[0], fallingDriver))
	library(t, filepath.Join(dir, "libXinerama.so.1"), slowLibrary)
	env := []string{"DISPLAY=" + startScreen(t), "LD_LIBRARY_PATH=" + dir, "LIBGL_DRIVERS_PATH=" + dir}
	first := startsWith(t, bin, env...)
	if first.drew || !strings.Contains(first.said, "graphics._Cfunc_load") || len(first.left) != 1 {
		t.Fatalf("the driver did not fall; marks: %q; it said: %s", first.left, first.said)
	}
	for range 2 {
		if s := startsWith(t, bin, env...); !s.drew || len(s.left) != 1 {
			t.Fatalf("it drew: %t; marks: %q; it said: %s", s.drew, s.left, s.said)
		}
	}
}
