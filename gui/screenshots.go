package gui

// Screenshots writes pictures of the window into a folder.
func Screenshots(dir string, o Options) error { return nil }
