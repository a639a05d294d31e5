package transcript

import (
	"fmt"
	"maps"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/edit"
)

// RewriteAll plans one export with the changes of several conversations, one
// thread of each. Each is planned as [Rewrite] does, without knowledge of the
// others; two threads of one conversation may hang on each other's records, so
// that is refused.
func RewriteAll(d *model.Document, changes ...*edit.Change) (*codec.Rewriting, error) {
	all := &codec.Rewriting{Edits: edit.NewEdits(d)}
	taken := map[int]bool{}
	for _, c := range changes {
		if taken[c.Conversation] {
			return nil, fmt.Errorf("rewrite: two changes of conversation %d", c.Conversation)
		}
		taken[c.Conversation] = true
		one, err := Rewrite(d, c)
		if err != nil {
			return nil, err
		}
		maps.Copy(all.Edits.Gone, one.Edits.Gone)
		maps.Copy(all.Edits.Replaces, one.Edits.Replaces)
		all.Edits.Inserts = append(all.Edits.Inserts, one.Edits.Inserts...)
		all.Relinked = append(all.Relinked, one.Relinked...)
	}
	return all, nil
}
