// Palimpsest is a desktop workbench for context compaction: it shows what a
// policy would do to the history of an AI agent, does it, and undoes it.
//
// This file chooses the door. A verb (inspect, compact, restore …) is done by
// package cli; everything else opens the window of package gui.
package main

import (
	"palimpsest/cli"
	"palimpsest/gui"
)

func main() {
	cli.Main(cli.Doors{Window: gui.Open})
}
