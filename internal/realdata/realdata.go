// Package realdata finds the real transcripts that are next to the project, for
// tests and for the command that measures tables for the documents. They are never
// carried in it: where they are absent a test reads made ones of the project, or is
// skipped with a sentence that says so.
package realdata

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// manifest lists the files with their counts; where it is, the set is.
const manifest = "MANIFEST.tsv"

// Root is the project's root: the folder with its go.mod above the package under test.
func Root(tb testing.TB) string {
	tb.Helper()
	root := Above()
	if root == "" {
		tb.Fatal("no go.mod of the project above the test")
	}
	return root
}

// Above is the folder of the project's go.mod, above the working folder; "" outside of it.
func Above() string {
	dir, err := os.Getwd()
	for err == nil {
		if text, err := os.ReadFile(filepath.Join(dir, "go.mod")); err == nil && strings.HasPrefix(string(text), "module palimpsest\n") {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			break
		}
		dir = up
	}
	return ""
}

// Transcripts is the folder of the real transcripts, with a folder in it for
// each format. The test is skipped when it is not there.
func Transcripts(tb testing.TB) string {
	tb.Helper()
	dir, here := Look(tb)
	if !here {
		tb.Skip("the real transcripts of ../shared/data are not here")
	}
	return dir
}

// Look is [Transcripts] for a test that has something to do without them.
func Look(tb testing.TB) (dir string, here bool) {
	tb.Helper()
	dir = filepath.Join(Root(tb), "..", "shared", "data", "transcripts")
	_, err := os.Stat(filepath.Join(dir, manifest))
	return dir, err == nil
}

// Sources are what a person would open of the given formats, of all without
// one: files, made ones where the real ones are not here, and folders that hold one conversation's events a file each.
// Files that only describe another are left out. With -short, as under the race
// detector, a test of all formats is skipped: it reads many files one after the other.
func Sources(tb testing.TB, formats ...string) []string {
	tb.Helper()
	return list(tb, formats, true)
}

// Files are the sources that are files.
func Files(tb testing.TB, formats ...string) []string {
	tb.Helper()
	return list(tb, formats, false)
}

func list(tb testing.TB, formats []string, folders bool) (out []string) {
	tb.Helper()
	if len(formats) == 0 && testing.Short() {
		tb.Skip("the real transcripts are not read with -short")
	}
	root, here := Look(tb)
	if !here {
		for _, r := range Manifest(tb, formats...) {
			out = append(out, r.Path)
		}
		return out
	}
	if len(formats) == 0 {
		formats = []string{"."}
	}
	for _, format := range formats {
		err := filepath.WalkDir(filepath.Join(root, format), func(path string, e fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case e.IsDir() && strings.HasPrefix(e.Name(), "sdk_events_"):
				if folders {
					out = append(out, path)
				}
				return filepath.SkipDir
			case e.IsDir(), e.Name() == manifest, strings.HasSuffix(path, ".meta.json"):
				return nil
			}
			out = append(out, path)
			return nil
		})
		if err != nil {
			tb.Fatal(err)
		}
	}
	return out
}

// Row is what the manifest says of a file.
type Row struct {
	Path            string // where the file is
	File            string // its name in the manifest, with slashes
	Format          string
	Messages, Calls int // native items and tool calls, sub-agents included
	Made            bool
}

// Manifest returns the rows of the given formats, all without one: of the real transcripts,
// and of made ones where these are not here.
func Manifest(tb testing.TB, formats ...string) (out []Row) {
	tb.Helper()
	dir, here := Look(tb)
	list := filepath.Join(dir, manifest)
	if !here {
		dir, list = Root(tb), filepath.Join(Root(tb), "internal", "realdata", "made.tsv")
	}
	text, err := os.ReadFile(list)
	if err != nil {
		tb.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		f := strings.Split(line, "\t")
		if len(f) < 7 || f[0] == "file" || len(formats) > 0 && !slices.Contains(formats, f[1]) {
			continue
		}
		r := Row{Path: filepath.Join(dir, filepath.FromSlash(f[0])), File: f[0], Format: f[1], Made: !here}
		if _, err := fmt.Sscan(f[5]+" "+f[6], &r.Messages, &r.Calls); err != nil {
			tb.Fatalf("%s of %s: %v", list, f[0], err)
		}
		out = append(out, r)
	}
	return out
}

// Sessions are the long real sessions, which are kept in archives: their files,
// unpacked. Names of archives without their extension choose among them; without one
// all are taken. The test is skipped when they are not there.
func Sessions(tb testing.TB, archives ...string) []string {
	tb.Helper()
	if testing.Short() {
		tb.Skip("the long real sessions are not read with -short")
	}
	out, err := SessionFiles(filepath.Join(Root(tb), "..", "shared", "data", "sessions"), archives...)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, exec.ErrNotFound) || err == nil && len(out) == 0 {
		tb.Skip("the long real sessions of ../shared/data are not here, or there is no tar")
	}
	if err != nil {
		tb.Fatal(err)
	}
	return out
}

// SessionFiles unpacks the archives of a folder into the folder of temporary files,
// once for each content, and lists the files in them, sorted.
func SessionFiles(folder string, archives ...string) (out []string, err error) {
	packed, err := filepath.Glob(filepath.Join(folder, "*.tar.xz"))
	if err != nil {
		return nil, err
	}
	for _, path := range packed {
		if len(archives) > 0 && !slices.Contains(archives, strings.TrimSuffix(filepath.Base(path), ".tar.xz")) {
			continue
		}
		dir, err := unpacked(path)
		if err != nil {
			return nil, err
		}
		err = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err == nil && !e.IsDir() {
				out = append(out, path)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	slices.Sort(out)
	return out, nil
}

// unpacked is the folder with what an archive holds. Several tests may unpack it
// at once: the first one that is done gives the folder its name.
func unpacked(archive string) (string, error) {
	f, err := os.Open(archive)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", err
	}
	dir := filepath.Join(os.TempDir(), fmt.Sprintf("palimpsest-sessions-%.12x", sum.Sum(nil)))
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	part, err := os.MkdirTemp(os.TempDir(), "palimpsest-unpacking-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(part)
	if said, err := exec.Command("tar", "-xJf", archive, "-C", part).CombinedOutput(); err != nil {
		return "", fmt.Errorf("unpack %s: %w: %s", archive, err, said)
	}
	renamed := os.Rename(part, dir)
	if _, err := os.Stat(dir); err != nil {
		return "", errors.Join(renamed, err)
	}
	return dir, nil
}
