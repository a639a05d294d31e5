package desk

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"palimpsest/gui/state/undo"
)

// Mark is what a person says of a history; its file stays as it is.
type Mark struct {
	Name  string            `json:"name,omitempty"`
	Star  bool              `json:"star,omitempty"`
	Note  string            `json:"note,omitempty"`  // words that begin with # are its tags
	Notes map[string]string `json:"notes,omitempty"` // of its messages, see noteKey
}

func (m *Mark) empty() bool { return m.Name == "" && !m.Star && m.Note == "" && len(m.Notes) == 0 }

// Tags are the words of the note that begin with #.
func (m *Mark) Tags() (list []string) {
	for _, w := range strings.Fields(m.Note) {
		if w = strings.TrimRight(w, ".,;:!?"); len(w) > 1 && w[0] == '#' && !slices.Contains(list, w) {
			list = append(list, w)
		}
	}
	return list
}

// Rename gives a history a title of its own in the list; "" takes it away. Its file
// keeps its name. It is a step that can be undone.
func (d *library) Rename(e *Entry, name string) {
	was, now := e.Name, strings.TrimSpace(name)
	if was == now {
		return
	}
	d.setName(e.Path, now)
	d.desk.Did(&undo.Step{Kind: undo.Rename, Name: cmp.Or(now, e.shortTitle()), Path: e.Path, From: was, To: now})
}

// setName gives the history of a file a title, whether it is in the list or not.
func (d *library) setName(path, name string) {
	m := d.marks[path]
	m.Name = name
	d.mark(path, m)
}

// SetStar marks a history with a star, or no longer.
func (d *library) SetStar(e *Entry, on bool) {
	m := d.marks[e.Path]
	m.Star = on
	d.mark(e.Path, m)
}

func (d *library) mark(path string, m Mark) {
	if d.marks == nil {
		d.marks = map[string]Mark{}
	}
	if d.marks[path] = m; m.empty() {
		delete(d.marks, path)
	}
	for _, e := range d.desk.entries {
		if e.Path == path {
			e.Mark = m
		}
	}
	d.Keep(marksSetting, maps.Clone(d.marks))
	d.Notify(TopicFiles, TopicSession)
}

// SetSessionNote gives a history a note of a person's own; "" takes it away. It is a step
// that can be undone.
func (d *library) SetSessionNote(e *Entry, note string) {
	d.note(&undo.Step{Name: e.shortTitle(), Path: e.Path, To: note, Notes: map[string]string{"": e.Note}})
}

// Note is the note on a message of the history looked at, by its place; "" is none.
func (d *library) Note(history int) string {
	if e := d.desk.current; e != nil && len(e.Notes) > 0 {
		return e.Notes[d.noteKey(history)]
	}
	return ""
}

// SetNote writes a note on messages of the history looked at; "" takes it away. It is a
// step that can be undone.
func (d *library) SetNote(messages []int, note string) {
	e := d.desk.current
	if e == nil || len(messages) == 0 {
		return
	}
	was := map[string]string{}
	for _, at := range messages {
		if key := d.noteKey(at); key != "" {
			was[key] = e.Notes[key]
		}
	}
	name := fmt.Sprintf("#%d", messages[0]+1)
	if last := messages[len(messages)-1]; last != messages[0] {
		name += fmt.Sprintf("–%d", last+1)
	}
	d.note(&undo.Step{Of: d.desk.of(e), Name: name, Path: e.Path, To: note, Notes: was})
}

// note does a step that writes a note, if it changes anything.
func (d *library) note(s *undo.Step) {
	s.Kind, s.To = undo.Note, strings.TrimSpace(s.To)
	for _, was := range s.Notes {
		if was != s.To {
			d.writeNotes(s, true)
			d.desk.Did(s)
			return
		}
	}
}

// writeNotes writes what a step wrote, or what was there before it.
func (d *library) writeNotes(s *undo.Step, again bool) {
	m := d.marks[s.Path]
	notes := maps.Clone(m.Notes) // the former ones may be on their way to the store
	for key, text := range s.Notes {
		if again {
			text = s.To
		}
		switch {
		case key == "":
			m.Note = text
		case text == "":
			delete(notes, key)
		case notes == nil:
			notes = map[string]string{key: text}
		default:
			notes[key] = text
		}
	}
	m.Notes = notes
	d.mark(s.Path, m)
	d.Notify(TopicPlan, TopicSelect)
}

// noteKey names a message of the history looked at for its note: by the id that its file
// gives it, else by its place in its thread. "" is no message.
func (d *library) noteKey(history int) string {
	s := d.desk.Session()
	if s == nil || history < 0 || history >= len(s.Thread().History) {
		return ""
	}
	if id := s.Thread().Messages[s.Thread().History[history]].ID; id != "" {
		return id
	}
	return fmt.Sprint(pathKey("", d.desk.current.Ref), "#", history+1)
}
