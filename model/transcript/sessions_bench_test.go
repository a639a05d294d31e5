package transcript

import (
	"bytes"
	"context"
	"path/filepath"
	"testing"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/jspan"
)

var benchFiles = map[string]string{
	"claude-code": "claude_code/entire_cli_b8e923_2compacts_summaries.jsonl",
	"codex":       "codex_rollout/agentv_f4771e_2compacted.jsonl",
}

// BenchmarkSessionOpen reads the largest real files; lines alone is the share of
// finding and validating records.
func BenchmarkSessionOpen(b *testing.B) {
	for name, file := range benchFiles {
		d := openSample(b, filepath.Join(sharedTranscripts(b), file))
		src := sourceBytes(b, d)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := readBytes(file, src); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(name+"/lines", func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			for b.Loop() {
				r := &codec.Builder{Doc: lineless(src)}
				if err := r.Lines(context.Background(), func(jspan.Value) error { return nil }); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// lineless is a document of which nothing has been read.
func lineless(src []byte) *model.Document {
	return &model.Document{Source: bytes.NewReader(src), Size: int64(len(src))}
}

// BenchmarkSessionRewrite drops half of the live view and writes the result.
func BenchmarkSessionRewrite(b *testing.B) {
	for name, file := range benchFiles {
		d := openSample(b, filepath.Join(sharedTranscripts(b), file))
		th := d.Conversations[0].Main()
		live := th.Live(len(th.History))
		cuts := legalCuts(th, live, 0)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(d.Size)
			for b.Loop() {
				var out bytes.Buffer
				if err := mustRewrite(b, d, live, 0, cuts[len(cuts)/2]).Edits.Write(&out); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkSessionParts decodes every message.
func BenchmarkSessionParts(b *testing.B) {
	for name, file := range benchFiles {
		d := openSample(b, filepath.Join(sharedTranscripts(b), file))
		b.Run(name, func(b *testing.B) {
			b.SetBytes(d.Size)
			for b.Loop() {
				for _, th := range d.Conversations[0].Threads {
					for i := range th.Messages {
						if _, err := d.Parts(&th.Messages[i]); err != nil {
							b.Fatal(err)
						}
					}
				}
			}
		})
	}
}
