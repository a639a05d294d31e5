package source

import (
	"bytes"
	"context"
	"database/sql"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/klauspost/compress/zstd"
	"github.com/mattn/go-sqlite3"

	"palimpsest/model"
	"palimpsest/model/scratch"
)

//go:embed databases.json
var databaseRules []byte

// tool is a program that keeps its histories in a database: the tables and columns
// it is known by, and the question whose answers are the lines of a history.
type tool struct {
	Name string
	Has  map[string][]string
	SQL  string
}

// readDriver is SQLite with what is needed to read packed columns.
const readDriver = "palimpsest-read"

// mostText is how long the lines of a database may be together, and so each text that it
// gives or makes, in bytes. Those of a small one are no longer than a log of its size.
const mostText = 8 * leastText

var register = sync.OnceValues(func() ([]tool, error) {
	sql.Register(readDriver, &sqlite3.SQLiteDriver{ConnectHook: func(c *sqlite3.SQLiteConn) error {
		c.SetLimit(sqlite3.SQLITE_LIMIT_LENGTH, mostText)
		return c.RegisterFunc("unzstd", unzstd, true)
	}})
	var tools []tool
	return tools, json.Unmarshal(databaseRules, &tools)
})

func unzstd(b []byte) (string, error) {
	r, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(uint64(budget(int64(len(b))))))
	if err != nil {
		return "", err
	}
	defer r.Close()
	out, err := r.DecodeAll(b, nil)
	return string(out), err
}

func isDatabase(head []byte) bool { return bytes.HasPrefix(head, []byte("SQLite format 3\x00")) }

// database reads an SQLite database: a copy of it, together with the changes in its
// write-ahead log.
func database(s *state) (*Text, error) {
	if !isDatabase(s.head) {
		return nil, nil
	}
	dir, err := scratch.Dir()
	if err != nil {
		return nil, fmt.Errorf("make a temporary folder: %w", err)
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "copy.db")
	if err := copyTo(name, s.all()); err != nil {
		return nil, err
	}
	t := &Text{Packed: &model.Packed{Kind: "SQLite", Why: "A database of a tool is read, and not written."}}
	logged := false
	if s.outer && s.path != "" {
		if wal, err := os.Open(s.path + "-wal"); err == nil {
			err = copyTo(name+"-wal", wal)
			wal.Close()
			if err != nil {
				return nil, err
			}
			st, _ := os.Stat(name + "-wal")
			logged = st != nil && st.Size() > 0
		}
	}
	if t.Bytes, err = rows(s, name, logged); err != nil {
		return nil, err
	}
	if logged {
		b, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		t.Source, t.Size = bytes.NewReader(b), int64(len(b))
		t.Notes = append(t.Notes, model.Note{Code: "write-ahead-log",
			Reason: "changes of the database are in its -wal file; they are read, and a copy is one database that holds them"})
	}
	return t, nil
}

func copyTo(path string, r io.Reader) error {
	w, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(w, r)
	return errors.Join(err, w.Close())
}

// rows asks the database at name for the lines of its histories. Its log is worked in
// before.
func rows(s *state, name string, logged bool) (lines []byte, err error) {
	refused := func(err error) error {
		return &model.Problem{Code: "binary", What: fmt.Sprintf("%s could not be read.", s.path),
			Why: "It is an SQLite database: " + err.Error() + ".", Err: err,
			Next: "Close the tool that writes it, and try again, or have it write the session as text, as opencode export does."}
	}
	tools, err := register()
	if err != nil {
		return nil, err
	}
	db, err := sql.Open(readDriver, "file:"+(&url.URL{Path: filepath.ToSlash(name)}).EscapedPath()+"?_journal_mode=DELETE&_query_only=0")
	if err != nil {
		return nil, refused(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	if logged {
		if _, err := db.ExecContext(s.ctx, "PRAGMA wal_checkpoint(TRUNCATE)"); err != nil {
			return nil, refused(err)
		}
	}
	tables, err := columns(s.ctx, db)
	if err != nil {
		return nil, refused(err)
	}
	size := s.file
	if st, err := os.Stat(name); err == nil { // with its log worked in
		size = max(size, st.Size())
	}
	most := int(min(mostText, budget(size)))
	var found []string
	for _, t := range tools {
		if !t.in(tables) {
			continue
		}
		found = append(found, t.Name)
		if lines, err = ask(s.ctx, db, t.SQL, lines, most); err != nil {
			return nil, refused(fmt.Errorf("its %s history: %w", t.Name, err))
		}
	}
	if len(lines) == 0 {
		p := &model.Problem{Code: "no-history", What: fmt.Sprintf("%s is a database without a history.", s.path),
			Why:  "It has none of the tables in which a tool that we know keeps its messages.",
			Next: "See the list of formats: Help → Formats, or the verb formats."}
		if len(found) > 0 {
			p.Why = fmt.Sprintf("It has the tables of %s, and no message in them.", found[0])
		}
		return nil, p
	}
	return lines, nil
}

// columns are those of the tables that hold what they show: no views, no tables of a module,
// no columns that are computed.
func columns(ctx context.Context, db *sql.DB) (map[string][]string, error) {
	q, err := db.QueryContext(ctx, "SELECT t.name, c.name, c.hidden FROM pragma_table_list t, pragma_table_xinfo(t.name) c "+
		"WHERE t.type = 'table' AND t.schema = 'main'")
	if err != nil {
		return nil, err
	}
	defer q.Close()
	out, computed := map[string][]string{}, []string{}
	for q.Next() {
		var table, column string
		var hidden int
		if err := q.Scan(&table, &column, &hidden); err != nil {
			return nil, err
		}
		if hidden == 0 {
			out[table] = append(out[table], column)
		} else {
			computed = append(computed, table)
		}
	}
	for _, table := range computed {
		delete(out, table)
	}
	return out, q.Err()
}

func (t tool) in(tables map[string][]string) bool {
	for table, want := range t.Has {
		for _, column := range want {
			if !slices.Contains(tables[table], column) {
				return false
			}
		}
	}
	return true
}

// ask appends the answers to a question, one a line.
func ask(ctx context.Context, db *sql.DB, question string, lines []byte, most int) ([]byte, error) {
	q, err := db.QueryContext(ctx, question)
	if err != nil {
		return lines, err
	}
	defer q.Close()
	for q.Next() {
		var line string
		if err := q.Scan(&line); err != nil {
			return lines, err
		}
		if len(lines)+len(line) > most {
			return lines, errors.New("its histories are longer than what is read at once")
		}
		lines = append(append(lines, strings.ReplaceAll(line, "\n", " ")...), '\n') // a line end in JSON is white space
	}
	return lines, q.Err()
}
