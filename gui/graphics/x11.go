//go:build linux && !android && !ci

package graphics

/*
#cgo LDFLAGS: -ldl
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <unistd.h>

// One library is loaded at a time, and the driver takes ten times as long as those that the
// toolkit loads first, of which libXinerama is the last that no driver asks for: none of them
// is to wait for it. By then the toolkit has made Xlib safe for several threads, too, which two
// must not do at once: where it does not come so far nothing is loaded ahead.
static int begun(void) {
	for (int i = 0; !dlopen("libXinerama.so.1", RTLD_LAZY | RTLD_NOLOAD); i++) {
		if (i == 500) return 0;
		usleep(1000);
	}
	return 1;
}

// The connection stays open: closed, it would take the driver with it before the window has it.
static void load(void) {
	void *x11 = dlopen("libX11.so.6", RTLD_LAZY), *gl = dlopen("libGL.so.1", RTLD_LAZY);
	if (!x11 || !gl) return;
	int (*threads)(void) = (int (*)(void))dlsym(x11, "XInitThreads");
	void *(*open)(const char *) = (void *(*)(const char *))dlsym(x11, "XOpenDisplay");
	int (*screen)(void *) = (int (*)(void *))dlsym(x11, "XDefaultScreen");
	int (*release)(void *) = (int (*)(void *))dlsym(x11, "XFree");
	void *(*configs)(void *, int, int *) = (void *(*)(void *, int, int *))dlsym(gl, "glXGetFBConfigs");
	if (!threads || !open || !screen || !release || !configs || !threads()) return;
	void *display = open(0);
	if (!display) return;
	int n;
	void *list = configs(display, screen(display), &n);
	if (list) release(list);
}

// Where graphics are computed, a frame takes 64 kB for each object, and keeps them until the
// next one begins. One that is nothing but cleared begins it, and is never shown.
static void forget(void) {
	void *gl = dlopen("libGL.so.1", RTLD_LAZY);
	void (*clear)(unsigned) = gl ? (void (*)(unsigned))dlsym(gl, "glClear") : 0;
	void (*finish)(void) = gl ? (void (*)(void))dlsym(gl, "glFinish") : 0;
	if (clear && finish) {
		clear(0x4000); // GL_COLOR_BUFFER_BIT
		finish();
	}
}

// Not every C library has it.
static void trim(void) {
	int (*f)(size_t) = (int (*)(size_t))dlsym(RTLD_DEFAULT, "malloc_trim");
	if (f) f(0);
}
*/
import "C"

import (
	"os"
	"strings"

	"fyne.io/fyne/v2"
)

// Begun waits until the toolkit has come so far that Load may be called. It reports false
// where it does not, or where nothing is loaded ahead: over a network each question to the
// display takes longer than loading, and Wayland has another driver.
func Begun() bool {
	return strings.HasPrefix(os.Getenv("DISPLAY"), ":") && os.Getenv("WAYLAND_DISPLAY") == "" && C.begun() != 0
}

// Load loads the driver of the display.
func Load() { C.load() }

// Forget has the driver give back the memory of the frame that it drew last. What is shown
// stays.
func Forget(w fyne.Window) {
	if c, ok := w.(interface{ RunWithContext(f func()) }); ok {
		c.RunWithContext(func() { C.forget() })
		go C.trim()
	}
}
