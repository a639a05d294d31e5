package transcript

import (
	"maps"

	"palimpsest/model"
)

// RewriteAll plans one export with the changes of several threads. Each is
// planned as [Rewrite] does, without knowledge of the others; the threads must
// be of different conversations, or have no message in common.
func RewriteAll(d *model.Document, changes ...*Change) (*Rewriting, error) {
	all := &Rewriting{Edits: NewEdits(d)}
	for _, c := range changes {
		one, err := Rewrite(d, c)
		if err != nil {
			return nil, err
		}
		maps.Copy(all.Edits.drop, one.Edits.drop)
		maps.Copy(all.Edits.replaces, one.Edits.replaces)
		all.Edits.inserts = append(all.Edits.inserts, one.Edits.inserts...)
		all.Relinked = append(all.Relinked, one.Relinked...)
	}
	return all, nil
}
