package dialogs

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"

	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/screen"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
)

// fileDialog chooses a file or a folder. It lists folders in the background,
// and is used in the place of the toolkit's own dialog, which reads a folder
// before it draws and knows no path to type.
type fileDialog struct {
	w      *screen.Host
	folder bool // a folder is wanted
	done   func(path string)

	dir    string
	all    bool
	listed []desk.FolderItem // all of the folder
	items  []desk.FolderItem // those that pass the filter
	places []desk.Place
	begin  string // with what the names begin that are listed: the end of a path that is typed

	dlg   *kit.Dialog
	path  *kit.TextField
	name  *kit.TextField // filters by name
	list  *kit.List
	left  *kit.List
	note  *kit.Text
	open  *kit.Button
	start bool
}

// FileQuestion is what a [ChooseFile] asks for.
type FileQuestion struct {
	Title, Do string // words of the dialog and of its button
	Dir       string // where it begins
	Folder    bool   // a folder is wanted
	All       bool   // not only files that may be transcripts
}

// ChooseFile asks for a file or a folder; done gets its path.
func ChooseFile(w *screen.Host, q FileQuestion, done func(path string)) {
	f := &fileDialog{w: w, folder: q.Folder, all: q.All, done: done, start: true}
	f.path = kit.NewTextField("", func(string) { f.follow() }).Plain()
	f.path.OnTab, f.path.TakesTab = f.complete, func() bool { return f.begin != "" && f.list.Selected() >= 0 }
	f.path.OnSubmitted = func(s string) { f.typed(show.Home(s)) }
	f.list = kit.NewRows(25, func() int { return len(f.items) }, f.fileRow)
	f.list.OnOpen = f.enter
	f.list.OnSelect = func(int) { f.enable() }
	f.list.OnRune = f.write
	f.name = kit.NewFilter(words.T("files.filter"), func(string) { f.filter() })
	f.name.OnSubmitted = func(string) {
		if i := f.list.Selected(); i >= 0 {
			f.enter(i)
		}
	}
	f.left = kit.NewRows(26, func() int { return len(f.places) }, f.placeRow)
	f.left.OnSelect = func(i int) { f.look(f.places[i].Path) }
	f.note = kit.NewText("", kit.ColorMuted, 12).Fit()
	up := kit.NewIconButton(kit.GlyphUp, words.T("files.up"), func() { f.look(filepath.Dir(f.dir)) })
	all := kit.NewCheck(words.T("files.all"), q.All, func(on bool) { f.all = on; f.look(f.dir) })
	top := kit.Row(8, up, kit.Stretch(f.path), kit.Sized(170, 24, f.name))
	if !q.Folder {
		top.Add(all)
	}
	right := kit.Column(0, kit.Pad(10, 12, 8, 12, top), kit.NewRule(), kit.Stretch(f.list), kit.Pad(4, 12, 4, 12, f.note))
	side := container.New(layout.NewCustomPaddedLayout(6, 0, 0, 0), kit.Sized(190, 0, f.left))
	body := container.NewBorder(nil, nil, container.NewBorder(nil, nil, nil, kit.NewRule(), side), nil, right)
	f.dlg = kit.NewDialog(q.Title, "", body, 900, 600)
	f.dlg.OnKey = func(e *fyne.KeyEvent) bool {
		if e.Name == fyne.KeyBackspace {
			f.look(filepath.Dir(f.dir))
			return true
		}
		return f.list.Key(e.Name)
	}
	f.open = kit.NewButton(q.Do, kit.Primary, f.take)
	f.dlg.SetCaption(words.T("files.caption"))
	f.dlg.SetButtons(kit.NewButton(words.T("do.cancel"), kit.Secondary, f.dlg.Close), f.open)
	f.dlg.ShowOn(w.Win.Canvas())
	w.Win.Canvas().Focus(f.list) // which takes what is typed before the folder is listed
	f.look(startFolder(q.Dir))
}

