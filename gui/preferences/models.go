package preferences

import (
	"reflect"
	"strconv"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"palimpsest/compaction/session/online"
	"palimpsest/compaction/summarize/remote"
	"palimpsest/gui/dialogs"
	"palimpsest/gui/kit"
	"palimpsest/gui/screen"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
)

// ModelsPage sets up the model that makes summaries. Nothing is sent but what a test
// sends.
type ModelsPage struct {
	x    *Window
	w    *screen.Host
	body fyne.CanvasObject

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
	windowIs *kit.Paragraph // what holds while the field is empty
	price    *kit.Paragraph
	result   *kit.Notice
	found    []remote.Model
	test     *modelTest

	servers *serverList
}

// Where a key can be.
const (
	keyNone = iota
	keyVariable
	keyStore
)

// ShowModels opens the settings at the page of the models.
func ShowModels(w *screen.Host) *ModelsPage { return Show(w, Models).made[Models].(*ModelsPage) }

func newModelsPage(win *Window) page {
	x := &ModelsPage{x: win, w: win.W}
	names := []string{words.T("provider.none")}
	for _, k := range remote.Presets() {
		names = append(names, k.Title)
	}
	names = append(names, words.T("provider.other"))
	field := func(hint string) *kit.TextField { return kit.NewTextField(hint, nil) }
	x.known = kit.NewSelect(names, 0, x.choose)
	x.endpoint, x.model = field("http://localhost:11434/v1"), field(words.T("provider.modelHint"))
	x.models = kit.NewSelect(nil, -1, func(i int) { x.take(x.found[i]) })
	x.models.SetHint(words.T("provider.models"))
	x.models.Disable()
	x.key, x.Secret = field("OPENAI_API_KEY"), kit.NewSecret(words.T("provider.secretHint"), nil)
	x.keyRow = kit.Row(8)
	x.keyIn = kit.NewSegments([]string{words.T("provider.keyNone"), words.T("provider.keyVariable"), words.T("provider.keyStore")}, 0,
		x.showKey)
	x.timeout, x.window = field(""), field(words.T("provider.windowHint"))
	x.window.OnChanged = func(string) { x.showWindow() }
	x.windowIs = kit.NewParagraph("", kit.ColorMuted, 12, 3)
	x.price = kit.NewParagraph("", kit.ColorText, 13, 3)
	x.endpoint.OnChanged = func(string) { x.known.Select(knownServer(x.endpoint.Text())) }
	x.model.OnChanged = func(string) { x.showPrice(); x.showWindow() }
	x.result = kit.NewNotice(kit.Info, words.T("provider.offline"), words.T("provider.caption"))
	x.test = newModelTest(x)
	form := kit.Column(0, kit.Pad(14, 16, 10, 16, x.form().Rows()), kit.NewRule(), kit.Stretch(scrolled(x.test.object())))
	x.servers = newServerList(x)
	side := container.NewBorder(nil, nil, nil, kit.NewRule(), kit.Sized(serversWidth, 0, x.servers.obj))
	x.body = container.NewBorder(nil, nil, side, nil, form)
	x.fill(x.servers.chosen())
	return x
}

// fill shows a server in the fields.
func (x *ModelsPage) fill(s online.Server) {
	x.endpoint.SetText(s.BaseURL)
	x.model.SetText(s.Model)
	x.known.Select(knownServer(s.BaseURL))
	x.key.SetText(s.Key.Env)
	x.Secret.SetText("")
	x.timeout.SetText(strconv.Itoa(int(orElse(s.Timeout, remote.DefaultTimeout).Seconds())))
	x.window.SetText(numberText(float64(s.Window)))
	x.found = nil
	x.models.SetNames(nil, -1)
	x.models.Disable()
	at := keyNone
	switch {
	case s.Key.Keyring != "":
		at = keyStore
	case s.Key.Env != "":
		at = keyVariable
	}
	x.keyIn.Select(at)
	x.showKey(at)
	x.showPrice()
	x.showWindow()
	x.test.show(&s)
}

func (x *ModelsPage) form() *kit.Form {
	prices := kit.NewLink(words.T("provider.prices"), func() { x.x.Go(Tokens) }).WithTip("provider.prices.tip")
	return kit.NewFormOf(120, 24, 6).
		Row(words.T("provider.server"), kit.Sized(260, 24, x.known)).
		Wide(words.T("provider.endpoint"), x.endpoint).
		Row(words.T("provider.model"), kit.Stretch(x.model), kit.Sized(230, 24, x.models)).
		Row(words.T("provider.key"), x.keyIn, kit.Stretch(x.keyRow)).
		Row(words.T("provider.window"), kit.Sized(110, 24, x.window), kit.Stretch(x.windowIs)).
		Row(words.T("provider.timeout"), kit.Sized(110, 24, x.timeout), kit.NewText(words.T("provider.seconds"), kit.ColorMuted, 12)).
		Row(words.T("provider.price"), kit.Stretch(x.price), prices).
		Row(words.T("provider.wording"), kit.NewButton(words.T("provider.edit"), kit.Secondary, func() { dialogs.ShowTemplate(x.w) }).
			WithTip("provider.edit.tip")).
		Add(x.result)
}

func (x *ModelsPage) object() fyne.CanvasObject {
	x.showPrice() // it may have been changed on its page
	return x.body
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
func (x *ModelsPage) choose(i int) {
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
func (x *ModelsPage) showKey(at int) {
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
func (x *ModelsPage) read() online.Provider {
	p := x.w.Desk.Provider()
	if x.servers != nil {
		p.Endpoint = x.servers.chosen().Endpoint
	}
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
func (x *ModelsPage) showPrice() {
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

// showWindow shows the context window in force and the number's source.
func (x *ModelsPage) showWindow() {
	p := x.read()
	if p.Model == "" {
		x.windowIs.SetText("")
		return
	}
	n, assumed := p.ContextWindow()
	key := "provider.windowTable"
	switch {
	case p.Window > 0:
		key = "provider.windowHere"
	case assumed:
		key = "provider.windowAssumed"
	}
	x.windowIs.SetText(words.T(key, "window", words.Int(int64(n))))
}

// withKey does something once a key that was typed lies in the key store.
func (x *ModelsPage) withKey(p online.Provider, do func()) {
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

// take puts a model that the server offers into the fields.
func (x *ModelsPage) take(m remote.Model) {
	x.model.SetText(m.ID)
	x.showPrice()
	if m.Window > 0 {
		x.window.SetText(strconv.Itoa(m.Window))
	}
	x.showWindow()
}

// leave keeps what the fields say.
func (x *ModelsPage) leave() bool {
	if !x.keep() {
		return false
	}
	if p := x.w.Desk.Provider().With(x.servers.all); !reflect.DeepEqual(p, x.w.Desk.Provider()) {
		x.w.Desk.SetProvider(p)
	}
	return true
}

// keep takes the fields over into the list, unless one can't be what it says.
func (x *ModelsPage) keep() bool {
	p := x.read()
	if p.BaseURL != "" {
		c, err := remote.New(p.Endpoint)
		if err != nil {
			head, _, _ := show.ErrorWords(err)
			x.result.Set(kit.Failure, head, "")
			return false
		}
		c.Close()
	}
	x.withKey(p, func() {})
	x.servers.all[x.servers.at] = online.Server{Endpoint: p.Endpoint, Window: p.Window}
	return true
}
