package session

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"palimpsest/model/transcript"
)

// smallSession is a history of ten exchanges with tool calls, in memory.
func smallSession(t *testing.T) *Session {
	t.Helper()
	var b bytes.Buffer
	b.WriteString(`{"model":"gpt-4o","messages":[{"role":"system","content":"You are careful."}`)
	for i := range 10 {
		fmt.Fprintf(&b, `,{"role":"user","content":"Look at file %d and say what it holds, in one sentence."}`, i)
		fmt.Fprintf(&b, `,{"role":"assistant","content":null,"tool_calls":[{"id":"c%d","type":"function","function":{"name":"read","arguments":"{\"path\":\"src/f%d.go\"}"}}]}`, i, i)
		fmt.Fprintf(&b, `,{"role":"tool","tool_call_id":"c%d","content":%q}`, i, strings.Repeat("package main // text\n", 60))
		fmt.Fprintf(&b, `,{"role":"assistant","content":"File %d repeats a package clause."}`, i)
	}
	b.WriteString("]}")
	d, err := transcript.Read(context.Background(), "small.json", bytes.NewReader(b.Bytes()), int64(b.Len()), transcript.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewFile(d, Options{}).Session(context.Background(), Ref{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
