package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"palimpsest/model"
	"palimpsest/model/store"
	"palimpsest/model/transcript"
)

type mapsCmd struct {
	Propose string `placeholder:"FILE" help:"${propose}"`
	Save    string `placeholder:"NAME[=FIELDS]" help:"${save}"`
	Delete  string `placeholder:"NAME" help:"Forget the field map of this name."`
	JSON    bool   `name:"json" help:"Print JSON (docs/json.md)."`
}

// namedMap is one entry of the JSON of maps.
type namedMap struct {
	Name string `json:"name"`
	Map  string `json:"map"`
}

// proposal is the JSON of maps --propose.
type proposal struct {
	Map      string         `json:"map"`
	Messages int            `json:"messages"`
	Chats    int            `json:"conversations"`
	First    []mappedFirst  `json:"first"`
	Lists    []proposedList `json:"lists"`
}

type mappedFirst struct {
	Role string `json:"role"`
	Text string `json:"text"`
}

type proposedList struct {
	Path   string   `json:"path"`
	Count  int      `json:"count"`
	Fields []string `json:"fields"`
}

// propose makes a map from the data of a file, and shows how the file begins by it.
func (c *mapsCmd) propose(a *app) error {
	b, err := a.stdin.content(c.Propose)
	if err != nil {
		return &model.Problem{Code: "cannot-read", What: fmt.Sprintf("%s can't be read.", c.Propose), Why: systemSays(err),
			Next: "Check the path.", Err: err}
	}
	look, err := transcript.Look(a.ctx, c.Propose, bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return err
	}
	if look.Map == nil {
		return &model.Problem{Code: "no-map", What: fmt.Sprintf("No field map can be proposed for %s.", c.Propose),
			Why:  "None of its lists has objects with something like a role and a text, or a question and an answer.",
			Next: "Write one: --map messages=$.log,role=who,text=body."}
	}
	d, err := transcript.Open(a.ctx, c.Propose, transcript.Options{Map: look.Map, Stdin: bytes.NewReader(b)})
	if err != nil {
		return err
	}
	if closer, ok := d.Source.(io.Closer); ok {
		defer closer.Close()
	}
	p := proposal{Map: look.Map.String(), Chats: len(d.Conversations)}
	for _, one := range d.Conversations {
		for _, m := range one.Main().Messages {
			if p.Messages++; len(p.First) < 8 {
				p.First = append(p.First, mappedFirst{m.Role.String(), m.Preview})
			}
		}
	}
	p.Lists = values(look.Lists, func(l *transcript.List) proposedList { return proposedList{l.Path, l.Len, l.Fields} })
	if c.Save != "" && !strings.Contains(c.Save, "=") {
		c.Save += "=" + p.Map
	}
	if c.JSON {
		return a.printJSON(p)
	}
	fmt.Fprintf(a.out, "%s\n\n", p.Map)
	rows := []string{"#\twho\ttext"}
	for i, m := range p.First {
		rows = append(rows, fmt.Sprintf("%d\t%s\t%s", i+1, m.Role, m.Text))
	}
	table(a.out, rows...)
	fmt.Fprintf(a.out, "\n%s in %s. Read it so with --map, or keep the map: palimpsest maps --propose FILE --save NAME.\n",
		plural(p.Messages, "message"), plural(p.Chats, "conversation"))
	return nil
}

func (c *mapsCmd) Run(a *app) error {
	if c.Propose != "" {
		if err := c.propose(a); err != nil {
			return err
		}
		if c.Save != "" {
			return c.change(a)
		}
		return nil
	}
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
		return a.printJSON(values(list, func(m *store.FieldMap) namedMap { return namedMap{m.Name, m.Map} }))
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
