package dialogs

import (
	"strconv"
	"strings"
	"time"

	"fyne.io/fyne/v2"

	"palimpsest/compaction/session/online"
	"palimpsest/compaction/summarize/remote"
	"palimpsest/gui/kit"
	"palimpsest/gui/screen"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
)

// providerDialog sets up the model that makes summaries. Nothing is sent but
// what Test connection sends.
type providerDialog struct {
	w   *screen.Host
	Dlg *kit.Dialog

	known    *kit.Select
	endpoint *kit.TextField
	model    *kit.TextField
	models   *kit.Select
	keyIn    *kit.Segments
	key      *kit.TextField // name of the variable
	Secret   *kit.TextField // for the key store; never filled in
	keyRow   *fyne.Container
	timeout  *kit.TextField
	window   *kit.TextField
	price    *kit.Text
	result   *kit.Notice
	found    []remote.Model
}

// Where a key can be.
const (
	keyNone = iota
	keyVariable
	keyStore
)

func ShowProvider(w *screen.Host) *providerDialog {
	x := &providerDialog{w: w}
	p := w.Desk.Provider()
	names := []string{words.T("provider.none")}
	for _, k := range remote.Presets() {
		names = append(names, k.Title)
	}
	names = append(names, words.T("provider.other"))
	field := func(text, hint string) *kit.TextField {
		f := kit.NewTextField(hint, nil)
		f.SetText(text)
		return f
	}
	x.known = kit.NewSelect(names, knownServer(p.BaseURL), x.choose)
	x.endpoint, x.model = field(p.BaseURL, "http://localhost:11434/v1"), field(p.Model, words.T("provider.modelHint"))
	x.models = kit.NewSelect(nil, -1, func(i int) { x.take(x.found[i]) })
	x.models.SetHint(words.T("provider.models"))
	x.models.Disable()
	x.key, x.Secret = field(p.Key.Env, "OPENAI_API_KEY"), kit.NewSecret(words.T("provider.secretHint"), nil)
	x.keyRow = kit.Row(8)
	x.keyIn = kit.NewSegments([]string{words.T("provider.keyNone"), words.T("provider.keyVariable"), words.T("provider.keyStore")}, 0,
		x.showKey)
	x.timeout = field(strconv.Itoa(int(orElse(p.Timeout, remote.DefaultTimeout).Seconds())), "")
	x.window = field(numberText(float64(p.Window)), words.T("provider.windowHint"))
	x.price = kit.Label("").Fit()
	x.endpoint.OnChanged = func(string) { x.known.Select(knownServer(x.endpoint.Text())) }
	x.model.OnChanged = func(string) { x.showPrice() }
	x.result = kit.NewNotice(kit.Info, words.T("provider.offline"), "")
	test := kit.NewButton(words.T("provider.test"), kit.Secondary, x.Test)
	prices := kit.NewButton(words.T("provider.prices"), kit.Secondary, func() {
		ShowPrices(w, strings.TrimSpace(x.model.Text()), x.showPrice)
	})
	form := kit.NewForm().
		Row(words.T("provider.server"), kit.Sized(260, 24, x.known)).
		Wide(words.T("provider.endpoint"), x.endpoint).
		Row(words.T("provider.model"), kit.Stretch(x.model), kit.Sized(230, 24, x.models)).
		Row(words.T("provider.key"), x.keyIn).
		Wide("", x.keyRow).
		Row(words.T("provider.timeout"), kit.Sized(70, 24, x.timeout), kit.NewText(words.T("provider.seconds"), kit.ColorMuted, 12),
			kit.Sized(24, 0, kit.Spring()), kit.NewText(words.T("provider.window"), kit.ColorMuted, 13), kit.Sized(110, 24, x.window)).
		Row(words.T("provider.price"), prices, kit.Stretch(x.price)).
		Row(words.T("provider.wording"), kit.NewButton(words.T("provider.edit"), kit.Secondary, func() { ShowTemplate(w) })).
		Add(kit.Row(10, test, kit.Stretch(x.result)))
	x.Dlg = kit.NewDialog(words.T("provider.title"), "", form.Body(), 680, 0)
	x.Dlg.SetCaption(words.T("provider.caption"))
	x.Dlg.SetButtons(kit.NewButton(words.T("do.cancel"), kit.Secondary, x.Dlg.Close),
		kit.NewButton(words.T("provider.use"), kit.Primary, x.use))
	switch {
	case p.Key.Keyring != "":
		x.keyIn.Select(keyStore)
	case p.Key.Env != "":
		x.keyIn.Select(keyVariable)
	}
	x.showKey(x.keyIn.Selected())
	x.showPrice()
	x.Dlg.ShowOn(w.Win.Canvas())
	return x
}

// knownServer is the place of an address in the list of servers: none first, any
// other last.
func knownServer(address string) int {
	list := remote.Presets()
	for i, k := range list {
		if k.Endpoint.BaseURL == address {
			return i + 1
		}
	}
	if address == "" {
		return 0
	}
	return len(list) + 1
}

func orElse(d, other time.Duration) time.Duration {
	if d <= 0 {
		return other
	}
	return d
}

