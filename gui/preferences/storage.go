package preferences

import (
	"cmp"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"fyne.io/fyne/v2"

	"palimpsest/gui/desk"
	"palimpsest/gui/dialogs"
	"palimpsest/gui/kit"
	"palimpsest/gui/screen"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model/store"
)

// storagePage is about the database: what it holds, whether it is whole, how
// long records are kept, and which database the window begins with.
type storagePage struct {
	x    *Window
	w    *screen.Host
	body fyne.CanvasObject

	facts   *kit.Text
	look    *kit.Button // needs the database,
	compact *kit.Button // one that can be written
	repair  *kit.Button
	backup  *kit.Button
	details *kit.Button
	found   string // what an examination found, a line each
	result  *kit.Notice

	days, count *kit.TextField
	would       *kit.Text
	keep        *kit.Button
	expire      *kit.Button

	address *kit.TextField
	use     *kit.Button
}

func newStoragePage(win *Window) page {
	w := win.W
	x := &storagePage{x: win, w: w}
	d := w.Desk
	path := cmp.Or(d.StorePath(), words.T("status.memory"))
	x.facts = kit.NewText("", kit.ColorMuted, 12).Fit()
	x.result = kit.NewNotice(kit.Info, words.T("storage.safe"), "")
	x.look = kit.NewButton(words.T("storage.check"), kit.Secondary, x.check).WithTip("storage.check.tip")
	x.repair = kit.NewButton(words.T("storage.repair"), kit.Secondary, x.askRepair).WithTip("storage.repair.tip")
	x.backup = kit.NewButton(words.T("storage.backup"), kit.Secondary, x.backUp).WithTip("storage.backup.tip")
	x.compact = kit.NewButton(words.T("storage.compact"), kit.Secondary, x.reclaim).WithTip("storage.compact.tip")
	x.details = kit.NewButton(words.T("do.details"), kit.Secondary, func() {
		show.ShowDetails(d.Scheduler(), w.Win, words.T("storage.check"), x.found)
	}).WithTip("do.details.tip")
	x.details.Disable()

	x.days, x.count = kit.NewTextField(words.T("storage.forever"), nil), kit.NewTextField(words.T("storage.all"), nil)
	x.days.OnChanged = func(string) { x.retentionChanged() }
	x.count.OnChanged = func(string) { x.retentionChanged() }
	x.would = kit.NewText(words.T("storage.off"), kit.ColorMuted, 12).Fit()
	x.keep = kit.NewButton(words.T("storage.keep"), kit.Secondary, func() { x.setRetention(false) }).WithTip("storage.keep.tip")
	x.expire = kit.NewButton(words.T("storage.expire"), kit.Secondary, x.askExpire).WithTip("storage.expire.tip")
	x.keep.Disable()
	x.expire.Disable()

	x.address = kit.NewTextField(words.T("storage.addressHint"), func(string) { x.use.Disable() })
	x.address.SetText(w.Settings.Database())
	x.use = kit.NewButton(words.T("storage.use"), kit.Secondary, x.useAddress).WithTip("storage.use.tip")
	x.use.Disable()
	try := kit.NewButton(words.T("provider.test"), kit.Secondary, x.try).WithTip("provider.test.tip")

	note := func(key string) fyne.CanvasObject { return kit.NewParagraph(words.T(key), kit.ColorFaint, 12, 4) }
	muted := func(key string) fyne.CanvasObject { return kit.NewText(words.T(key), kit.ColorMuted, 13) }
	form := kit.NewFormOf(132, 28, 4).
		Wide(words.T("settings.database"), kit.NewText(path, kit.ColorText, 13).Fit()).
		Help(x.facts).
		Help(kit.Row(8, x.look, x.repair, x.backup, x.compact, x.details)).
		Add(kit.NewRule()).
		Wide(words.T("storage.retention"), kit.Row(12, kit.Sized(130, 28, x.days), muted("storage.days"),
			kit.Sized(130, 28, x.count), muted("storage.records"))).
		Help(x.would).
		Help(kit.Row(8, x.keep, x.expire)).
		Add(kit.NewRule()).
		Wide(words.T("storage.start"), x.address).
		Help(note("storage.password")).
		Help(kit.Row(8, kit.NewButton(words.T("storage.browse"), kit.Secondary, x.browse).WithTip("storage.browse.tip"), try, x.use))
	if chosen := w.Settings.Database(); chosen != "" && chosen != d.StorePath() {
		form.Help(note("storage.start.means"))
	}
	form.Add(x.result)
	x.body = scrolled(form.Rows())
	x.measure()
	return x
}

