package show

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"fyne.io/fyne/v2"

	"palimpsest/assets"
	"palimpsest/gui/desk"
	"palimpsest/gui/words"
)

// Upper is a heading in capitals, as groups of a list have them; Chinese has
// none.
func Upper(s string) string { return strings.ToUpper(s) }

// ShortHome writes a path in the person's home with a tilde.
func ShortHome(path string) string {
	dir, err := os.UserHomeDir()
	if err != nil {
		return path
	}
	if rest, ok := strings.CutPrefix(path, dir+string(filepath.Separator)); ok {
		return filepath.Join("~", rest)
	}
	return path
}

// Home puts a person's folder in the place of a leading tilde.
func Home(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		if dir, err := os.UserHomeDir(); err == nil {
			return filepath.Join(dir, rest)
		}
	}
	return path
}

func SetVisible(o fyne.CanvasObject, on bool) {
	switch {
	case on && !o.Visible():
		o.Show()
	case !on && o.Visible():
		o.Hide()
	}
}

// ShortFolder is a folder as the pane has room for it: its last two names.
func ShortFolder(path string) string {
	parts := strings.Split(filepath.ToSlash(path), "/")
	if len(parts) > 2 {
		parts = append([]string{"…"}, parts[len(parts)-2:]...)
	}
	return strings.Join(parts, "/")
}

// HighPeak is the share of the context window from which a peak is in the colour of a
// warning.
const HighPeak = .9

// GroupingKeys are the words for how the list of sessions is grouped.
var GroupingKeys = [...]string{desk.ByFolder: "sessions.folders", desk.ByProject: "sessions.projects", desk.Ungrouped: "sessions.flat"}

// GroupName is what a group of the list of sessions is called; "": by its folder.
func GroupName(g desk.Group) string {
	switch g.Kind {
	case desk.GroupSamples:
		return words.T("sessions.samples")
	case desk.GroupConversations:
		return words.T("sessions.conversations")
	case desk.GroupAll:
		return words.T("sessions.title")
	}
	return ""
}

// Day is a day as a list has room for it, or the month of another year; "" for the zero
// time.
func Day(t time.Time) string {
	switch {
	case t.IsZero():
		return ""
	case t.Year() == time.Now().Year():
		return t.Format("01-02")
	}
	return t.Format("2006-01")
}

// UnavailableWords is why a session of the list can't be read, in few words.
func UnavailableWords(e *desk.Entry) string {
	if errors.Is(e.Err, fs.ErrNotExist) {
		return words.T("sessions.gone")
	}
	return words.T("sessions.unavailable")
}

// EntryTitle is what a history is called on the screen.
func EntryTitle(e *desk.Entry) string {
	if e.Name != "" {
		return e.Name
	}
	for _, s := range assets.Samples {
		if s.ID == e.Sample {
			return words.T(s.Title)
		}
	}
	return e.Title
}