// numberText is a number in a field; empty for none.
func numberText(v float64) string {
	if v <= 0 {
		return ""
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// choose takes a known server over, or none.
func (x *providerDialog) choose(i int) {
	list := remote.Presets()
	switch {
	case i == 0:
		x.endpoint.SetText("")
		x.model.SetText("")
		x.keyIn.Select(keyNone)
	case i <= len(list):
		end := list[i-1].Endpoint
		x.endpoint.SetText(end.BaseURL)
		x.key.SetText(end.Key.Env)
		at := keyNone
		if end.Key.Env != "" {
			at = keyVariable
		}
		x.keyIn.Select(at)
	}
	x.showKey(x.keyIn.Selected())
}

// showKey shows the field for where the key is.
func (x *providerDialog) showKey(at int) {
	switch at {
	case keyVariable:
		x.keyRow.Objects = []fyne.CanvasObject{kit.Sized(240, 24, x.key), kit.NewText(words.T("provider.variableNote"), kit.ColorMuted, 12)}
	case keyStore:
		x.keyRow.Objects = []fyne.CanvasObject{kit.Sized(240, 24, x.Secret), kit.NewText(words.T("provider.storeNote"), kit.ColorMuted, 12)}
	default:
		x.keyRow.Objects = []fyne.CanvasObject{kit.NewText(words.T("provider.noKeyNote"), kit.ColorMuted, 12)}
	}
	x.keyRow.Refresh()
}

// account is the name in the key store: one for each server.
func account(endpoint string) string { return (remote.Endpoint{BaseURL: endpoint}).Host() }

// read is what the fields say. The key is not among it.
func (x *providerDialog) read() online.Provider {
	p := x.w.Desk.Provider()
	p.BaseURL, p.Model = strings.TrimRight(strings.TrimSpace(x.endpoint.Text()), "/"), strings.TrimSpace(x.model.Text())
	p.Key = remote.KeyRef{}
	switch x.keyIn.Selected() {
	case keyVariable:
		p.Key.Env = strings.TrimSpace(x.key.Text())
	case keyStore:
		p.Key.Keyring = account(p.BaseURL)
	}
	seconds, err := strconv.Atoi(strings.TrimSpace(x.timeout.Text()))
	if p.Timeout = 0; err == nil && seconds > 0 {
		p.Timeout = time.Duration(seconds) * time.Second
	}
	p.Window = 0
	if n, err := kit.ParseNumber(x.window.Text()); err == nil {
		p.Window = max(0, int(n.N))
	}
	return p
}

// showPrice shows what the model in the field costs, if that is known.
func (x *providerDialog) showPrice() {
	p := x.w.Desk.Provider()
	p.Model = strings.TrimSpace(x.model.Text())
	price := p.Price()
	if !price.Known() {
		x.price.SetText(words.T("provider.noPrice"))
		return
	}
	x.price.SetText(words.T("provider.priceIs", "in", numberText(price.Input), "out", numberText(price.Output), "currency",
		price.Currency, "date", price.Date))
}

// withKey does something once a key that was typed lies in the key store.
func (x *providerDialog) withKey(p online.Provider, do func()) {
	if x.keyIn.Selected() != keyStore || x.Secret.Text() == "" {
		do()
		return
	}
	x.w.Desk.SaveKey(p.Key.Keyring, x.Secret.Text(), func(err error) {
		if err != nil {
			x.result.Set(kit.Failure, show.UpperFirst(err.Error()), words.T("provider.useVariable"))
			return
		}
		x.Secret.SetText("")
		do()
	})
}

// Test asks the server for its models.
func (x *providerDialog) Test() {
	p := x.read()
	x.result.Set(kit.Info, words.T("provider.testing"), "")
	x.withKey(p, func() {
		x.w.Desk.TestProvider(p, func(f *remote.Found, err error) {
			if err != nil {
				head, _, _ := show.ErrorWords(err)
				x.result.Set(kit.Failure, head, "")
				return
			}
			x.tested(p, f)
		})
	})
}

func (x *providerDialog) tested(p online.Provider, f *remote.Found) {
	x.found = f.Models
	names := make([]string, len(f.Models))
	at := -1
	for i, m := range f.Models {
		if names[i] = m.ID; m.ID == p.Model {
			at = i
		}
	}
	x.models.SetNames(names, at)
	x.models.SetEnabled(len(names) > 0)
	took := words.Duration(f.Took)
	switch {
	case p.Model == "":
		x.result.Set(kit.Info, words.T("provider.choose", "time", took, "count", len(names)), "")
	case !f.Has:
		x.result.Set(kit.Warning, words.T("provider.notThere", "time", took, "model", p.Model), "")
	default:
		x.take(f.Models[at])
		window := "?"
		if n := f.Models[at].Window; n > 0 {
			window = words.Int(int64(n))
		}
		x.result.Set(kit.Info, words.T("provider.there", "time", took, "model", p.Model, "window", window), "")
	}
}

// take puts a model that the server offers into the fields.
func (x *providerDialog) take(m remote.Model) {
	x.model.SetText(m.ID)
	x.showPrice()
	if m.Window > 0 {
		x.window.SetText(strconv.Itoa(m.Window))
	}
}

// use keeps what the fields say.
func (x *providerDialog) use() {
	p := x.read()
	if p.BaseURL != "" {
		if c, err := remote.New(p.Endpoint); err != nil {
			head, _, _ := show.ErrorWords(err)
			x.result.Set(kit.Failure, head, "")
			return
		} else {
			c.Close()
		}
	}
	x.withKey(p, func() {
		x.w.Desk.SetProvider(p)
		x.Dlg.Hide()
	})
}
