package gui

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"palimpsest/compaction/session"
	"palimpsest/gui/words"
)

// The program itself, with its real driver, on a screen in memory: driven by keys and
// the pointer, seen by its pictures, and checked by the verbs on the same database.
// Where a click goes is asked of the same window in memory.
//
//	newStage ─ at(words) ─→ pointer ─→ Xvfb ─→ palimpsest ─→ picture
//	                                              └ database ─→ palimpsest records list

// realWindow is the program under test.
type realWindow struct {
	t       *testing.T
	bin, db string
	file    string
	env     []string
	pid     int
	ended   <-chan error
	s       *stage
}

// screenSize is that of the screen, which the window fills.
var screenSize = image.Pt(1600, 1000)

func startRealWindow(t *testing.T, file string) *realWindow {
	t.Helper()
	bin := buildProgram(t, "xdotool", "import")
	dir := filepath.Dir(bin)
	w := &realWindow{t: t, bin: bin, db: filepath.Join(dir, "test.db")}
	w.file = file
	w.env = append(os.Environ(), "DISPLAY="+startScreen(t), "WAYLAND_DISPLAY=", "LIBGL_ALWAYS_SOFTWARE=1", "NO_AT_BRIDGE=1", "HOME="+dir,
		"XDG_CONFIG_HOME="+dir, "XDG_DATA_HOME="+dir, "XDG_CACHE_HOME="+dir, "XDG_RUNTIME_DIR="+dir, "LC_ALL=C.UTF-8", "LANGUAGE=en", "FYNE_SCALE=1")
	w.record()
	w.start()
	w.s = newStage(t, file)
	w.s.Win.Resize(fyne.NewSize(float32(screenSize.X), float32(screenSize.Y)))
	w.s.settle()
	(&tour{stage: w.s, sizes: map[fyne.CanvasObject]fyne.Size{}}).fit()
	return w
}

// buildProgram builds the program with its real driver in a folder of the test. Without a
// screen in memory or one of some tools the test is skipped.
func buildProgram(t *testing.T, tools ...string) (bin string) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("the real window was not driven: the screen in memory is X11")
	}
	for _, tool := range append(tools, "Xvfb", "go") {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("the real window was not driven: there is no %s", tool)
		}
	}
	bin = filepath.Join(t.TempDir(), "palimpsest")
	build := exec.Command("go", "build", "-tags", "migrated_fynedo,sqlite_fts5", "-o", bin, "palimpsest")
	build.Env = append(os.Environ(), "CGO_ENABLED=1")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return bin
}

