package session

import (
	"encoding/json"
	"reflect"
	"strings"

	"palimpsest/model"
)

// Overrides holds the parameters that an agent does not take from its caller: values
// by the names that the JSON of a policy has for them. When it is empty, everything is
// inherited. Context window, fixed part and pins belong to a thread and are
// never inherited; the context window and the fixed part are in it when they
// are not those of the history.
type Overrides map[string]json.RawMessage

// fieldName is what the JSON calls a field.
func fieldName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}

// Differences is what p sets otherwise than base, but for what belongs to the
// thread.
func Differences(base, p model.Policy) Overrides {
	own := Overrides{}
	theirs, ours := reflect.ValueOf(base), reflect.ValueOf(p)
	for i := range ours.NumField() {
		name, v := fieldName(ours.Type().Field(i)), ours.Field(i).Interface()
		if name == "preset" || name == "pins" || reflect.DeepEqual(v, theirs.Field(i).Interface()) {
			continue
		}
		if b, err := json.Marshal(v); err == nil { // a share that is no number would be refused by normalising, too
			own[name] = b
		}
	}
	return own
}

// Replaced is p with the parameters that differ between from and to as they are in to.
func Replaced(p, from, to model.Policy) model.Policy {
	now, a, b := reflect.ValueOf(&p).Elem(), reflect.ValueOf(from), reflect.ValueOf(to)
	for i := range now.NumField() {
		if !reflect.DeepEqual(a.Field(i).Interface(), b.Field(i).Interface()) {
			now.Field(i).Set(b.Field(i))
		}
	}
	return p
}

// Over is base with the values of o in the place of its own. A value that this
// program can't read is left out.
func (o Overrides) Over(base model.Policy) model.Policy {
	p := reflect.ValueOf(&base).Elem()
	for i := range p.NumField() {
		raw, ok := o[fieldName(p.Type().Field(i))]
		if !ok {
			continue
		}
		v := reflect.New(p.Field(i).Type())
		if json.Unmarshal(raw, v.Interface()) == nil {
			p.Field(i).Set(v.Elem())
		}
	}
	return base
}

// Inherited is the caller's policy as an agent takes it over: with the context
// window, the fixed part and the pins of its own thread.
func (a *Agent) Inherited(caller model.Policy) model.Policy {
	caller.Window, caller.Fixed, caller.Pins = a.ofHistory.Window, a.ofHistory.Fixed, a.Policy.Pins
	return caller
}

// Inherited is the caller's policy as the session takes it over: the context
// window and the fixed part of its history, its own pins.
func (s *Session) Inherited(caller model.Policy) model.Policy {
	caller.Window, caller.Fixed, caller.Pins = 0, 0, s.Policy().Pins
	return s.adopt(caller)
}
