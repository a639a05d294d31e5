package codec

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// Each record comes in its order, whatever is between records.
func TestRecordsComeInOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, size := range []int{100, batchBytes / 2, 20 * batchBytes} {
		var b bytes.Buffer
		var want []string
		record := func() {
			text := fmt.Sprintf(`{"n":%d,"text":%q}`, len(want), strings.Repeat("x", random.IntN(3000)))
			want = append(want, text)
			b.WriteString(text)
		}
		for b.Len() < size {
			switch random.IntN(12) {
			case 0:
				b.WriteString(strings.Repeat("\n", random.IntN(4)))
			case 1:
				b.WriteString("no record")
			case 2:
				b.WriteString(`{"cut":`)
			case 3:
				record()
				b.WriteString(" ")
				record()
				record()
			case 4:
				b.WriteString("[1]")
			default:
				record()
			}
			b.WriteString("\n")
		}
		d := &model.Document{Source: bytes.NewReader(b.Bytes()), Size: int64(b.Len())}
		n := 0
		err := (&Builder{Doc: d}).Lines(context.Background(), func(v jspan.Value) error {
			if n >= len(want) || string(v.Raw()) != want[n] {
				return fmt.Errorf("record %d of %d is %.40s", n, len(want), v.Raw())
			}
			n++
			return nil
		})
		if err != nil || n != len(want) {
			t.Errorf("%d bytes: %d of %d records: %v", size, n, len(want), err)
		}
	}
}
