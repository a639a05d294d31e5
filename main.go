// Palimpsest is a desktop workbench for context compaction: it shows what a
// policy would do to the history of an AI agent, does it, and undoes it.
//
// This file chooses the door. A verb (inspect, compact, restore …) is done by
// package cli; everything else opens the window of package gui.
package main

import (
	"cmp"
	"context"
	"os"
	"os/signal"
	"syscall"

	"palimpsest/cli"
	"palimpsest/gui"
	"palimpsest/model/store"
)

func main() {
	// An interrupt stops a verb, which notes what it was doing; a second one ends it at
	// once.
	ctx, stop := signal.NotifyContext(context.Background(), ends()...)
	context.AfterFunc(ctx, stop)
	code := cli.Run(ctx, os.Args[1:], os.Stdout, os.Stderr, cli.Doors{
		Window: func(files []string, db string) error {
			stop() // a window is closed by an interrupt, as any program
			return window(files, db)
		},
		Screenshots: func(dir string, files []string) error {
			return gui.Screenshots(dir, gui.Options{Files: files, Version: cli.Version})
		},
	})
	stop()
	os.Exit(code)
}

// ends are the signals that stop a verb: what Ctrl-C sends, what a system that shuts
// down sends, and what a terminal that is closed sends, unless nohup has it ignored.
func ends() []os.Signal {
	list := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		list = append(list, syscall.SIGHUP)
	}
	return list
}

// window opens the window, which opens the database behind its first frame. One
// that can't be opened is said there and keeps nobody from looking at a history.
func window(files []string, db string) error {
	return gui.Run(gui.Options{Files: files, Version: cli.Version, OpenStore: func(chosen string) (*store.Store, string, error) {
		path, err := database(db, chosen)
		if err != nil {
			return nil, "", err
		}
		st, err := store.OpenWhole(context.Background(), path)
		shown, _ := store.WithoutPassword(path)
		return st, shown, err
	}})
}

// database is the first of the places that is named, else the usual one.
func database(named ...string) (string, error) {
	if path := cmp.Or(named...); path != "" {
		return path, nil
	}
	return store.DefaultPath()
}
