package transcript

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/model"
)

// A Parquet table is refused, and the sentence names the command that converts it.
func TestParquetIsRefused(t *testing.T) {
	_, err := readBytes("chats.parquet", []byte("PAR1\x15\x04\x15\x10PAR1"))
	var p *model.Problem
	if !errors.As(err, &p) || p.Code != "parquet" {
		t.Fatalf("a Parquet table gives %v", err)
	}
	if want := `duckdb -c "COPY (FROM 'chats.parquet') TO 'chats.jsonl' (FORMAT json)"`; !strings.Contains(p.Next, want) {
		t.Errorf("%q does not name the command %s", p.Next, want)
	}
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
