// Package dialogs is the dialogs: open, export, settings of models, prices and factors, storage,
// palette, and how to read a file that no format claims.
package dialogs
