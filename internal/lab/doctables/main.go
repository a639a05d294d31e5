// Command doctables measures on the real sessions of ../shared/data what the
// documents say of replays and sweeps: scripts/lab.sh doctables, in the folder of
// the module. With -write it replaces the tables between their marks in
// docs/lookalikes.md and docs/tokens.md.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"palimpsest/compaction/session"
	"palimpsest/model"
	"palimpsest/model/transcript"
)

func main() {
	data := flag.String("data", filepath.Join("..", "shared", "data", "transcripts"), "folder of the sessions")
	write := flag.Bool("write", false, "write the tables into the documents")
	only := flag.String("only", "", "recorded or usage; empty: both")
	flag.Parse()
	if err := run(context.Background(), *data, *only, *write); err != nil {
		fmt.Fprintln(os.Stderr, "doctables:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, data, only string, write bool) error {
	for _, t := range []struct {
		name, doc string
		make      func(context.Context, string) (string, error)
	}{{"recorded", "lookalikes.md", lookAlikes}, {"usage", "tokens.md", usage}} {
		if only != "" && only != t.name {
			continue
		}
		table, err := t.make(ctx, data)
		if err != nil {
			return err
		}
		fmt.Println(table)
		if !write {
			continue
		}
		if err := replaceTable(filepath.Join("docs", t.doc), t.name, table); err != nil {
			return err
		}
	}
	return nil
}

// replaceTable replaces what is between the marks of a table in a document.
func replaceTable(path, name, table string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	before, rest, found := strings.Cut(string(text), "<!-- "+name+" -->\n")
	_, after, ended := strings.Cut(rest, "<!-- end of "+name+" -->")
	if !found || !ended {
		return fmt.Errorf("%s has no marks of %q", path, name)
	}
	return os.WriteFile(path, []byte(before+"<!-- "+name+" -->\n"+table+"<!-- end of "+name+" -->"+after), 0o644)
}

// thread is one thread of a session.
type thread struct {
	name string // of the file, as the tables show it
	*session.Session
}

// threads opens those threads under a folder that are wanted; each that is handed
// out keeps its file open. What can't be read is left out: the folder holds damaged
// files too.
func threads(ctx context.Context, root string, wanted func(*model.Thread) bool) ([]thread, error) {
	var out []thread
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		f, err := session.Open(ctx, path, session.Options{}, transcript.Options{})
		if err != nil {
			return ctx.Err()
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return errors.Join(err, f.Close())
		}
		if name == "." { // a single file
			name = filepath.Base(path)
		}
		kept := false
		for c, conversation := range f.Doc.Conversations {
			for t, th := range conversation.Threads {
				if !wanted(th) {
					continue
				}
				s, err := f.Session(ctx, session.Ref{Conversation: c, Thread: t}, nil)
				if err != nil {
					return err
				}
				called := filepath.ToSlash(name)
				if len(f.Doc.Conversations) > 1 || len(conversation.Threads) > 1 {
					called += fmt.Sprintf(" %d.%d", c+1, t+1)
				}
				out, kept = append(out, thread{called, s}), true
			}
		}
		if !kept {
			return f.Close()
		}
		return ctx.Err()
	})
	return out, err
}
