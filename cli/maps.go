package cli

import (
	"errors"
	"fmt"
	"strings"

	"palimpsest/model"
	"palimpsest/model/store"
	"palimpsest/model/transcript"
)

type mapsCmd struct {
	JSON bool `name:"json" help:"Print JSON (docs/json.md)."`
}

func (c *mapsCmd) Run(a *app) error {
	list, err := a.fieldMaps()
	if err != nil {
		return err
	}
	if c.JSON {
		return a.printJSON(listed(list))
	}
	const none = "No field map is saved. Read a file as a field map in the window and save it."
	return printRows(a.out, none, "name\tfields", 0,
		values(list, func(m *store.FieldMap) string { return row(m.Name, m.Map) }))
}

// fieldMaps are the saved field maps.
func (a *app) fieldMaps() ([]store.FieldMap, error) {
	st, err := forList(a)
	if err != nil || st == nil {
		return nil, err
	}
	defer st.Close()
	return st.FieldMaps(a.ctx)
}

// reading is how the flags want a file to be read; a map that is named with @ is
// looked up.
func (a *app) reading(r readFlags) (transcript.Options, error) {
	name, named := strings.CutPrefix(r.Map, "@")
	if !named {
		return r.options()
	}
	st, err := a.ifThere()
	if err != nil {
		return transcript.Options{}, err
	}
	err = store.ErrNotFound
	if st != nil {
		defer st.Close()
		var m store.FieldMap
		if m, err = st.FieldMap(a.ctx, name); err == nil {
			r.Map = m.Map
			return r.options()
		}
	}
	if errors.Is(err, store.ErrNotFound) {
		return transcript.Options{}, &model.Problem{Code: "no-map", What: fmt.Sprintf("There is no field map %q.", name),
			Why: "None of that name is saved.", Next: "See the saved ones: palimpsest maps.", Err: err}
	}
	return transcript.Options{}, err
}