// startFolder is dir, or the person's home if it is gone.
func startFolder(dir string) string {
	if dir != "" {
		return dir
	}
	if dir, err := os.UserHomeDir(); err == nil {
		return dir
	}
	return string(filepath.Separator)
}

// look lists another folder. A typed path that is a file is opened.
func (f *fileDialog) look(dir string) {
	dir = filepath.Clean(dir)
	path, name := f.path.Text(), f.name.Text()
	f.note.SetText(words.T("status.reading"))
	f.w.Desk.Folder(dir, f.all, func(items []desk.FolderItem, places []desk.Place, err error) {
		if !f.dlg.Shown() {
			return
		}
		f.places = append(places, recentPlaces(f.w, places)...)
		f.left.Update()
		if err != nil {
			said, _, _ := show.ErrorWords(err)
			f.note.SetText(said)
			f.path.SetBad(!f.start)
			if f.start {
				f.start = false
				f.look(startFolder(""))
			}
			return
		}
		f.start = false
		f.dir, f.listed, f.begin = dir, items, ""
		if f.path.Text() != path || f.name.Text() != name { // somebody types already
			f.follow()
			return
		}
		f.path.SetText(dir)
		f.path.SetBad(false)
		f.name.SetText("")
		f.filter()
		f.w.Win.Canvas().Focus(f.list)
		for i, p := range f.places {
			if p.Path == dir {
				f.left.Select(i)
			}
		}
		f.enable()
	})
}

// follow lists the folder of a path while it is typed, as far as its names begin as
// the path ends.
func (f *fileDialog) follow() {
	f.path.SetBad(false)
	dir, begin := f.typing()
	if !filepath.IsAbs(dir) || dir == f.dir {
		if f.begin = begin; !filepath.IsAbs(dir) {
			f.begin = ""
		}
		f.filter()
		return
	}
	f.w.Desk.Folder(dir, f.all, func(items []desk.FolderItem, _ []desk.Place, err error) {
		now, begin := f.typing()
		if err != nil || now != dir || !f.dlg.Shown() {
			return // not a folder, or not yet
		}
		f.dir, f.listed, f.begin = dir, items, begin
		f.filter()
	})
}

// typing is the folder of the path that is typed, and what is behind it.
func (f *fileDialog) typing() (dir, begin string) {
	dir, begin = filepath.Split(f.path.Text())
	return filepath.Clean(show.Home(dir)), begin
}

// complete puts the selected name in the place of the end of a path.
func (f *fileDialog) complete() {
	dir, _ := filepath.Split(f.path.Text())
	it := f.items[f.list.Selected()]
	if dir += it.Name; it.Folder {
		dir += string(filepath.Separator)
	}
	f.path.Put(dir)
}

// filter lists the items whose name holds what is typed.
func (f *fileDialog) filter() {
	text, begin := strings.ToLower(strings.TrimSpace(f.name.Text())), strings.ToLower(f.begin)
	f.items = slices.DeleteFunc(slices.Clone(f.listed), func(it desk.FolderItem) bool {
		name := strings.ToLower(it.Name)
		return !strings.Contains(name, text) || !strings.HasPrefix(name, begin)
	})
	f.list.Update()
	f.list.Select(-1)
	if (!f.folder || text != "" || begin != "") && len(f.items) > 0 {
		f.list.Select(0)
	}
	count := words.T("files.count", "count", len(f.items))
	if hidden := len(f.listed) - len(f.items); hidden > 0 {
		count += " · " + words.T("files.hidden", "count", hidden)
	}
	f.note.SetText(count)
	f.enable()
}

// write takes what is typed while the list has the keyboard: the beginning of a path
// into its field, all else into the filter.
func (f *fileDialog) write(r rune) bool {
	switch {
	case r == '/' || r == '~':
		f.path.Begin(r)
	case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '.' || r == '_' || r == '-':
		f.name.Begin(r)
	default:
		return false
	}
	return true
}

// mostRecent is how many folders are offered because they were chosen before.
const mostRecent = 5

