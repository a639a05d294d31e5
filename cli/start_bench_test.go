package cli

import (
	"bytes"
	"context"
	"testing"
)

func BenchmarkVersion(b *testing.B) {
	for range b.N {
		var o bytes.Buffer
		Run(context.Background(), []string{"--version"}, &o, &o, Doors{})
	}
}
func BenchmarkGrammar(b *testing.B) {
	for range b.N {
		grammarFor(nil)
	}
}
func BenchmarkInspect(b *testing.B) {
	for range b.N {
		var o bytes.Buffer
		Run(context.Background(), []string{"inspect", "--db", b.TempDir() + "/x.db", "../assets/samples/lab-notebook.jsonl"}, &o, &o, Doors{})
	}
}
