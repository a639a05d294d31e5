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
	Save   string `placeholder:"NAME=FIELDS" help:"${save}"`
	Delete string `placeholder:"NAME" help:"Forget the field map of this name."`
	JSON   bool   `name:"json" help:"Print JSON (docs/json.md)."`
}

func (c *mapsCmd) Run(a *app) error {
	if c.Save != "" || c.Delete != "" {
		if err := c.change(a); err != nil {
			return err
		}
	}
	list, err := a.fieldMaps()
	if err != nil {
		return err
	}
	if c.JSON {
		return a.printJSON(listed(list))
	}
	const none = "No field map is saved. Read a file as a field map in the window and save it, or use --save."
	return printRows(a.out, none, "name\tfields", 0,
		values(list, func(m *store.FieldMap) string { return row(m.Name, m.Map) }))
}

func (c *mapsCmd) change(a *app) error {
	var save *store.FieldMap
	if c.Save != "" {
		name, text, _ := strings.Cut(c.Save, "=")
		m, err := transcript.ParseMap(text)
		if err != nil {
			return err
		}
		save = &store.FieldMap{Name: strings.TrimSpace(name), Map: m.String()}
	}
	st, err := a.writable()
	if err != nil {
		return err
	}
	defer st.Close()
	if c.Delete != "" {
		if err := st.DeleteFieldMap(a.ctx, c.Delete); err != nil {
			return err
		}
	}
	if save != nil {
		return st.SaveFieldMap(a.ctx, *save)
	}
	return nil
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
