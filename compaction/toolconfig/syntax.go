package toolconfig

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/tailscale/hujson"

	"palimpsest/model/pattern"
)

// syntax reads and patches one kind of configuration file.
type syntax interface {
	parse(text []byte) (config, error)
	patch(old []byte, list []setting) ([]byte, error)
}

// keepingEnds changes a text whose lines all end with CR and LF as if they ended with LF
// alone, so that the new ones end as the others do.
func keepingEnds(old []byte, change func([]byte) ([]byte, error)) ([]byte, error) {
	lf, crlf := []byte("\n"), []byte("\r\n")
	if n := bytes.Count(old, crlf); n == 0 || n != bytes.Count(old, lf) {
		return change(old)
	}
	out, err := change(bytes.ReplaceAll(old, crlf, lf))
	return bytes.ReplaceAll(out, lf, crlf), err
}

// tree is a config over decoded maps.
func tree(root map[string]any) config {
	return func(path ...string) (any, bool) {
		var v any = root
		for _, key := range path {
			m, ok := v.(map[string]any)
			if !ok {
				return nil, false
			}
			if v, ok = m[key]; !ok {
				return nil, false
			}
		}
		return v, true
	}
}

var byteOrderMark = []byte("\ufeff")

// jsonc is JSON that may have comments and trailing commas.
type jsonc struct{}

func (jsonc) parse(text []byte) (config, error) {
	root := map[string]any{}
	err := unmarshal(text, &root)
	return tree(root), err
}

// unmarshal decodes JSON that may have comments; an empty text is nothing.
func unmarshal(text []byte, v any) error {
	if len(bytes.TrimSpace(text)) == 0 {
		return nil
	}
	b, err := hujson.Standardize(bytes.Clone(bytes.TrimPrefix(text, byteOrderMark))) // it works in place
	if err != nil {
		return err
	}
	return json.Unmarshal(b, v)
}

func (jsonc) patch(old []byte, list []setting) ([]byte, error) {
	root, err := parsed(old)
	if err != nil {
		return nil, err
	}
	for _, s := range list {
		if err := setMember(&root, s.Path, s.Value, 1); err != nil {
			return nil, err
		}
	}
	return root.Pack(), nil
}

// parsed is a text with its comments; an empty one is an object without members.
func parsed(text []byte) (hujson.Value, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		text = []byte("{\n}\n")
	}
	return hujson.Parse(bytes.TrimPrefix(text, byteOrderMark))
}

// setMember sets a member of nested objects; objects that are missing are made. A
// new member gets a line of its own, indented like its neighbours. A member that has the
// value already stays as it is spelled.
func setMember(v *hujson.Value, path []string, value any, depth int) error {
	o, ok := v.Value.(*hujson.Object)
	if !ok {
		return errors.New("it is not an object")
	}
	i, err := onlyMember(o, path[0])
	if err != nil {
		return err
	}
	if value == nil && (i < 0 || len(path) == 1) {
		if i >= 0 {
			removeMember(o, i)
		}
		return nil
	}
	if i < 0 {
		i = len(o.Members)
		addMember(o, path[0], depth)
	}
	at := &o.Members[i].Value
	if len(path) > 1 {
		if _, ok := at.Value.(*hujson.Object); !ok && value == nil {
			return nil // what is not there can't be taken away
		} else if !ok {
			return fmt.Errorf("%q is not an object", path[0])
		}
		return setMember(at, path[1:], value, depth+1)
	}
	b, err := json.MarshalIndent(value, strings.Repeat("  ", depth), "  ")
	if err != nil || sameJSON(at, b) {
		return err
	}
	fresh, err := hujson.Parse(b)
	if err != nil {
		return err
	}
	at.Value = fresh.Value
	return nil
}

// addMember adds a member after the last one, an empty object.
func addMember(o *hujson.Object, name string, depth int) {
	fresh := hujson.Value{BeforeExtra: hujson.Extra(" "), Value: &hujson.Object{}}
	behind, n := o.AfterExtra, len(o.Members)
	if n > 0 { // a comma after the last member stays
		last := &o.Members[n-1].Value
		fresh.AfterExtra, last.AfterExtra = last.AfterExtra, nil
		behind = commentBehind(&o.AfterExtra)
	}
	before := joined(behind, lineBefore(o, depth))
	o.Members = append(o.Members, hujson.ObjectMember{Name: hujson.Value{BeforeExtra: before, Value: hujson.String(name)}, Value: fresh})
	if n == 0 {
		o.AfterExtra = hujson.Extra("\n" + strings.Repeat("  ", depth-1))
	}
}

// onlyMember is the place of the member with a name, -1: there is none. Of two the reader
// takes one, and this program can't know which.
func onlyMember(o *hujson.Object, name string) (int, error) {
	named := func(m hujson.ObjectMember) bool { return m.Name.Value.(hujson.Literal).String() == name }
	i := slices.IndexFunc(o.Members, named)
	if i >= 0 && slices.ContainsFunc(o.Members[i+1:], named) {
		return i, fmt.Errorf("it has %q twice", name)
	}
	return i, nil
}