func (x *storagePage) object() fyne.CanvasObject { return x.body }

// leave keeps how long records stay, where the fields say a number.
func (x *storagePage) leave() bool {
	if _, ok := x.retention(); !ok {
		return false
	}
	if !x.keep.Disabled() {
		x.setRetention(false)
	}
	return true
}

// browse asks for the file of a database.
func (x *storagePage) browse() {
	dialogs.ChooseFile(x.w, dialogs.FileQuestion{Title: words.T("storage.choose"), Do: words.T("do.choose"),
		Dir: filepath.Dir(cmp.Or(x.address.Text(), x.w.Desk.StorePath())), All: true}, func(path string) {
		x.address.SetText(path)
		x.use.Disable()
		x.try()
	})
}

// storageUrgency is what the rail says beside the page while the database needs a
// person.
func storageUrgency(d *desk.Desk) string {
	if st := d.Store(); st != nil {
		if _, damaged := st.Rest(); damaged {
			return words.T("storage.urgent")
		}
	} else if d.StorePath() != "" {
		return words.T("storage.urgent")
	}
	return ""
}

// measure shows what the database holds, and which buttons make sense.
func (x *storagePage) measure() {
	d := x.w.Desk
	st := d.Store()
	x.look.SetEnabled(st != nil)
	x.compact.SetEnabled(st != nil && !st.ReadOnly())
	x.repair.SetEnabled(d.CanRepair() && (st == nil || x.w.Opened == st))
	x.backup.SetEnabled(d.CanBackUp())
	if st == nil {
		x.facts.SetText(words.T("storage.none"))
		if d.StorePath() != "" {
			x.facts.SetText(words.T("storage.left"))
			if d.CanRepair() {
				x.facts.SetText(words.T("storage.notOpen"))
			}
			x.facts.SetColor(kit.ColorError)
		}
		x.days.Disable()
		x.count.Disable()
		return
	}
	d.MeasureStorage(func(s desk.Storage, err error) {
		if err != nil {
			x.fail(err)
			return
		}
		text := contents("storage.facts", int(s.Records), int(s.Sources), "size", words.Bytes(s.Size))
		if r, damaged := st.Rest(); damaged {
			x.result.Set(kit.Failure, show.DamagedWords(r), words.T("storage.damaged.repair"))
		}
		if st.ReadOnly() {
			text += " · " + words.T("storage.readOnly")
		}
		x.facts.SetText(text)
		x.showRetention(s.Retention)
	})
}

// contents says how many records there are, and of how many files they have the originals.
func contents(key string, records, files int, more ...any) string {
	return words.T(key, append(more, "records", words.T("count.records", "count", records),
		"files", words.T("count.files", "count", files))...)
}

func (x *storagePage) fail(err error) {
	head, rest, _ := show.ErrorWords(err)
	x.result.Set(kit.Failure, head, rest)
}

func (x *storagePage) busy(key string) { x.result.Set(kit.Info, words.T(key), "") }

func (x *storagePage) check() {
	x.busy("storage.checking")
	x.w.Desk.CheckStore(func(c store.Check, err error) {
		switch {
		case err != nil:
			x.fail(err)
		case len(c.Found) == 0:
			x.result.Set(kit.Info,
				contents("storage.whole", c.Records, c.Sources), "")
		default:
			x.found = strings.Join(c.Found, "\n")
			x.details.Enable()
			x.result.Set(kit.Warning, words.T("storage.damaged", "count", len(c.Found)), words.T("storage.damaged.next"))
		}
	})
}

func (x *storagePage) backUp() {
	x.busy("storage.backingUp")
	x.w.Desk.BackupStore(func(path string, err error) {
		if err != nil {
			x.fail(err)
			return
		}
		x.result.Set(kit.Info, words.T("storage.backedUp"), path)
	})
}

func (x *storagePage) reclaim() {
	x.busy("storage.compacting")
	x.w.Desk.CompactStore(func(freed int64, err error) {
		if err != nil {
			x.fail(err)
			return
		}
		x.result.Set(kit.Info, words.T("storage.compacted", "size", words.Bytes(freed)), "")
		x.measure()
	})
}

func (x *storagePage) askRepair() {
	kit.Ask(x.w.Win.Canvas(), words.T("storage.repair.title"), words.T("storage.repair.means"), words.T("storage.repair.do"),
		words.T("do.cancel"), kit.Primary, func() {
			x.busy("storage.repairing")
			x.w.Desk.RepairStore(func(r store.Repaired, err error) {
				if err != nil {
					x.fail(err)
				} else {
					x.result.Set(kit.Info, words.T("storage.repaired", "rows", words.Int(r.Rows), "lost", words.Int(r.Lost)),
						words.T("storage.aside", "path", r.Aside))
				}
				x.facts.SetColor(kit.ColorMuted)
				x.x.attend(Storage, storageUrgency(x.w.Desk))
				x.measure()
			})
		})
}

