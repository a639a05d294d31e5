package workload_test

import (
	"bytes"
	"context"
	"testing"

	"palimpsest/internal/lab/workload"
	"palimpsest/model"
	"palimpsest/model/transcript"
)

// A history is read as the program's own, without a damaged line, and is the
// same every time.
func TestHistories(t *testing.T) {
	for shape, format := range map[workload.Shape]model.Format{workload.ClaudeCode: model.FormatClaudeCode,
		workload.Codex: model.FormatCodex} {
		var a, b bytes.Buffer
		for _, w := range []*bytes.Buffer{&a, &b} {
			if err := workload.Write(w, shape, 3<<20); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(a.Bytes(), b.Bytes()) {
			t.Errorf("%s: two histories differ", shape)
		}
		d, err := transcript.Read(context.Background(), string(shape), bytes.NewReader(a.Bytes()), int64(a.Len()), transcript.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if n := len(d.Conversations[0].Main().History); d.Format != format || len(d.Damaged()) > 0 || n < 300 {
			t.Errorf("%s: read as %s with %d damaged lines and %d messages", shape, d.Format, len(d.Damaged()), n)
		}
	}
}