// sameJSON reports whether a value says what a spelling says.
func sameJSON(v *hujson.Value, b []byte) bool {
	c := v.Clone()
	c.Standardize()
	var x, y any
	return json.Unmarshal(c.Pack(), &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}

// removeMember removes a member. The comments around it stay, for they may be of its
// neighbours.
func removeMember(o *hujson.Object, i int) {
	m := &o.Members[i]
	next := &o.AfterExtra
	if i+1 < len(o.Members) {
		next = &o.Members[i+1].Name.BeforeExtra
	}
	after := m.Value.AfterExtra
	*next = joined(m.Name.BeforeExtra, m.Name.AfterExtra, m.Value.BeforeExtra, after, *next)
	if last := len(o.Members) - 1; i == last && i > 0 { // there is a comma after the last one, or none
		before := &o.Members[i-1].Value.AfterExtra
		*next = joined(*before, *next)
		if *before = nil; after != nil {
			*before = hujson.Extra{}
		}
	}
	o.Members = slices.Delete(o.Members, i, i+1)
}

// joined is the comments of several places one after the other, and the white space of the
// last.
func joined(list ...hujson.Extra) (out hujson.Extra) {
	for i, e := range list {
		if i < len(list)-1 {
			text := bytes.TrimRight(e, " \t\n")
			if j := bytes.LastIndex(text, []byte("//")); j >= 0 && !bytes.Contains(text[j:], []byte("\n")) {
				text = append(bytes.Clone(text), '\n') // such a comment ends with its line
			}
			e = text
		} else if bytes.HasSuffix(out, []byte("\n")) && bytes.HasPrefix(e, []byte("\n")) {
			e = e[1:]
		}
		out = append(out, e...)
	}
	return out
}

// commentBehind takes the comment that is on the last line of what an object or list
// holds, so that it stays there when something is added.
func commentBehind(end *hujson.Extra) hujson.Extra {
	n := bytes.IndexByte(*end, '\n')
	if n < 0 {
		n = len(*end)
	}
	line := (*end)[:n]
	if len(bytes.TrimSpace(line)) == 0 {
		return nil
	}
	*end = (*end)[n:]
	return bytes.Clone(line)
}

// lineBefore is the space before a new member: that of the last one.
func lineBefore(o *hujson.Object, depth int) hujson.Extra {
	if n := len(o.Members); n > 0 {
		before := string(o.Members[n-1].Name.BeforeExtra)
		if i := strings.LastIndexByte(before, '\n'); i >= 0 {
			return hujson.Extra(before[i:])
		}
		return hujson.Extra(" ")
	}
	return hujson.Extra("\n" + strings.Repeat("  ", depth))
}

// tomlFile is TOML in which a setting is a line before the first table. After a change
// the file is decoded again: if anything but the settings is different, the change is
// refused.
type tomlFile struct{}

func (tomlFile) decode(text []byte) (map[string]any, error) {
	root := map[string]any{}
	err := toml.Unmarshal(text, &root)
	return root, err
}

func (f tomlFile) parse(text []byte) (config, error) {
	root, err := f.decode(text)
	return tree(root), err
}

func (f tomlFile) patch(old []byte, list []setting) ([]byte, error) {
	want, err := f.decode(old)
	if err != nil {
		return nil, err
	}
	text := strings.SplitAfter(string(old), "\n")
	if last := len(text) - 1; text[last] == "" {
		text = text[:last]
	} else {
		text[last] += "\n"
	}
	for _, s := range list {
		key := s.Path[0]
		value, err := json.Marshal(s.Value) // numbers, strings and switches are spelled the same
		if err != nil {
			return nil, err
		}
		if spelled(want[key]) != spelled(s.Value) { // else it stays as it is spelled
			text = setLine(text, key, string(value))
		}
		want[key] = s.Value
	}
	out := []byte(strings.Join(text, ""))
	got, err := f.decode(out)
	if err != nil || spelled(got) != spelled(want) {
		return nil, errors.New("it is spelled in a way that can't be changed line by line")
	}
	return out, nil
}

// spelled makes values comparable whatever the type of their whole numbers.
func spelled(v any) string { return fmt.Sprintf("%#v", v) }

var tableHead = pattern.New(`^\s*\[`)

// setLine changes or adds the line of a key.
func setLine(text []string, key, value string) []string {
	end := slices.IndexFunc(text, tableHead.MatchString)
	if end < 0 {
		end = len(text)
	}
	// The line's head with its sign and space, the value, and a comment with the space before it.
	line := regexp.MustCompile(`^(\s*` + regexp.QuoteMeta(key) + `\s*=\s*)[^#\r\n]*?(\s*(?:#.*)?)(\r?\n)$`)
	if i := slices.IndexFunc(text[:end], line.MatchString); i >= 0 {
		parts := line.FindStringSubmatch(text[i])
		text[i] = parts[1] + value + parts[2] + parts[3]
		return text
	}
	for end > 0 && strings.TrimSpace(text[end-1]) == "" {
		end-- // before the empty lines between it and the first table
	}
	return slices.Insert(text, end, key+" = "+value+"\n")
}