// recentPlaces are the folders that were chosen before, but for those that are
// offered anyway.
func recentPlaces(w *screen.Host, known []desk.Place) []desk.Place {
	var out []desk.Place
	for _, dir := range w.Settings.Folders() {
		if len(out) < mostRecent && !slices.ContainsFunc(known, func(p desk.Place) bool { return p.Path == dir }) {
			out = append(out, desk.Place{Path: dir})
		}
	}
	return out
}

// typed takes a path a person typed: a folder is shown, a file taken.
func (f *fileDialog) typed(path string) {
	for _, it := range f.listed {
		if filepath.Join(f.dir, it.Name) == filepath.Clean(path) && !it.Folder {
			f.finish(path)
			return
		}
	}
	if dir, begin := f.typing(); dir == f.dir && begin != "" && f.list.Selected() >= 0 {
		f.enter(f.list.Selected())
		return
	}
	if !f.folder && filepath.Ext(path) != "" {
		f.finish(path) // opening says what is wrong with it
		return
	}
	f.w.Desk.Folder(filepath.Dir(path), true, func(items []desk.FolderItem, _ []desk.Place, _ error) {
		named := func(it desk.FolderItem) bool { return it.Name == filepath.Base(path) && !it.Folder }
		if !f.folder && slices.ContainsFunc(items, named) {
			f.finish(path) // whatever its name
			return
		}
		f.look(path)
	})
}

// enter goes into a folder or takes a file.
func (f *fileDialog) enter(i int) {
	it := f.items[i]
	path := filepath.Join(f.dir, it.Name)
	switch {
	case it.Folder:
		f.look(path)
	case !f.folder:
		f.finish(path)
	}
}

// take is the primary button: the selected file or folder, or the folder shown.
func (f *fileDialog) take() {
	i := f.list.Selected()
	switch {
	case i >= 0 && (f.folder == f.items[i].Folder):
		f.finish(filepath.Join(f.dir, f.items[i].Name))
	case i >= 0 && f.items[i].Folder:
		f.enter(i)
	case f.folder:
		f.finish(f.dir)
	}
}

func (f *fileDialog) enable() { f.open.SetEnabled(f.folder || f.list.Selected() >= 0) }

func (f *fileDialog) finish(path string) {
	f.dlg.Hide()
	f.done(path)
}

// fileRow makes the row of a file or a folder.
func (f *fileDialog) fileRow() (fyne.CanvasObject, func(int)) {
	sign, name := kit.NewSign(kit.GlyphRight, kit.ColorMuted, 12), kit.Label("").Fit()
	size, time := kit.NewText("", kit.ColorMuted, 12).Right().Fit(), kit.NewText("", kit.ColorFaint, 12).Right().Fit()
	row := kit.Pad(0, 14, 0, 10, kit.Row(8, sign, kit.Stretch(name), kit.Sized(80, 17, size), kit.Sized(120, 17, time)))
	return row, func(i int) {
		it := f.items[i]
		name.SetText(it.Name)
		time.SetText(it.Changed.Format("2006-01-02 15:04"))
		if it.Folder {
			sign.Set(kit.GlyphRight, kit.ColorAccent)
			size.SetText("")
			return
		}
		sign.Set(kit.GlyphDot, kit.ColorFaint)
		size.SetText(words.Bytes(it.Size))
	}
}

// placeRow makes the row of a folder to begin at, with how many histories lie in an
// agent's.
func (f *fileDialog) placeRow() (fyne.CanvasObject, func(int)) {
	name, count := kit.NewText("", kit.ColorText, 13).Fit(), kit.NewText("", kit.ColorFaint, 12)
	return kit.Pad(0, 8, 0, 12, kit.Row(6, kit.Stretch(name), count)), func(i int) {
		p, n := f.places[i], ""
		if p.Count > 0 {
			n = words.Int(int64(p.Count))
		}
		if p.More {
			n += "+"
		}
		title := show.ShortFolder(p.Path)
		if p.Key != "" {
			title = words.T("files." + p.Key)
		}
		name.SetText(title)
		count.SetText(n)
	}
}
