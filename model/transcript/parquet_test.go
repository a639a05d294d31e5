package transcript

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/model"
)

// parquetRow is a row of the tables in testdata/parquet, which another program wrote: nine
// rows with lists in lists, a map, times, and values that are not there. Their codecs are
// those of their names; none has pages of the second version in small pieces, zstd three
// groups of rows.
func parquetRow(i int) string {
	messages, scores, meta, rate := "", "", "", "null"
	if i != 4 {
		messages = fmt.Sprintf(`{"role":"user","content":"question %[1]d","tool_calls":[],"tool_call_id":null},`+
			`{"role":"assistant","content":null,"tool_calls":[{"id":"t%[1]d","type":"function","function":{"name":"ls","arguments":"{\"path\":\".\"}"}}],"tool_call_id":null},`+
			`{"role":"tool","content":"a.go","tool_calls":[],"tool_call_id":"t%[1]d"},{"role":"assistant","content":"answer %[1]d","tool_calls":[],"tool_call_id":null}`, i)
	}
	if i%3 > 0 {
		scores, meta, rate = fmt.Sprintf("1.5,%d", i), `"lang":"en"`, fmt.Sprint(float32(i)/2)
	}
	return fmt.Sprintf(`{"n":%d,"title":"chat number %d","kind":"kind-%d","messages":[%s],"scores":[%s],"meta":{%s},"created":"2023-11-14T22:13:%02dZ","good":%v,"rate":%s,"picture":null}`+"\n",
		i*i, i, i/3, messages, scores, meta, 20+i, i%2 == 0, rate)
}

// The rows of a table are lines of JSON, whatever the table's spelling; those that hold
// messages are conversations.
func TestParquetRows(t *testing.T) {
	var want strings.Builder
	for i := range 9 {
		want.WriteString(parquetRow(i))
	}
	files, err := filepath.Glob("testdata/parquet/*.parquet")
	if err != nil || len(files) != 5 {
		t.Fatalf("%v, %v", files, err)
	}
	for _, path := range files {
		d, err := Open(context.Background(), path, Options{})
		if err != nil {
			t.Error(err)
			continue
		}
		text := make([]byte, d.Size)
		if _, err := d.Source.ReadAt(text, 0); err != nil && string(text) != want.String() {
			t.Error(err)
		}
		if string(text) != want.String() {
			t.Errorf("%s reads\n%s\nand not\n%s", path, text, want.String())
		}
		messages, calls := 0, 0
		for _, c := range d.Conversations {
			for _, m := range c.Main().Messages {
				messages, calls = messages+1, calls+len(m.Calls)
			}
		}
		if d.Format != model.FormatOpenAI || messages != 32 || calls != 8 {
			t.Errorf("%s: %s with %d messages, %d calls", path, d.Format, messages, calls)
		}
		file, err := os.ReadFile(path)
		var copied bytes.Buffer
		if err := errors.Join(err, Copy(&copied, d)); err != nil || !bytes.Equal(copied.Bytes(), file) {
			t.Errorf("%s: a copy is not the file: %v", path, err)
		}
	}
}

// A table that is cut or changed is read, or refused in a sentence, and never takes more
// than its size allows.
func TestDamagedParquet(t *testing.T) {
	files, _ := filepath.Glob("testdata/parquet/*.parquet")
	r := rand.New(rand.NewPCG(1, 2))
	refused := 0
	for _, path := range files {
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for range 400 {
			b := bytes.Clone(whole)
			if r.IntN(4) == 0 {
				b = append(b[:r.IntN(len(b))], b[len(b)-r.IntN(60):]...)
			}
			for range 1 + r.IntN(3) {
				if len(b) > 4 {
					b[4+r.IntN(len(b)-4)] = byte(r.UintN(256))
				}
			}
			_, err := readBytes("damaged", b)
			var p *model.Problem
			if err != nil && !errors.As(err, &p) {
				t.Fatalf("%s: %v", path, err)
			}
			if err != nil {
				refused++
			}
		}
	}
	if refused < 100 {
		t.Errorf("only %d of 2000 are refused", refused)
	}
}

func FuzzParquet(f *testing.F) {
	files, _ := filepath.Glob("testdata/parquet/*.parquet")
	for _, path := range files {
		if b, err := os.ReadFile(path); err == nil {
			f.Add(b)
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		_, _ = readBytes("fuzz", append([]byte("PAR1"), b...))
	})
}

// The databases of agents' frameworks are read session by session.
func TestDatabasesOfFrameworks(t *testing.T) {
	for name, c := range map[string]struct {
		format          model.Format
		make            []string
		chats, messages int
	}{
		"OpenAI Agents SDK": {model.FormatResponses, []string{
			"CREATE TABLE agent_messages (id INTEGER PRIMARY KEY, session_id TEXT, message_data TEXT, created_at TEXT)",
			`INSERT INTO agent_messages VALUES (1, 'a', '{"role":"user","content":"question"}', ''), (3, 'b', '{"role":"user","content":"other"}', ''),
			(2, 'a', '{"type":"function_call","call_id":"t","name":"ls","arguments":"{}"}', ''), (4, 'a', '{"type":"function_call_output","call_id":"t","output":"a.go"}', ''),
			(5, 'a', '{"type":"message","role":"assistant","content":[{"type":"output_text","text":"answer"}]}', ''), (6, 'b', '{"type":"message","role":"assistant","content":[{"type":"output_text","text":"answer"}]}', '')`}, 2, 6},
		"CrewAI": {"crewai", []string{
			"CREATE TABLE latest_kickoff_task_outputs (task_id TEXT PRIMARY KEY, expected_output TEXT, output JSON, task_index INTEGER, inputs JSON)",
			`INSERT INTO latest_kickoff_task_outputs VALUES ('2', 'x', '{"description":"then","raw":"done","agent":"writer"}', 1, '{}'), ('1', 'x', '{"description":"first","raw":"found","agent":"reader"}', 0, '{}')`}, 1, 4},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "x.db")
			db, err := sql.Open("sqlite3", path)
			if err != nil {
				t.Fatal(err)
			}
			for _, q := range c.make {
				if _, err := db.Exec(q); err != nil {
					t.Fatal(err)
				}
			}
			db.Close()
			d, err := Open(context.Background(), path, Options{})
			if err != nil {
				t.Fatal(err)
			}
			messages := 0
			for _, one := range d.Conversations {
				messages += len(one.Main().Messages)
			}
			if d.Format != c.format || len(d.Conversations) != c.chats || messages != c.messages {
				t.Errorf("%s with %d conversations, %d messages", d.Format, len(d.Conversations), messages)
			}
		})
	}
}
