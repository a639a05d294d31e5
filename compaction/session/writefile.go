package session

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"palimpsest/model"
	"palimpsest/model/transcript"
)

// Written is what an export wrote.
type Written struct {
	Path     string
	Bytes    int64
	SHA256   string
	Relinked []transcript.Relink // references of kept records that had to change
	Lost     transcript.Losses   // what a form other than the source's has no place for
	Redacted []Withheld          // what was found by a redacted export, let through or not
}

// WriteFile writes a file next to its final place and moves it there. An existing
// file is replaced only with force, and only if it is a regular one.
func WriteFile(ctx context.Context, path string, force bool, write func(io.Writer) error) (*Written, error) {
	return writeChecked(ctx, path, force, write, func(string, string) error { return nil })
}

// writeChecked is WriteFile with a check of the written file, given its hash,
// before it takes its name.
func writeChecked(ctx context.Context, path string, force bool, write func(io.Writer) error,
	check func(tmp, sha string) error) (*Written, error) {
	final, err := FreePath(path, force)
	if err != nil {
		return nil, err
	}
	tmp, err := createBeside(final)
	if err != nil {
		return nil, writeProblem(path, err)
	}
	defer os.Remove(tmp.Name())
	sum := sha256.New()
	counted := &contextWriter{ctx: ctx, w: io.MultiWriter(tmp, sum)}
	if err := write(counted); err != nil {
		tmp.Close()
		return nil, writeProblem(path, err)
	}
	if err := errors.Join(tmp.Sync(), tmp.Close()); err != nil {
		return nil, writeProblem(path, err)
	}
	sha := hex.EncodeToString(sum.Sum(nil))
	if err := check(tmp.Name(), sha); err != nil {
		return nil, err
	}
	if err := place(tmp.Name(), final, force); err != nil {
		return nil, writeProblem(path, err)
	}
	return &Written{Path: path, Bytes: counted.n, SHA256: sha}, nil
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

// createBeside makes an empty file of a new name in the folder of path, with
// the permissions a new file gets there.
func createBeside(path string) (*os.File, error) {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails, by its contract
	name := filepath.Join(filepath.Dir(path), fmt.Sprintf(".palimpsest-%x", b))
	return os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
}

// place renames the finished file to its name. Without force a hard link is used,
// which fails if somebody else took the name meanwhile. A file that is replaced
// hands on its permissions.
func place(tmp, path string, force bool) error {
	if st, err := os.Stat(path); err == nil {
		if err := os.Chmod(tmp, st.Mode().Perm()); err != nil {
			return err
		}
	}
	if !force {
		if err := os.Link(tmp, path); err == nil || errors.Is(err, fs.ErrExist) {
			return err
		} // else a file system without links
	}
	return os.Rename(tmp, path)
}

func writeProblem(path string, err error) error {
	var p *model.Problem
	if errors.As(err, &p) || errors.Is(err, context.Canceled) {
		return err
	}
	why := err
	var pe *fs.PathError // its path is the temporary one
	if errors.As(err, &pe) {
		why = pe.Err
	}
	return &model.Problem{Code: "cannot-write", What: fmt.Sprintf("%s could not be written.", path),
		Why: "The system says: " + why.Error() + ".", Next: "Nothing was changed. Choose another place.", Err: err}
}
