package transcript

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// A large array of conversations is read as a small one is, and not kept while its
// elements are.
func TestLargeArrays(t *testing.T) {
	type m = map[string]any
	forms := map[string]func(n int, question, answer string) m{
		"messages": func(n int, q, a string) m {
			return m{"messages": []m{{"role": "user", "content": q}, {"role": "assistant", "content": a}}}
		},
		"answers alone": func(n int, q, a string) m {
			if n%2 == 0 {
				return m{"messages": []m{{"role": "user", "content": q}, {"role": "user", "content": a}}}
			}
			return m{"id": "r", "object": "chat.completion", "choices": []m{{"index": 0, "finish_reason": "stop",
				"message": m{"role": "assistant", "content": q + a}}}}
		},
		"sharegpt": func(n int, q, a string) m {
			return m{"id": n, "conversations": []m{{"from": "human", "value": q}, {"from": "gpt", "value": a}}}
		},
		"chatgpt": func(n int, q, a string) m {
			node := func(role, text, parent string, kids ...string) m {
				return m{"id": role, "parent": parent, "children": kids,
					"message": m{"id": role, "author": m{"role": role}, "content": m{"content_type": "text", "parts": []string{text}}}}
			}
			return m{"id": fmt.Sprint(n), "title": fmt.Sprint("title ", n), "current_node": "assistant",
				"mapping": m{"user": node("user", q, "", "assistant"), "assistant": node("assistant", a, "user")}}
		},
	}
	const each = 40
	for name, form := range forms {
		if testing.Short() && name != "messages" {
			continue // what runs at the same time is the same in each
		}
		t.Run(name, func(t *testing.T) {
			file := func(words int) []byte {
				var list []m
				for i := range each {
					list = append(list, form(i, fmt.Sprintf("question %d ", i)+strings.Repeat("q", words), fmt.Sprintf("answer %d ", i)+strings.Repeat("a", words)))
				}
				b, err := json.Marshal(list)
				if err != nil {
					t.Fatal(err)
				}
				return b
			}
			small, large := file(100), file(430_000)
			if len(large) < 34_000_000 {
				t.Fatal(len(large))
			}
			path := filepath.Join(t.TempDir(), "large.json")
			if err := os.WriteFile(path, large, 0o600); err != nil {
				t.Fatal(err)
			}
			size := len(large)
			large = nil
			want := mustRead(t, string(small))
			heap := func() uint64 {
				var of runtime.MemStats
				runtime.GC()
				runtime.GC() // what the encoder keeps for its next call goes with the second
				runtime.ReadMemStats(&of)
				return of.HeapAlloc
			}
			before, inUse := heap(), uint64(0) // what other tests keep is not the reader's
			got, err := Open(context.Background(), path, Options{Progress: func(done, total int64) {
				if inUse == 0 && done > total*9/10 {
					inUse = max(heap(), before+1) - before
				}
			}})
			if err != nil {
				t.Fatal(err)
			}
			defer got.Source.(io.Closer).Close()
			if inUse == 0 || inUse > uint64(size)/2 {
				t.Errorf("%d MB were in use at the end of %d MB", inUse>>20, size>>20)
			}
			checkDocument(t, got)
			if count(got) != count(want) || len(got.Conversations) < each/2 || len(got.Segments) != len(want.Segments) ||
				len(got.Arrays) != len(want.Arrays) || len(got.Notes) != len(want.Notes) {
				t.Fatalf("%v, %d segments, %d arrays, %d notes; of a small file %v, %d, %d and %d", count(got), len(got.Segments),
					len(got.Arrays), len(got.Notes), count(want), len(want.Segments), len(want.Arrays), len(want.Notes))
			}
			for i, c := range got.Conversations {
				for k := range c.Threads[0].Messages {
					a := messageText(t, got, &c.Threads[0].Messages[k])
					b := messageText(t, want, &want.Conversations[i].Threads[0].Messages[k])
					if a[:60] != b[:60] || len(a) < 430_000 {
						t.Errorf("message %d of conversation %d is %.20q, in a small file %.20q", k, i, a, b)
					}
				}
			}
		})
	}
}
