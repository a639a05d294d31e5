package transcript

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// benchRead measures what opening a source costs, and with what memory.
func benchRead(b *testing.B, data []byte) {
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Read(context.Background(), "bench", bytes.NewReader(data), int64(len(data)), Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

func benchFile(b *testing.B, file string) {
	data, err := os.ReadFile(filepath.Join(sharedTranscripts(b), filepath.FromSlash(file)))
	if err != nil {
		b.Fatal(err)
	}
	benchRead(b, data)
}

func BenchmarkReadOpenAI(b *testing.B)      { benchFile(b, "openai_chat/adp_sweplay_large.json") }
func BenchmarkReadOpenAILines(b *testing.B) { benchFile(b, "openai_chat/swesmith_ft_xml.jsonl") }
func BenchmarkReadOpenAITools(b *testing.B) {
	benchFile(b, "openai_chat/adp_swegym_openhands_tools.json")
}
func BenchmarkReadAnthropic(b *testing.B) {
	benchFile(b, "anthropic_messages/derived_jessitron_agents_observe.json")
}

func BenchmarkReadSteps(b *testing.B) {
	var data []byte
	for i := range 2000 {
		data = fmt.Appendf(data, `{"step":%d,"analysis":"%0300d","execution":"%0300d","supervision":"%0100d"}`+"\n", i, i, i, i)
	}
	benchRead(b, data)
}

// BenchmarkParts measures reading every message of a large file back.
func BenchmarkParts(b *testing.B) {
	d := openSample(b, filepath.Join(sharedTranscripts(b), "openai_chat", "adp_sweplay_large.json"))
	b.SetBytes(d.Size)
	for b.Loop() {
		for _, c := range d.Conversations {
			th := c.Main()
			for i := range th.Messages {
				if _, err := d.Parts(&th.Messages[i]); err != nil {
					b.Fatal(err)
				}
			}
		}
	}
}