const day = 24 * time.Hour

// showRetention fills the fields with the setting.
func (x *storagePage) showRetention(r store.Retention) {
	set := func(f *kit.TextField, n int) {
		f.SetText("")
		if n > 0 {
			f.SetText(strconv.Itoa(n))
		}
	}
	set(x.days, int(r.Age/day))
	set(x.count, r.Records)
	x.retentionChanged()
	x.keep.Disable()
}

// retention is what the fields say; false when they say nothing that means a
// number.
func (x *storagePage) retention() (r store.Retention, ok bool) {
	const mostDays = 100_000 // nearly three centuries, as long as a duration can be
	number := func(f *kit.TextField, most int) (int, bool) {
		text := strings.TrimSpace(f.Text())
		if text == "" {
			f.SetBad(false)
			return 0, true
		}
		n, err := strconv.Atoi(text)
		good := err == nil && n > 0 && n <= most
		f.SetBad(!good)
		return n, good
	}
	days, ok1 := number(x.days, mostDays)
	count, ok2 := number(x.count, 1<<31-1)
	return store.Retention{Age: time.Duration(days) * day, Records: count}, ok1 && ok2
}

// retentionChanged shows what the fields would delete.
func (x *storagePage) retentionChanged() {
	r, ok := x.retention()
	x.expire.Disable()
	x.keep.SetEnabled(ok && x.w.Desk.Store() != nil && !x.w.Desk.Store().ReadOnly())
	switch {
	case !ok:
		x.would.SetText(words.T("storage.badNumber"))
	case r == store.Retention{}:
		x.would.SetText(words.T("storage.off"))
	default:
		x.would.SetText(words.T("storage.measuring"))
		x.w.Desk.WouldExpire(r, func(e desk.Expiring, err error) {
			if err != nil {
				x.fail(err)
				return
			}
			x.would.SetText(words.T("storage.would", "count", e.Records, "size", words.Bytes(e.Freed)))
			x.expire.SetEnabled(e.Records > 0)
		})
	}
}

func (x *storagePage) askExpire() {
	r, _ := x.retention()
	x.w.Desk.WouldExpire(r, func(e desk.Expiring, err error) {
		if err != nil {
			x.fail(err)
			return
		}
		kit.Ask(x.w.Win.Canvas(), words.T("storage.expire.title", "count", e.Records),
			words.T("storage.expire.means", "size", words.Bytes(e.Freed)),
			words.T("do.delete"), words.T("do.cancel"), kit.Danger, func() { x.setRetention(true) })
	})
}

func (x *storagePage) setRetention(expire bool) {
	r, ok := x.retention()
	if !ok {
		return
	}
	x.w.Desk.SetRetention(r, expire, func(e desk.Expiring, err error) {
		if err != nil {
			x.fail(err)
			return
		}
		x.keep.Disable()
		if expire {
			x.result.Set(kit.Info, words.T("storage.expired", "count", e.Records, "size", words.Bytes(e.Freed)), "")
			x.measure()
			return
		}
		x.result.Set(kit.Info, words.T("storage.kept"), words.T("storage.kept.next"))
	})
}

// try opens the database that the field names, and closes it again.
func (x *storagePage) try() {
	address := show.Home(strings.TrimSpace(x.address.Text()))
	if address == "" {
		x.use.Enable() // back to the usual place
		x.result.Set(kit.Info, words.T("storage.usual"), "")
		return
	}
	x.busy("storage.trying")
	x.w.Desk.TryStore(address, func(s store.Stats, err error) {
		if err != nil {
			x.fail(err)
			return
		}
		x.use.Enable()
		if s.Version == 0 {
			x.result.Set(kit.Info, words.T("storage.willBeMade"), "")
			return
		}
		x.result.Set(kit.Info, words.T("storage.there", "count", int(s.Records), "size", words.Bytes(s.Size)), "")
	})
}

// useAddress keeps the address for the next start; a password in it is not kept.
func (x *storagePage) useAddress() {
	address, had := store.WithoutPassword(show.Home(strings.TrimSpace(x.address.Text())))
	x.w.Settings.SetDatabase(address)
	x.address.SetText(address)
	x.use.Disable()
	next := ""
	if had {
		next = words.T("storage.password")
	}
	x.result.Set(kit.Info, words.T("storage.used"), next)
}