// start starts the program, and waits for its history.
func (w *realWindow) start() {
	w.t.Helper()
	cmd := exec.Command(w.bin, "--db", w.db, w.file, session.ConversationName(recordedTalk))
	var out bytes.Buffer
	cmd.Env, cmd.Stdout, cmd.Stderr = w.env, &out, &out
	if err := cmd.Start(); err != nil {
		w.t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	w.pid, w.ended = cmd.Process.Pid, ended
	w.t.Cleanup(func() {
		_ = cmd.Process.Kill()
		if w.t.Failed() {
			w.t.Log(out.String())
		}
	})
	w.until("its history is loaded", func() bool {
		c := w.command("xdotool", "search", "--onlyvisible", "--name", `Palimpsest .+([^ ]…|[^…])$`)
		return c.Run() == nil
	})
}

// again ends the program by its key, and starts it.
func (w *realWindow) again() {
	w.t.Helper()
	w.keys("ctrl+q")
	select {
	case err := <-w.ended:
		if err != nil {
			w.t.Fatal(err)
		}
	case <-time.After(time.Minute):
		w.t.Fatal("Ctrl+Q does not end the program")
	}
	w.start()
}

// startScreen starts a screen in memory and returns its name.
func startScreen(t *testing.T, args ...string) string {
	t.Helper()
	number, theirs, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("Xvfb", append(args, "-displayfd", "3", "-screen", "0", fmt.Sprintf("%dx%dx24", screenSize.X, screenSize.Y),
		"-nolisten", "tcp", "-noreset")...)
	cmd.ExtraFiles = []*os.File{theirs}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	theirs.Close()
	said, err := io.ReadAll(io.LimitReader(number, 8))
	if n := bytes.IndexByte(said, '\n'); err == nil && n > 0 {
		return ":" + string(said[:n])
	}
	t.Fatalf("the screen in memory did not start: %q, %v", said, err)
	return ""
}

func (w *realWindow) command(name string, args ...string) *exec.Cmd {
	c := exec.Command(name, args...)
	c.Env = w.env
	return c
}

func (w *realWindow) run(name string, args ...string) []byte {
	w.t.Helper()
	c := w.command(name, args...)
	var said bytes.Buffer
	c.Stderr = &said
	out, err := c.Output()
	if err != nil {
		w.t.Fatalf("%s %v: %v\n%s", name, args, err, said.String())
	}
	return out
}

// until waits for something to be so.
func (w *realWindow) until(what string, so func() bool) {
	w.t.Helper()
	late, again := time.After(3*time.Minute), time.NewTicker(150*time.Millisecond)
	defer again.Stop()
	for !so() {
		select {
		case <-again.C:
		case <-late:
			w.t.Fatalf("three minutes, and it is not so that %s; the picture is %s", what, w.keep())
		}
	}
}

// picture is what the screen shows: three bytes a pixel.
func (w *realWindow) picture() []byte {
	w.t.Helper()
	return w.run("import", "-window", "root", "-depth", "8", "rgb:-")
}

// keep leaves a picture behind for a person.
func (w *realWindow) keep() string {
	dir := os.Getenv("GATEPICTURES")
	if dir == "" {
		return "not kept: set GATEPICTURES"
	}
	name := filepath.Join(dir, strings.ReplaceAll(w.t.Name(), "/", "-")+".png")
	w.run("import", "-window", "root", name)
	return name
}

// still is the picture once nothing moves and nothing is worked on any more.
func (w *realWindow) still() (now []byte) {
	w.t.Helper()
	quiet := 0
	w.until("nothing moves", func() bool {
		was := now
		if now = w.picture(); bytes.Equal(was, now) && !w.running() {
			quiet++
		} else {
			quiet = 0
		}
		return quiet > 2
	})
	return now
}

// running reports whether a thread of the program works, or waits for a processor.
func (w *realWindow) running() bool {
	list, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", w.pid))
	return slices.ContainsFunc(list, func(name string) bool {
		b, _ := os.ReadFile(name)
		after := b[bytes.LastIndexByte(b, ')')+1:]
		return len(after) > 1 && (after[1] == 'R' || after[1] == 'D')
	})
}

// changed is how many pixels of a part of the screen differ.
func changed(a, b []byte, in image.Rectangle) (n int) {
	in = in.Intersect(image.Rectangle{Max: screenSize})
	for y := in.Min.Y; y < in.Max.Y; y++ {
		for x := in.Min.X; x < in.Max.X; x++ {
			if at := 3 * (y*screenSize.X + x); !bytes.Equal(a[at:at+3], b[at:at+3]) {
				n++
			}
		}
	}
	return n
}

// moved are those of some words that are not where they were.
func (w *realWindow) moved(before, now []byte, targets []string) []string {
	return slices.DeleteFunc(slices.Clone(targets), func(text string) bool { return changed(before, now, w.at(text, 0)) == 0 })
}

// at is where words are written for the nth time.
func (w *realWindow) at(text string, nth int) image.Rectangle {
	w.t.Helper()
	var found []image.Rectangle
	d := fyne.CurrentApp().Driver()
	walk(w.s.Win.Canvas().Content(), nil, func(o fyne.CanvasObject, _ []fyne.CanvasObject) {
		if t, ok := o.(*canvas.Text); ok && t.Text == text {
			p, m := d.AbsolutePositionForObject(o), t.MinSize()
			p.Y += (t.Size().Height - m.Height) / 2
			found = append(found, image.Rect(int(p.X), int(p.Y), int(p.X+m.Width)+1, int(p.Y+m.Height)+1))
		}
	})
	if nth >= len(found) {
		w.t.Fatalf("%q is written %d times", text, len(found))
	}
	return found[nth]
}

func (w *realWindow) move(to image.Rectangle) {
	w.t.Helper()
	mid := to.Min.Add(to.Max).Div(2)
	w.run("xdotool", "mousemove", fmt.Sprint(mid.X), fmt.Sprint(mid.Y))
}

func (w *realWindow) click(on image.Rectangle) {
	w.t.Helper()
	w.move(on)
	w.run("xdotool", "click", "1")
}

func (w *realWindow) keys(list ...string) {
	w.t.Helper()
	for _, k := range list {
		w.run("xdotool", "key", "--delay", "30", k)
	}
}

// do has the palette do a command.
func (w *realWindow) do(title string) {
	w.t.Helper()
	before := w.still()
	w.keys("ctrl+k")
	w.until("the palette is open", func() bool { return changed(before, w.picture(), image.Rectangle{Max: screenSize}) > 10_000 })
	w.run("xdotool", "type", "--delay", "20", title)
	w.settled()
	w.keys("Return")
}

// settled waits until the picture stays the same but for a caret.
func (w *realWindow) settled() {
	w.t.Helper()
	now := w.picture()
	w.until("nothing moves but a caret", func() bool {
		was := now
		now = w.picture()
		return changed(was, now, image.Rectangle{Max: screenSize}) < 80
	})
}

// listedRecord is a record as the verbs list it.
type listedRecord struct {
	ID  string `json:"id"`
	Off bool   `json:"off"`
}

// listed are the records that the verbs find in the same database.
func (w *realWindow) listed() (list []listedRecord) {
	w.t.Helper()
	if err := json.Unmarshal(w.run(w.bin, "--db", w.db, "records", "list", "--json"), &list); err != nil {
		w.t.Fatal(err)
	}
	return list
}

// undone does something by hand, sees it in a part of the screen, takes it back with
// Ctrl+Z and sees that part as it was, to the pixel.
func (w *realWindow) undone(what string, part image.Rectangle, do func()) {
	w.t.Helper()
	before := w.still()
	do()
	w.until(what+" is seen", func() bool { return changed(before, w.still(), part) > 30 }) // no dialog dims it
	w.keys("ctrl+z")
	w.until(what+" is taken back", func() bool { return changed(before, w.picture(), part) == 0 })
}

func TestARealWindowByHand(t *testing.T) {
	if testing.Short() {
		t.Skip("the real window was not driven: it takes minutes")
	}
	file := sampleFile(t, t.TempDir(), "long-coding-run.jsonl")
	w := startRealWindow(t, file)
	all := image.Rectangle{Max: screenSize}
	compact := w.at(words.T("command.compact"), 0)
	aside := image.Rect(700, 560, 702, 562) // over rows
	right := image.Rect(compact.Min.X-230, 0, screenSize.X, screenSize.Y)
	params := image.Rectangle{image.Pt(right.Min.X, 40), image.Pt(screenSize.X, w.at(words.T("result.now"), 0).Min.Y-20)}
	rows := image.Rect(250, 310, right.Min.X-10, 680)
	w.move(aside)
	w.still()

	// What the pointer rests on says what it does, at once; it stops at a key and
	// when the page changes.
	for _, on := range []string{words.T("command.compact"), words.T("view.model")} {
		before, place := w.still(), w.at(on, 0)
		button := place.Inset(-16)
		button.Min.X, button.Max.X = button.Min.X-60, button.Max.X+60
		tip := image.Rect(place.Min.X-320, max(0, button.Min.Y-60), place.Max.X+320, button.Min.Y-1) // over the button
		w.move(place)
		w.until(on+" has a tip", func() bool { return changed(before, w.picture(), tip) > 100 })
		w.keys("shift")
		w.until("a key takes the tip away", func() bool { return changed(before, w.picture(), tip) == 0 })
		w.move(aside)
		w.until("all is as before", func() bool { return changed(before, w.picture(), all) == 0 })
	}

	// A caret that nobody types at comes to rest: nothing is painted any more.
	w.click(w.at(words.T("ledger.filter"), 0))
	w.still()
	w.keys("Escape")

	// Every step is taken back by its key.
	w.undone("a preset", params, func() { w.do(words.T("preset.careful")) })
	slider := w.at(words.T("parameter.tail"), 0).Add(image.Pt(130, 0))
	fields := params // the slider keeps the focus
	fields.Min.X = slider.Max.X + 30
	w.undone("a parameter", fields, func() { w.click(slider); w.move(aside) })
	w.undone("a new name", image.Rect(0, 60, 240, 900), func() {
		w.do(words.T("command.rename"))
		w.settled()
		w.run("xdotool", "type", "--delay", "20", "Another name")
		w.keys("Return")
	})
	row := w.at("366", 0)
	w.click(row)
	w.move(aside)
	w.undone("a pin", rows, func() { w.keys("p") })

	// The next start of the program takes back what this one did.
	before := w.still()
	w.do(words.T("preset.careful"))
	w.until("the preset is seen", func() bool { return changed(before, w.still(), fields) > 30 })
	w.again()
	w.move(aside)
	w.until("the preset is seen again", func() bool { return changed(before, w.still(), fields) > 30 })
	w.keys("ctrl+z")
	w.until("the preset is taken back", func() bool { return changed(before, w.still(), fields) == 0 })

	w.draft()

	// A record is made, and nothing that is clicked moves for the words about it.
	// The result itself is another one afterwards, and Why? stands under it.
	targets := []string{words.T("menu.file"), words.T("parameters.all.open"), words.T("view.model"), words.T("command.preview")}
	before = w.still()
	w.do(words.T("command.compact"))
	w.until("a record is stored", func() bool { return len(w.listed()) == 1 })
	w.until("it is said over a window in which nothing moved", func() bool {
		now := w.picture()
		return changed(before, now, image.Rect(500, 900, 1100, 970)) > 500 && len(w.moved(before, now, targets)) == 0
	})
	w.keys("ctrl+z")
	w.until("its record is gone", func() bool { return len(w.listed()) == 0 })
	w.keys("ctrl+y", "ctrl+z", "ctrl+y") // each waits for the one before
	w.until("its record is back", func() bool { return len(w.listed()) == 1 })
	w.still()
	if n := len(w.listed()); n != 1 {
		t.Fatalf("%d records after redo, undo and redo", n)
	}

	w.records()
	w.imported()
	w.writtenBack()
	w.shifts(file, append(targets, words.T("result.why")))
}

// draft applies a draft as it was previewed, and takes it back.
func (w *realWindow) draft() {
	w.t.Helper()
	before := w.still()
	w.keys("ctrl+p")
	w.until("the preview is open", func() bool { return changed(before, w.still(), image.Rectangle{Max: screenSize}) > 100_000 })
	w.keys("ctrl+Return")
	w.until("the draft is stored", func() bool { return len(w.listed()) == 1 })
	w.still() // how far it is may be shown over the window, where no key undoes
	w.keys("ctrl+z")
	w.until("its record is gone", func() bool { return len(w.listed()) == 0 })
	w.keys("ctrl+1")
	w.still()
}

// imported reads a record of another database, and takes that back.
func (w *realWindow) imported() {
	w.t.Helper()
	dir := w.t.TempDir()
	other, export := filepath.Join(dir, "other.db"), filepath.Join(dir, "records.json")
	w.run(w.bin, "--db", other, "compact", sampleFile(w.t, dir, "tool-heavy-build.json"), "--window", "4msgs", "-o", filepath.Join(dir, "out.json"))
	w.run(w.bin, "--db", other, "records", "export", "-o", export)
	n := len(w.listed())
	w.do(words.T("command.importRecords"))
	w.settled()
	w.run("xdotool", "type", "--delay", "20", export)
	w.settled()
	w.keys("Return")
	w.still()
	w.keys("Return") // it asks
	w.until("the record is read", func() bool { return len(w.listed()) == n+1 })
	w.still()
	w.keys("ctrl+z")
	w.until("the record read is gone", func() bool { return len(w.listed()) == n })
	w.still()
}

// records restores a record, deletes one, and takes both back.
func (w *realWindow) records() {
	w.t.Helper()
	w.keys("ctrl+2")
	w.still()
	w.keys("Up")
	asked := w.still()
	w.do(words.T("command.restore"))
	w.until("it is asked", func() bool { return changed(asked, w.picture(), image.Rect(580, 355, 1020, 500)) > 5000 })
	w.settled()
	w.keys("Return")
	off := func() bool { return slices.ContainsFunc(w.listed(), func(r listedRecord) bool { return r.Off }) }
	w.until("the record is switched off", off)
	w.still()
	n := len(w.listed())
	w.click(image.Rect(1500, 935, 1570, 957)) // Apply again, in the corner
	w.until("it is applied again", func() bool { return len(w.listed()) > n })
	w.keys("ctrl+z")
	w.until("applying again is taken back", func() bool { return len(w.listed()) == n })
	w.keys("ctrl+z")
	w.until("the restore is taken back", func() bool { return !off() })

	n = len(w.listed())
	w.click(image.Rect(60, 126, 160, 136)) // the first row, which has the keys then
	before := w.still()
	ask := func() {
		w.keys("Delete")
		w.until("it is asked", func() bool { return changed(before, w.picture(), image.Rect(560, 340, 1040, 500)) > 5000 })
	}
	ask()
	w.keys("Return")
	w.still()
	if len(w.listed()) != n {
		w.t.Error("Enter deletes")
	}
	w.keys("Escape")
	w.still()
	ask()
	w.keys("Tab", "Tab", "Tab", "Return")
	w.until("the record is in the trash", func() bool { return len(w.listed()) == n-1 })
	w.still() // the window knows it, too
	w.keys("ctrl+z")
	w.until("the record is out of the trash", func() bool { return len(w.listed()) == n })
	w.keys("ctrl+1")
	w.still()
}

// recordedTalk is the conversation in the database of the window under test.
const recordedTalk = "talk"

// record makes the conversation.
func (w *realWindow) record() {
	w.t.Helper()
	var items []string
	for i := range 40 {
		items = append(items, fmt.Sprintf(`{"message": {"role": "user", "content": [{"text": "deploy service %d and say what it prints, word for word"}]}}`, i),
			fmt.Sprintf(`{"message": {"role": "assistant", "content": [{"text": "service %d is deployed; the log is in /var/log/deploy-%d.log"}]}}`, i, i))
	}
	path := filepath.Join(w.t.TempDir(), recordedTalk+".json")
	if err := os.WriteFile(path, []byte(`{"historyContext": [`+strings.Join(items, ",")+`]}`), 0o600); err != nil {
		w.t.Fatal(err)
	}
	w.run(w.bin, "--db", w.db, "conversations", "--record", path)
}

// writtenBack compacts the recorded conversation, puts the result in its place, and takes
// both back.
func (w *realWindow) writtenBack() {
	w.t.Helper()
	held := func() string {
		return string(w.run(w.bin, "--db", w.db, "inspect", session.ConversationName(recordedTalk)))
	}
	all, n := held(), len(w.listed())
	before := w.still()
	w.keys("ctrl+Next") // the next history of the list
	w.until("the conversation is open", func() bool { return changed(before, w.still(), image.Rectangle{Max: screenSize}) > 50_000 })
	w.do(words.T("preset.sliding-fixed"))
	w.still()
	w.do(words.T("command.compact"))
	w.until("a record of it is stored", func() bool { return len(w.listed()) == n+1 })
	w.still()
	w.do(words.T("command.writeBack"))
	w.until("it is written back", func() bool { return held() != all })
	w.still()
	w.keys("ctrl+z")
	w.until("its messages are back", func() bool { return held() == all })
	w.still()
	w.keys("ctrl+y")
	w.until("it is written back again", func() bool { return held() != all })
	w.still()
	w.keys("ctrl+z")
	w.until("its messages are back again", func() bool { return held() == all })
	w.still()
	w.keys("ctrl+z")
	w.until("its record is gone", func() bool { return len(w.listed()) == n })
	before = w.still()
	w.keys("ctrl+Prior")
	w.until("the file is open again", func() bool { return changed(before, w.still(), image.Rectangle{Max: screenSize}) > 50_000 })
}

// shifts has the window say something that stays, and sees that nothing moved.
func (w *realWindow) shifts(file string, targets []string) {
	w.t.Helper()
	before := w.still()
	b, err := os.ReadFile(file)
	if err != nil {
		w.t.Fatal(err)
	}
	lines := bytes.SplitAfter(b, []byte("\n"))
	if err := os.WriteFile(file, bytes.Join(lines[:len(lines)/2], nil), 0o600); err != nil {
		w.t.Fatal(err)
	}
	w.until("it is said that the file was rewritten", func() bool {
		return changed(before, w.picture(), image.Rect(300, 880, 1200, 970)) > 3000
	})
	if list := w.moved(before, w.still(), targets); len(list) > 0 {
		w.t.Errorf("%q moved for a notice; the picture is %s", list, w.keep())
	}
}
