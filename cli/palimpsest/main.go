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
		doors.Screenshots = func(dir string, files []string) error {
			return pass(program, append([]string{"screenshots", "--", dir}, files...))
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

// pass runs another program in place of this one and returns how it ended.
func pass(program string, args []string) error {
	c := exec.Command(program, args...)
	c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := c.Run()
	if ended, ok := err.(*exec.ExitError); ok {
		return cli.Ended(ended.ExitCode())
	}
	return err
}
