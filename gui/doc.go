// Package gui is the program's window: panes that show the state of a desk and
// report to it what a person did. Panes never compute, touch the store or start
// work; what takes longer than a frame runs in the desk's scheduler.
//
// One file a pane. What can be done from anywhere is a command of one table
// (commands.go, commandtable.go), which feeds menus, keys, the palette and the
// key sheet. All words come from palimpsest/gui/words.
package gui
