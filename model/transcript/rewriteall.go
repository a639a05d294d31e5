package transcript

import (
	"fmt"
	"maps"

	"palimpsest/model"
)

// RewriteAll plans one export with the changes of several conversations, one
// thread of each. Each is planned as [Rewrite] does, without knowledge of the
// others; two threads of one conversation may hang on each other's records, so
// that is refused.
func RewriteAll(d *model.Document, changes ...*Change) (*Rewriting, error) {
	all := &Rewriting{Edits: NewEdits(d)}
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
		maps.Copy(all.Edits.replaces, one.Edits.replaces)
		all.Edits.inserts = append(all.Edits.inserts, one.Edits.inserts...)
		all.Relinked = append(all.Relinked, one.Relinked...)
	}
	return all, nil
}
