package session

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"palimpsest/compaction"
	"palimpsest/internal/realdata"
	"palimpsest/internal/recount"
	"palimpsest/model"
	"palimpsest/model/transcript"
)

var moreFiles = flag.String("files", "", "a folder of more real files, which TestMoreFormatsAreProven tries too")

// withoutHistory are the files of the second set in which there is no message: an agent's
// file before its first one, and the log beside a database.
var withoutHistory = map[string]string{
	"letta/ezra.af":             "no-messages",
	"crush/rnwolf_crush.db-wal": "binary",
}

// onlyGuessed are files of the second set that hold no history, but cases of a test with
// messages in them.
var onlyGuessed = []string{"phoenix/ui_message_stream.json"}

// TestMoreFormatsAreProven does with the files of the second set, those of many producers,
// all that may be done with them, and counts what is in them without a reader.
func TestMoreFormatsAreProven(t *testing.T) {
	if testing.Short() {
		t.Skip("many real files, one after the other")
	}
	root := filepath.Join(realdata.Root(t), "..", "shared", "data", "formats2")
	if _, err := os.Stat(root); err != nil {
		t.Skip("the real files of ../shared/data/formats2 are not here")
	}
	rows := proveFolder(t, root, true)
	if *moreFiles != "" {
		rows = append(rows, proveFolder(t, *moreFiles, false)...)
	}
	for _, r := range rows {
		t.Log(r)
	}
}

// proveFolder proves every file in a folder, and returns a line for each. Of the known set
// it is known which files may be refused.
func proveFolder(t *testing.T, root string, known bool) (rows []string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || e.Name() == "MANIFEST.tsv" {
			return err
		}
		name, _ := filepath.Rel(root, path)
		name = filepath.ToSlash(name)
		t.Run(name, func(t *testing.T) {
			d, err := transcript.Open(context.Background(), path, transcript.Options{})
			var problem *model.Problem
			if errors.As(err, &problem) {
				if rows = append(rows, name+"\trefused\t"+problem.Code); known && withoutHistory[name] != problem.Code {
					t.Error(problem)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			f := NewFile(d, Options{})
			defer f.Close()
			if d.Unconfirmed {
				if rows = append(rows, name+"\tguessed"); known && !slices.Contains(onlyGuessed, name) {
					t.Error("it is only guessed")
				}
				return
			}
			said := recounted(t, d, path)
			p := prove(t, d, 2, []compaction.Preset{onlyTheLast(), dropping()})
			rows = append(rows, fmt.Sprintf("%s\t%s\t%s\t%d of %d reload, %d restored", name, d.Format, said, p.reloaded, p.applied, p.restored))
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// recounted compares what a reader found with what is counted without one.
func recounted(t *testing.T, d *model.Document, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want, ok, err := recount.Of(string(d.Format), path, text)
	if err != nil {
		t.Fatal(err)
	}
	var is recount.Counts
	for _, c := range d.Conversations {
		for _, th := range c.Threads {
			is.Messages += len(th.Messages)
			for i := range th.Messages {
				is.Calls += len(th.Messages[i].Calls)
				if th.Messages[i].Kind == model.KindResult {
					is.Results++
				}
			}
		}
	}
	said := fmt.Sprintf("%d messages, %d calls, %d results", is.Messages, is.Calls, is.Results)
	if !ok {
		return said + ", not counted again"
	}
	for what, n := range map[string][2]int{"messages": {is.Messages, want.Messages}, "calls": {is.Calls, want.Calls}, "results": {is.Results, want.Results}} {
		if n[1] != recount.Uncounted && n[0] != n[1] {
			t.Errorf("%d %s, and there are %d", n[0], what, n[1])
		}
	}
	return said
}
