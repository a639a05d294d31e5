package transcript

import (
	"fmt"
	"strings"
	"testing"

	"palimpsest/model"
)

// A record may hold many messages, wherever it comes among others.
func TestClaudeCodeRecordOfManyResults(t *testing.T) {
	for _, before := range []int{0, 1, 40, 63, 64, 65} {
		var b strings.Builder
		parent := "null"
		record := func(kind, content string) {
			uuid := fmt.Sprintf(`"u%d"`, strings.Count(b.String(), "\n"))
			fmt.Fprintf(&b, `{"type":%q,"sessionId":"s","uuid":%s,"parentUuid":%s,"message":{"role":%q,"content":%s}}`+"\n", kind, uuid, parent, kind, content)
			parent = uuid
		}
		record("user", `"go"`)
		for range before {
			record("assistant", `[{"type":"text","text":"so"}]`)
		}
		var calls, results []string
		for i := range 200 {
			calls = append(calls, fmt.Sprintf(`{"type":"tool_use","id":"c%d","name":"Bash","input":{}}`, i))
			results = append(results, fmt.Sprintf(`{"type":"tool_result","tool_use_id":"c%d","content":"result %d"}`, i, i))
		}
		record("assistant", "["+strings.Join(calls, ",")+"]")
		record("user", "["+strings.Join(results, ",")+"]")
		record("assistant", `[{"type":"text","text":"done"}]`)
		d, err := readBytes("a.jsonl", []byte(b.String()))
		if err != nil {
			t.Fatal(err)
		}
		th := d.Conversations[0].Main()
		if n := len(th.Messages); n != before+203 {
			t.Fatalf("%d before: %d messages", before, n)
		}
		for i := range 200 {
			m := th.Messages[before+2+i]
			if m.Kind != model.KindResult || m.Answers != fmt.Sprintf("c%d", i) || m.Preview != fmt.Sprintf("result %d", i) || len(m.Pieces) != 1 {
				t.Fatalf("%d before: result %d is %+v", before, i, m)
			}
		}
	}
}
