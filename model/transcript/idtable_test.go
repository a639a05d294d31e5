package transcript

import (
	"pgregory.net/rapid"
	"strconv"
	"testing"

	"palimpsest/model/transcript/internal/codec"
)

// A table of ids gives the numbers that a map would.
func TestIDTable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var table codec.IDTable
		known := map[string]int32{}
		for range rapid.IntRange(0, 300).Draw(t, "steps") {
			id := strconv.Itoa(rapid.IntRange(-1, 150).Draw(t, "id"))
			if id == "-1" {
				id = ""
			}
			want, ok := known[id]
			if !ok {
				want = -1
			}
			if got := table.FindBytes([]byte(id)); got != want {
				t.Fatalf("%q has number %d, want %d", id, got, want)
			}
			if rapid.Bool().Draw(t, "add") {
				n, fresh := table.FindOrAdd(id)
				if fresh == ok || ok && n != want {
					t.Fatalf("%q is new: %v, number %d, want %d", id, fresh, n, want)
				}
				known[id] = n
			}
		}
		for id, n := range known {
			if table.IDs[n] != id || table.FindBytes([]byte(id)) != n {
				t.Fatalf("number %d is %q and not %q", n, table.IDs[n], id)
			}
		}
	})
}
