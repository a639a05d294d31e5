// Package preview is the screen that shows a draft beside the messages it replaces.
package preview
