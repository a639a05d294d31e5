// Command palimpsest has the verbs and no window: it needs no display, no graphics
// library and, where it is built statically, nothing of the system. If a
// palimpsest-window is beside it, or where a package puts it, it opens that one
// for a person who asks for a window.
package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"palimpsest/cli"
	"palimpsest/cli/batch/queue"
	"palimpsest/model"
)

func main() {
	doors := cli.Doors{Queue: queue.Open}
	if program := window(); program != "" {
		doors.Window = func(files []string, db string) error {
			args := append([]string{"window", "--"}, files...)
			if db != "" {
				args = append([]string{"--db", db}, args...)
			}
			return pass(program, args)
		}
	}
	cli.Main(doors)
}

// window is the path of the program with the window; "": there is none here.
func window() string {
	own, err := os.Executable()
	if err != nil {
		return ""
	}
	if real, err := filepath.EvalSymlinks(own); err == nil {
		own = real
	}
	name := "palimpsest-window"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	dir := filepath.Dir(own)
	for _, path := range []string{filepath.Join(dir, name), filepath.Join(dir, "..", "lib", "palimpsest", name)} {
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return path
		}
	}
	return ""
}

// notLoaded is how a program ends whose libraries the system's loader does not find, which
// then has named one; no program of ours ends so.
const notLoaded = 127

// libraries are the packages that the window needs, as the .deb of it says.
const libraries = "libgl1 libx11-6 libxcursor1 libxrandr2 libxinerama1 libxi6 libxxf86vm1 " +
	"libwayland-client0 libwayland-cursor0 libwayland-egl1 libxkbcommon0"

// pass runs another program in place of this one and returns how it ended.
func pass(program string, args []string) error {
	c := exec.Command(program, args...)
	c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := c.Run()
	if ended, ok := err.(*exec.ExitError); ok {
		if ended.ExitCode() == notLoaded {
			return &model.Problem{Code: "no-libraries", What: "The window can't be opened.", Why: "A library that it needs is not here.",
				Next: "Install it (on Debian and Ubuntu: apt-get install " + libraries + "), or use a verb: palimpsest --help."}
		}
		return cli.Ended(ended.ExitCode())
	}
	return err
}
