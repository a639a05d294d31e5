// Package screen is what the window gives its screens and dialogs.
package screen
