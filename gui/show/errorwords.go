package show

import (
	"errors"
	"io/fs"
	"strings"

	"fyne.io/fyne/v2"

	"palimpsest/gui/kit"
	"palimpsest/gui/kit/reading"
	"palimpsest/gui/sched"
	"palimpsest/gui/words"
	"palimpsest/model"
	"palimpsest/model/body"
	"palimpsest/model/store"
)

// ErrorWords puts an error into words. A problem has a translation under its
// code; English keeps its own sentences, which name the file and the reason.
func ErrorWords(err error) (head, rest, details string) {
	var p *model.Problem
	var s *store.Error
	var crash *sched.Panic
	switch {
	case errors.As(err, &p):
		head, rest = p.What, strings.TrimSpace(p.Why+" "+p.Next)
		t, ok := Translated("problem." + p.Code)
		switch what, next, _ := strings.Cut(t, "\n"); {
		case ok && words.Language() != words.English:
			head, rest = what, next
		case strings.Contains(p.Next, "--"): // it names flags of the verbs
			rest = strings.TrimSpace(p.Why + " " + next)
		}
	case errors.As(err, &crash):
		return words.T("state.internal"), words.T("state.nothingChanged"), crash.Details()
	case errors.As(err, &s):
		if words.Language() != words.English {
			if head, rest, ok := storeWords(err); ok {
				return head, rest, errorDetails(err)
			}
		}
		head, rest = UpperFirst(s.Error()), s.Next()
		if r, ok := strings.CutSuffix(head, rest); ok && rest != "" {
			head = strings.TrimSpace(r)
		}
	default:
		head = UpperFirst(err.Error())
		if file, ok := err.(*fs.PathError); ok { // the path is among the details
			head = UpperFirst(file.Err.Error()) + "."
		}
	}
	return head, rest, errorDetails(err)
}

// errorDetails is the whole chain of an error, one cause a line.
func errorDetails(err error) string {
	var lines []string
	for err != nil {
		if t := err.Error(); len(lines) == 0 || lines[len(lines)-1] != t {
			lines = append(lines, t)
		}
		err = errors.Unwrap(err)
	}
	return strings.Join(lines, "\n\n")
}

func UpperFirst(s string) string {
	r := []rune(s)
	if len(r) > 0 && r[0] >= 'a' && r[0] <= 'z' {
		r[0] += 'A' - 'a'
	}
	return string(r)
}

// Translated is the words of a key that may have none.
func Translated(key string) (string, bool) {
	t := words.T(key)
	return t, t != key
}

// storeWords words a database error in the window's language; ok: it can.
func storeWords(err error) (head, rest string, ok bool) {
	for _, p := range storeProblems {
		if errors.Is(err, p.kind) {
			head, rest, _ = strings.Cut(words.T("storeProblem."+p.key), "\n")
			return head, rest, true
		}
	}
	return "", "", false
}

// DamagedWords says of a damaged database how much of it can be read.
func DamagedWords(r store.Repaired) string {
	key := "storage.rest"
	if r.Held == r.Records {
		key = "storage.restOf" // how many there were is not known
	}
	return words.T(key, "read", words.Int(r.Records), "held", words.Int(r.Held))
}

// ShowDetails shows text that may be copied.
func ShowDetails(s *sched.Scheduler, win fyne.Window, title, text string) {
	view := reading.New(s)
	view.Set(body.Plain(text))
	dlg := kit.NewDialog(words.T("do.details"), title, kit.Pad(8, 12, 8, 12, view), 760, 420)
	dlg.SetButtons(
		kit.NewButton(words.T("do.copy"), kit.Secondary, func() { kit.Copy(text) }).WithTip("do.copy.tip"),
		kit.NewButton(words.T("do.close"), kit.Primary, dlg.Hide))
	dlg.ShowOn(win.Canvas())
}

// storeProblems are the causes that a database names, by the key of their words; the
// kinds of a cause come before it.
var storeProblems = []struct {
	kind error
	key  string
}{
	{store.ErrReadOnly, "readOnly"}, {store.ErrLocked, "locked"}, {store.ErrNewer, "newer"}, {store.ErrNotDatabase, "notDatabase"},
	{store.ErrCantOpen, "cantOpen"}, {store.ErrServerAway, "serverAway"}, {store.ErrPassword, "password"},
	{store.ErrNoDatabase, "noDatabase"}, {store.ErrTLS, "tls"}, {store.ErrServer, "server"}, {store.ErrFull, "full"},
	{store.ErrDisk, "disk"}, {store.ErrCorrupt, "corrupt"}, {store.ErrChanged, "changed"}, {store.ErrNoOriginals, "noOriginals"},
	{store.ErrNotExport, "notExport"},
}
