// Package commands is the table of everything a person can do from anywhere in the window: words,
// menu, keys, when it can be done, and what it does. Menu, shortcuts, palette, key
// sheet and documents are made from it.
package commands
