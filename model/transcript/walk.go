package transcript

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
)

// Followed is a folder as [filepath.WalkDir] walks through it, which follows no link at its root.
func Followed(root string) string {
	if info, err := os.Lstat(root); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return root + string(filepath.Separator)
	}
	return root
}

// Walk looks for transcripts in a folder and in those below it: files whose name may be
// one's, and folders that are read as one source. found may return [fs.SkipAll]. Of each
// other folder it passes it calls folder, which may be nil. What can't be looked at is left
// out.
func Walk(ctx context.Context, root string, found func(path string) error, folder func(path string)) error {
	return filepath.WalkDir(Followed(root), func(path string, e fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			return nil
		case e.IsDir() && IsEventFolder(ctx, path):
			if err := found(path); err != nil {
				return err
			}
			return fs.SkipDir
		case e.IsDir() && IsInnerFolder(path):
			return fs.SkipDir
		case e.IsDir():
			if folder != nil {
				folder(path)
			}
		case Named(path):
			return found(path)
		}
		return nil
	})
}
