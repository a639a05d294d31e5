// Package workbench is the panes of the main screen: sessions, chart, messages, detail, result and
// parameters.
package workbench
