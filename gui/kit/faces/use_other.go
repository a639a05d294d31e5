//go:build !migrated_fynedo

package faces

// Use does nothing: without the tag, Fyne's cache is of another type, and it reads the files itself.
func Use() {}
