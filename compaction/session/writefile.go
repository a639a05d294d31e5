package session

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"palimpsest/model"
	"palimpsest/model/scratch"
	"palimpsest/model/transcript"
)

// Written is what an export wrote.
type Written struct {
	Path     string
	Bytes    int64
	SHA256   string
	Relinked []transcript.Relink // references of kept records that had to change
	Lost     transcript.Losses   // what a form other than the source's has no place for
	Record   string              // ID of the record that was stored with it; "": none was
	Redacted []Withheld          // what was found by a redacted export, let through or not
}

// WriteFile writes a file next to its final place and moves it there. An existing
// file is replaced only with force, and only if it is a regular one.
func WriteFile(ctx context.Context, path string, force bool, write func(io.Writer) error) (*Written, error) {
	return writeChecked(ctx, place{path: path, force: force}, write, nothingToCheck)
}

// WriteLike is WriteFile for what holds a source's words: the file is readable for
// nobody who may not read the source, and for its owner alone if the source is gone.
func WriteLike(ctx context.Context, path, source string, force bool, write func(io.Writer) error) (*Written, error) {
	return writeChecked(ctx, place{path: path, force: force, like: source}, write, nothingToCheck)
}

func nothingToCheck(string, string) error { return nil }

// place is where a file goes.
type place struct {
	path  string
	force bool   // an existing file is replaced
	like  string // the source, whose permissions are not exceeded; "": there is no file
}

// writeChecked is WriteFile with a check of the written file, given a path to read it
// by and its hash, before it takes its name.
func writeChecked(ctx context.Context, to place, write func(io.Writer) error, check func(tmp, sha string) error) (*Written, error) {
	final, err := FreePath(to.path, to.force)
	if err != nil {
		return nil, err
	}
	tmp, err := scratch.Create(final)
	if err != nil {
		return nil, writeProblem(to.path, err)
	}
	defer tmp.Discard()
	sum := sha256.New()
	counted := &contextWriter{ctx: ctx, w: io.MultiWriter(tmp, sum)}
	if err := write(counted); err != nil {
		return nil, writeProblem(to.path, err)
	}
	if err := ctx.Err(); err != nil { // a sieve that was stopped writes no more
		return nil, err
	}
	if err := tmp.Sync(); err != nil {
		return nil, writeProblem(to.path, err)
	}
	sha := hex.EncodeToString(sum.Sum(nil))
	if err := check(tmp.Name(), sha); err != nil {
		return nil, err
	}
	if err := errors.Join(tmp.Chmod(to.mode(final)), tmp.Place(final, to.force)); err != nil {
		return nil, writeProblem(to.path, err)
	}
	return &Written{Path: to.path, Bytes: counted.n, SHA256: sha}, nil
}

// mode is the permissions of a new file: the replaced file's, else the usual ones that the
// source has too; and the owner's usual ones.
func (to place) mode(final string) fs.FileMode {
	if st, err := os.Stat(final); err == nil {
		return st.Mode().Perm()
	}
	most := fs.FileMode(0o600)
	if st, err := os.Stat(to.like); err == nil && !st.IsDir() {
		most |= st.Mode().Perm()
	}
	return scratch.NewMode() & most
}

// FreePath returns the path to write a file at, or why it may not be written: for a
// link it is the file that the link names.
func FreePath(path string, force bool) (string, error) {
	st, err := os.Stat(path)
	if err != nil {
		if _, lerr := os.Lstat(path); lerr == nil { // a link that leads nowhere
			return "", &model.Problem{Code: "exists", What: fmt.Sprintf("%s exists already.", path),
				Why: "It is a link that leads nowhere.", Next: "Choose another name."}
		}
		return path, nil // writing will say what is wrong with the folder
	}
	switch {
	case st.IsDir():
		return "", &model.Problem{Code: "is-folder", What: fmt.Sprintf("%s is a folder.", path),
			Why: "A folder can't be replaced by a file.", Next: "Name a file in it."}
	case !st.Mode().IsRegular():
		return "", &model.Problem{Code: "not-a-file", What: fmt.Sprintf("%s is not a regular file.", path),
			Why: "A file is written whole and then takes its name, which would replace the device or pipe.", Next: "Choose another name."}
	case !force:
		return "", &model.Problem{Code: "exists", What: fmt.Sprintf("%s exists already.", path),
			Why: "Nothing is overwritten unasked.", Next: "Choose another name, or say --force."}
	}
	return filepath.EvalSymlinks(path)
}

func writeProblem(path string, err error) error {
	var p *model.Problem
	if errors.As(err, &p) || errors.Is(err, context.Canceled) {
		return err
	}
	why := err
	var pe *fs.PathError // its path is the temporary one
	var le *os.LinkError
	switch {
	case errors.As(err, &pe):
		why = pe.Err
	case errors.As(err, &le):
		why = le.Err
	}
	return &model.Problem{Code: "cannot-write", What: fmt.Sprintf("%s could not be written.", path),
		Why: "The system says: " + why.Error() + ".", Next: "Nothing was changed. Choose another place.", Err: err}
}

// ReplaceFile puts a text in the place of a file of another program and keeps the
// former one beside it, under a name that is free and for nobody who may not read the
// file; old nil: none is kept.
func ReplaceFile(ctx context.Context, path string, old, text []byte) (backup string, err error) {
	put := func(to place, text []byte) error {
		_, err := writeChecked(ctx, to, func(w io.Writer) error {
			_, err := w.Write(text)
			return err
		}, nothingToCheck)
		return err
	}
	if old != nil {
		for n := 1; ; n++ { // those of earlier changes stay
			backup = FormerName(path, n)
			if _, err := os.Lstat(backup); err != nil {
				break
			}
		}
		if err := put(place{path: backup, like: path}, old); err != nil {
			return "", err
		}
	}
	return backup, put(place{path: path, force: true}, text)
}

// FormerName is what [ReplaceFile] calls the former files of a path, the first being 1.
func FormerName(path string, n int) string {
	if n == 1 {
		return path + ".before-palimpsest"
	}
	return fmt.Sprintf("%s.before-palimpsest.%d", path, n)
}
