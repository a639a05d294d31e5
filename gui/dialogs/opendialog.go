package dialogs

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"fyne.io/fyne/v2"

	"palimpsest/gui/kit"
	"palimpsest/gui/sched"
	"palimpsest/gui/screen"
	"palimpsest/gui/words"
	"palimpsest/model/store"
)

// OpenFile asks for a file.
func OpenFile(w *screen.Host) {
	q := FileQuestion{Title: words.T("open.file"), Do: words.T("do.open"), Dir: w.Settings.Folder()}
	ChooseFile(w, q, func(path string) {
		w.Settings.SetFolder(filepath.Dir(path))
		OpenPaths(w, path)
	})
}

// OpenFolder asks for a folder, whose transcripts are put into the list.
func OpenFolder(w *screen.Host) {
	q := FileQuestion{Title: words.T("open.folder"), Do: words.T("open.this"), Dir: w.Settings.Folder(), Folder: true}
	ChooseFile(w, q, func(path string) {
		w.Settings.SetFolder(path)
		OpenPaths(w, path)
	})
}

// OpenPaths looks at files in the workbench. The records of an export of records are offered
// for import instead.
func OpenPaths(w *screen.Host, paths ...string) {
	stored := w.Desk.Store() != nil
	sched.Run(w.Desk.Sched, fmt.Sprint("open ", paths), func(context.Context, func(sched.Progress)) (exports []string, err error) {
		if stored {
			exports = slices.DeleteFunc(slices.Clone(paths), func(path string) bool { return !holdsRecords(path) })
		}
		return exports, nil
	}, func(exports []string, _ error) {
		for _, path := range exports {
			importFrom(w, path)
		}
		rest := slices.DeleteFunc(slices.Clone(paths), func(path string) bool { return slices.Contains(exports, path) })
		if len(rest) > 0 {
			w.LeaveSheet()
			w.Desk.Add(rest...)
		}
	})
}

// holdsRecords reports whether a file is an export of records. A pipe is none: opening it would wait.
func holdsRecords(path string) bool {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	begin := make([]byte, 64)
	n, _ := f.Read(begin)
	return store.IsExport(begin[:n])
}

// Dropped opens what was dropped on the window: files and folders.
func Dropped(w *screen.Host, list []fyne.URI) {
	var paths []string
	for _, u := range list {
		if u.Scheme() == "file" {
			paths = append(paths, u.Path())
		}
	}
	if len(paths) > 0 && w.Win.Canvas().Overlays().Top() == nil {
		OpenPaths(w, paths...)
	}
}

// importFrom shows what importing the records of a file would add, and adds it when a person says so.
func importFrom(w *screen.Host, path string) {
	w.Desk.RecordList.LookThroughImport(path, func(got store.Imported, err error) {
		if err != nil {
			w.Desk.Fail(err)
			return
		}
		title, text := words.T("exchange.adds", "count", got.Records), words.T("exchange.known", "count", got.Known)
		if got.Records == 0 {
			w.Overlay.Toast(words.T("exchange.nothing")+" "+text, "", nil)
			return
		}
		means := words.T("exchange.means")
		if got.Known > 0 {
			means += " " + text
		}
		kit.Ask(w.Win.Canvas(), title, means, words.T("exchange.do"), words.T("do.cancel"), kit.Primary,
			func() { w.Desk.RecordList.ImportRecords(path) })
	})
}

// ImportRecords asks for an export of records, shows what it would add, and adds
// it when a person says so.
func ImportRecords(w *screen.Host) {
	ChooseFile(w, FileQuestion{Title: words.T("exchange.import"), Do: words.T("do.open"), Dir: w.Settings.Folder()}, func(path string) {
		w.Settings.SetFolder(filepath.Dir(path))
		importFrom(w, path)
	})
}
