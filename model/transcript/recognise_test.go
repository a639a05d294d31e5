package transcript

import (
	"bytes"
	"fmt"
	"testing"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/jspan"
)

// longChat is a chat of so many bytes, as an array and as lines.
func longChat(size int) (array, lines []byte) {
	var b bytes.Buffer
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, `{"role":"user","content":"Question %d: look at src/mod%d.py, please."}`+"\n", i, i)
		fmt.Fprintf(&b, `{"role":"assistant","content":null,"tool_calls":[{"id":"call_%d","type":"function","function":{"name":"read","arguments":"{\"path\":\"src/mod%d.py\"}"}}]}`+"\n", i, i)
		fmt.Fprintf(&b, `{"role":"tool","tool_call_id":"call_%d","content":"%s"}`+"\n", i, bytes.Repeat([]byte(`a line of code\n`), 80))
	}
	lines = bytes.TrimSpace(b.Bytes())
	return fmt.Appendf(nil, "[%s]", bytes.ReplaceAll(lines, []byte("\n"), []byte(",\n"))), lines
}

// Recognising a value looks at a sample of it, which does not grow with the value.
func TestASampleDoesNotGrow(t *testing.T) {
	size := func(n int) int {
		array, _ := longChat(n)
		v, err := jspan.Parse(array, 0)
		if err != nil {
			t.Fatal(err)
		}
		s := &codec.Sniff{Whole: v, Lines: []jspan.Value{v}}
		if got := guesses(s)[0].Format; got != model.FormatOpenAI {
			t.Errorf("%d bytes are taken for %s", n, got)
		}
		return s.Sample().Whole.Len()
	}
	if small, large := size(2<<20), size(20<<20); large > small*11/10 {
		t.Errorf("of 2 MB %d bytes are looked at, of 20 MB %d", small, large)
	}
}

// BenchmarkRecognise reads one chat as an array and as lines.
func BenchmarkRecognise(b *testing.B) {
	for _, mb := range []int{1, 21, 200} {
		array, lines := longChat(mb << 20)
		for name, text := range map[string][]byte{"array": array, "lines": lines} {
			b.Run(fmt.Sprintf("%s/%d", name, mb), func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					if _, err := Read(b.Context(), "x", bytes.NewReader(text), int64(len(text)), Options{}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
