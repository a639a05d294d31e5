package compaction

import (
	"bytes"
	"encoding/json"
	"errors"

	"palimpsest/model"
)

// ReadPreset reads a policy, or the JSON of a [Preset], which has a title of its own. A
// field that is not named is that of the default preset.
func ReadPreset(b []byte, title string) (model.Policy, error) {
	p := Default()
	var fields map[string]json.RawMessage
	err := json.Unmarshal(b, &fields)
	if inner, ok := fields["policy"]; ok && err == nil {
		if t, ok := fields["title"]; ok {
			err = json.Unmarshal(t, &title)
		}
		b, fields = inner, nil
		err = errors.Join(err, json.Unmarshal(b, &fields))
	}
	if err != nil {
		return p, err
	}
	p.Preset = title
	for _, x := range model.Params() {
		if _, named := fields[x.JSON]; named { // what is named is taken whole, not merged with the default's
			x.Copy(&p, new(model.Policy))
		}
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(&p); err != nil {
		return p, err
	}
	return p, p.Check()
}

// WritePreset is a policy as the JSON that [ReadPreset] reads, without what belongs to one
// history: context window, fixed part and pins.
func WritePreset(p model.Policy, title string) ([]byte, error) {
	p.Window, p.Fixed, p.Pins, p.Preset = 0, 0, nil, ""
	b, err := json.MarshalIndent(Preset{ID: title, Title: title, Policy: p}, "", "  ")
	return append(b, '\n'), err
}
