// Palimpsest is a desktop workbench for context compaction: it shows what a
// policy would do to the history of an AI agent, does it, and undoes it.
//
// This file chooses the door. A verb (inspect, compact, restore …) is done by
// package cli; everything else opens the window of package gui.
package main

import (
	"cmp"
	"context"

	"palimpsest/cli"
	"palimpsest/gui"
	"palimpsest/model/store"
)

func main() {
	cli.Main(cli.Doors{
		Window: window,
		Screenshots: func(dir string, files []string) error {
			return gui.Screenshots(dir, gui.Options{Files: files, Version: cli.Version})
		},
	})
}

// window opens the window, which opens the database behind its first frame. One
// that can't be opened is said there and keeps nobody from looking at a history.
func window(files []string, db string) error {
	open := func(chosen string) (*store.Store, string, error) {
		path, err := database(db, chosen)
		if err != nil {
			return nil, "", err
		}
		st, err := store.OpenWhole(context.Background(), path)
		shown, _ := store.WithoutPassword(path)
		return st, shown, err
	}
	return gui.Run(gui.Options{Files: files, Version: cli.BuiltFrom(), Crashes: cli.Crashes(), OpenStore: open})
}

// database is the first of the places that is named, else the usual one.
func database(named ...string) (string, error) {
	if path := cmp.Or(named...); path != "" {
		return path, nil
	}
	return store.DefaultPath()
}
