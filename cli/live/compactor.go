package live

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"palimpsest/compaction"
	"palimpsest/compaction/session"
	"palimpsest/compaction/session/doors"
	"palimpsest/model"
	"palimpsest/model/store"
	"palimpsest/model/transcript"
	"palimpsest/model/transcript/jspan"
)

// Mode is what a gateway does to requests.
type Mode string

// The modes.
const (
	Watch      Mode = "watch"  // nothing
	ClearMode  Mode = "clear"  // old tool results go
	LedgerMode Mode = "ledger" // messages go, for a ledger made without a model
	ModelMode  Mode = "model"  // messages go, for a summary that a model is asked for
)

// Policy is a policy as the mode carries it out.
func (m Mode) Policy(p model.Policy) model.Policy {
	switch m {
	case ClearMode:
		p = compaction.ClearingOnly(p)
	case LedgerMode:
		p.Strategy = model.NoteText
	case ModelMode:
		if !p.Strategy.Asks() {
			p.Strategy = model.ModelText
		}
	}
	p.NoThinking = false // requests keep the thinking of messages that stay
	return p
}

// Compactor compacts requests on their way. What it sends for a request follows from
// the request, the policy and the store alone:
//
//	request  m1 m2 m3 m4 m5          the trigger fires: record, overlay(m1…m5) = S m4 m5
//	sent      S       m4 m5
//	request  m1 m2 m3 m4 m5 m6 m7    begins with what the overlay covers
//	sent      S       m4 m5 m6 m7    …and so for ever, also after a restart
//
// An overlay is stored before a request is sent with it. In any doubt the request is
// sent as it would have been.
type Compactor struct {
	Mode Mode // Watch: only measures
	// Overlaid is whether something was sent compacted before: it goes on being sent so,
	// whatever the mode is now.
	Overlaid bool
	Policy   model.Policy
	Store    *store.Store
	Open     Opener
	Dir      string // where requests that were compacted are kept
	Now      func() time.Time
	Log      *slog.Logger
	Health   *doors.Health // nil: no health is asked for

	limits *limits // nil: the table of models is all that is known
	sizes  sizes
	kept   recent[[32]byte, *overlay] // unpacked, by chain
	busy   sync.Map                   // a lock for each session that was compacted, by its root
	rest   rest
	said   sync.Map // doubts that were said, by session and where
}

// Source is a request to be read as a document.
type Source struct {
	Path   string
	Bytes  []byte // in memory; nil: the file at Path
	Format model.Format
	Store  session.Store // nil: it is only measured
	Ratio  float64       // tokens as the server counts them for each of ours; 0: not known
}

// Opener reads what is in a file or in memory; records go to the store that is given,
// if one is.
type Opener func(ctx context.Context, src Source) (*session.File, error)

// Opening is an Opener with options of its own.
func Opening(opt session.Options) Opener {
	return func(ctx context.Context, src Source) (*session.File, error) {
		opt, ro := opt, transcript.Options{Format: src.Format}
		opt.Store, opt.Ratio = src.Store, src.Ratio
		if st, ok := src.Store.(session.Answers); ok {
			opt.Answers = st
		}
		if src.Bytes == nil {
			return session.Open(ctx, src.Path, opt, ro)
		}
		d, err := transcript.Read(ctx, src.Path, bytes.NewReader(src.Bytes), int64(len(src.Bytes)), ro)
		if err != nil {
			return nil, err
		}
		return session.NewFile(d, opt), nil
	}
}

// decision is what becomes of a request.
type decision struct {
	send    []byte
	by      *overlay // nil: the request itself
	size    size     // of what is sent
	policy  model.Policy
	doubt   string // why the trigger's firing led to nothing
	granted model.LiveWish
	mode    Mode
}

// wishes is what a person wants of the session that a request belongs to.
type wishes struct {
	paused bool
	wish   model.LiveWish
	locked bool // another program has the database, and a writer would wait for it
}

// Decide returns what is sent for a request. It never fails: the request itself is
// always an answer.
func (c *Compactor) Decide(ctx context.Context, b *body, w wishes) (d decision) {
	d.send, d.mode = b.raw, c.Mode
	defer func() {
		if p := recover(); p != nil {
			c.Log.Error("a request is sent as it is", "why", p)
			d = decision{send: b.raw, mode: c.Mode, doubt: fmt.Sprintf("a fault of the program: %v", p)}
		}
	}()
	var err error
	d.policy, err = c.policyFor(ctx, b)
	if c.onlyWatches() || len(b.items) == 0 {
		return d // the server reports its size
	}
	own := b.compactsItself()
	if err == nil && (c.Mode != Watch || own) {
		d.size, err = c.measure(ctx, b, nil)
	}
	if err != nil {
		d.doubt = "its size can't be measured: " + err.Error()
	}
	list, err := c.overlays(ctx, b)
	if err != nil {
		d.doubt = err.Error()
		return d
	}
	if w.wish == model.RestoreNext {
		return c.restore(ctx, b, d, list)
	}
	original := d
	if n := len(list); n > 0 {
		d = c.with(ctx, b, d, list[n-1])
	}
	if own && (d.policy.Window == 0 || original.size.tokens <= d.policy.Window) {
		return original // it is to see everything
	}
	manual := w.wish == model.CompactNext
	switch {
	case c.Mode == Watch, d.by != nil && d.by.of == len(b.items), d.doubt != "", w.paused && !manual, own:
		return d // the same request is sent the same
	case !manual && !c.fires(&d):
		return d
	case w.locked:
		d.doubt = c.locked(b)
		return d
	}
	d.granted = w.wish
	return c.compact(ctx, b, d, manual)
}

// locked says, once a session, that nothing is compacted while another program has the database.
func (c *Compactor) locked(b *body) (why string) {
	why = "another program has the database locked"
	if c.first(b, "locked") {
		c.Log.Warn("a request is sent as it is, though the threshold is reached", "why", why)
	}
	return why
}

// measure is the size of a request as it is sent with an overlay. It is fitted to what the
// server reported of the session's last call, and no less than that with what was added.
func (c *Compactor) measure(ctx context.Context, b *body, o *overlay) (size, error) {
	s, err := c.sizes.of(ctx, c, b, b.effective(o))
	if err != nil {
		return s, err
	}
	last, _ := c.sizes.calls.get(b.root())
	s.counted, s.tokens = s.tokens, last.of(s.tokens)
	if last.reported > 0 {
		s.fixed = int(float64(s.fixed) * last.slope)
	}
	return s, nil
}

// withLimit is a policy for a model of which the table of models says nothing, where a
// clause is a share of its limit.
func (c *Compactor) withLimit(ctx context.Context, b *body, p model.Policy) model.Policy {
	if p.Window == 0 && c.Mode != Watch && c.limits != nil && slices.ContainsFunc(p.Triggers,
		func(t model.Clause) bool { return t.Share > 0 }) {
		p.Window = c.limits.of(ctx, b.model, b.header, b.listPath)
	}
	return p
}

// policyFor is the policy for a request's model.
func (c *Compactor) policyFor(ctx context.Context, b *body) (model.Policy, error) {
	if p, ok := c.sizes.models.get(b.model); ok {
		return c.withLimit(ctx, b, p), nil
	}
	s, f, err := c.small(ctx, b.api, hello(b.api, b.model))
	if err != nil {
		return model.Policy{}, err
	}
	defer f.Close()
	s.UsePreset(c.Policy)
	p := s.Policy()
	if c.Policy.Window == 0 && s.Window().From == session.WindowAssumed {
		p.Window = 0 // the server may know it
	}
	c.sizes.models.put(b.model, p)
	return c.withLimit(ctx, b, p), nil
}

// onlyWatches reports whether every request is sent as it is.
func (c *Compactor) onlyWatches() bool { return c.Mode == Watch && !c.Overlaid }

// with is a decision for an overlay.
func (c *Compactor) with(ctx context.Context, b *body, d decision, o *overlay) decision {
	d.by, d.send = o, b.splice(o)
	if c.Mode == Watch {
		return d
	}
	var err error
	if d.size, err = c.measure(ctx, b, o); err != nil {
		d.doubt = "its size can't be measured: " + err.Error()
	}
	return d
}

// restore sends the messages themselves again.
func (c *Compactor) restore(ctx context.Context, b *body, d decision, list []*overlay) decision {
	chains := make([][32]byte, len(list))
	for i, o := range list {
		chains[i] = o.chain
	}
	if err := c.Store.DropOverlays(ctx, chains...); err != nil {
		d.doubt = err.Error()
		return d
	}
	d.granted = model.RestoreNext
	return d
}

// fires reports whether the trigger may fire. Units that only a plan can measure
// always may.
func (c *Compactor) fires(d *decision) bool {
	for _, clause := range d.policy.Triggers {
		switch g := compaction.GaugeOf(clause, d.policy.Window); g.Unit {
		case model.Tokens:
			if g.Fires(int64(d.size.tokens)) {
				return true
			}
		case model.Messages:
			if g.Fires(int64(d.size.messages)) {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// overlays are those in force for a request, the one that covers most at the end.
func (c *Compactor) overlays(ctx context.Context, b *body) ([]*overlay, error) {
	rows, err := c.Store.Overlays(ctx, b.root())
	if err != nil {
		return nil, err
	}
	var list []*overlay
	for i := 1; i < len(b.keys); i++ {
		for k := range rows {
			if rows[k].Chain != b.keys[i] {
				continue
			}
			o, err := c.unpack(&rows[k], i)
			if err != nil {
				return nil, err
			}
			list = append(list, o)
		}
	}
	return list, nil
}

// compact makes a record and an overlay, or says in a record why not.
func (c *Compactor) compact(ctx context.Context, b *body, d decision, manual bool) decision {
	one, _ := c.busy.LoadOrStore(b.root(), new(sync.Mutex))
	one.(*sync.Mutex).Lock()
	defer one.(*sync.Mutex).Unlock()
	// Another call of this session may have been compacted while this one waited.
	list, err := c.overlays(ctx, b)
	if n := len(list); err == nil && n > 0 && list[n-1].of == len(b.items) {
		return c.with(ctx, b, d, list[n-1])
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx)) // what was begun is of use to the next call
	defer cancel()
	o, why, err := c.attempt(ctx, b, &d, manual)
	if o != nil {
		o, err = c.store(ctx, b, o)
	}
	if err != nil {
		o, why = nil, err.Error()
	}
	if o == nil {
		d.doubt = why
		if why != "" && (err != nil || c.first(b, "log")) {
			c.Log.Warn("a request is sent as it would have been", "why", why)
		}
		return d
	}
	if c.Health != nil {
		c.Health.Fired(o.record, c.Now())
	}
	return c.with(ctx, b, d, o)
}

// errNotLegal says that what was made can't be sent.
var errNotLegal = errors.New("what would be sent is not what the server accepts")

// attempt makes an overlay; nil with a reason: the policy refuses, or waits ("").
func (c *Compactor) attempt(ctx context.Context, b *body, d *decision, manual bool) (*overlay, string, error) {
	if why := b.outOfReach(); why != "" {
		return nil, why, c.tell(ctx, b, d, why)
	}
	if why := c.waits(d, manual); why != "" {
		return nil, why, nil
	}
	t, err := c.open(ctx, b, d)
	if err != nil {
		return nil, "", err
	}
	defer t.close()
	draft, err := t.draft(ctx, d, manual)
	if err != nil {
		return nil, "", errors.Join(err, t.note(ctx, draft, model.Failed, err.Error()))
	}
	if draft.Plan.Outcome != compaction.WouldApply {
		if draft.Plan.Why.Code == "not-triggered" {
			return nil, "", nil
		}
		why := session.Refusal(draft.Plan, t.s.Estimated())
		return nil, why, t.note(ctx, draft, model.Refused, why)
	}
	before, after := draft.Plan.Before.Tokens, draft.Plan.After.Tokens
	if !manual && (before-after)*leastStep < before {
		why := fmt.Sprintf("it would free only %d of %d tokens", before-after, before)
		return nil, why, t.note(ctx, draft, model.Refused, why)
	}
	o, out, err := c.make(b, d, t, draft)
	if err != nil {
		err = fmt.Errorf("%w: %w", errNotLegal, err)
		return nil, "", errors.Join(err, t.note(ctx, draft, model.Refused, err.Error()))
	}
	to := session.Output{Path: strings.TrimSuffix(t.path, ".json") + ".compacted.json", Aside: true}
	recs, written, err := session.ApplyTo(ctx, to, []session.Part{{Session: t.s, Draft: draft}})
	if err != nil {
		return nil, "", err
	}
	t.keep = true
	if is, err := os.ReadFile(written.Path); err != nil || !bytes.Equal(is, out) {
		return nil, "", errors.Join(errNotLegal, err)
	}
	o.record = recs[0].ID
	return o, "", nil
}

// leastStep is the least share of the context that a compaction frees, as a divisor:
// each one costs the prompt cache once.
const leastStep = 10

// store makes an overlay last before anything is sent with it.
func (c *Compactor) store(ctx context.Context, b *body, o *overlay) (*overlay, error) {
	packed, err := packOverlay(o)
	if err != nil {
		return nil, err
	}
	row, err := c.Store.AddOverlay(ctx, store.Overlay{Chain: o.chain, Root: b.root(), Record: o.record, Body: packed})
	if err != nil {
		return nil, err
	}
	return c.unpack(&row, len(b.items))
}

// make turns a draft into an overlay, and checks what would be sent.
func (c *Compactor) make(b *body, d *decision, t *opened, draft *session.Draft) (*overlay, []byte, error) {
	left, err := t.s.Records.Preview(draft)
	if err != nil {
		return nil, nil, err
	}
	var out bytes.Buffer
	if n := draft.Plan.Before.Tokens; n > 0 {
		out.Grow(int(int64(len(d.send)) * min(draft.Plan.After.Tokens, n) / n))
	}
	if _, err := left.Export(&out); err != nil {
		return nil, nil, err
	}
	before, err := cut(b.api, d.send)
	if err != nil {
		return nil, nil, err
	}
	after, err := cut(b.api, out.Bytes())
	if err != nil {
		return nil, nil, err
	}
	was, is := d.send, out.Bytes()
	if !bytes.Equal(was[:before.list.Off], is[:after.list.Off]) || !bytes.Equal(was[before.list.End:], is[after.list.End:]) {
		return nil, nil, errors.New("what is beside the messages would change")
	}
	o, err := b.compose(b.effective(d.by), before.items, after.items)
	if err != nil {
		return nil, nil, err
	}
	sent, err := cut(b.api, b.splice(o))
	if err != nil {
		return nil, nil, err
	}
	if err := errors.Join(legal(b.api, before.items, sent.items), thoughtsStay(before.items, sent.items)); err != nil {
		return nil, nil, err
	}
	return o, out.Bytes(), nil
}

// cut finds the messages of a body.
func cut(a *api, raw []byte) (*body, error) {
	v, err := jspan.Parse(raw, 0)
	if err != nil {
		return nil, err
	}
	b := &body{api: a, raw: raw}
	if err := b.members(v); err != nil {
		return nil, err
	}
	if b.list.Kind != jspan.Array {
		return nil, errNoMessages
	}
	return b, nil
}

// outOfReach returns why a request can't be compacted at all.
func (b *body) outOfReach() string {
	switch {
	case b.previous != "":
		return "the server holds the earlier messages of this session"
	case b.serverTakes():
		return "the request has the server compact by itself"
	}
	return ""
}

// serverTakes reports whether a request has the server take calls, results or messages
// away. That it clears old thoughts, as Claude Code's requests do, is no obstacle: the
// messages stay.
func (b *body) serverTakes() bool {
	if b.managing.Len() <= len("{}") {
		return false
	}
	v, err := jspan.Parse(b.managing.Raw(), 0)
	if err != nil {
		return true
	}
	if edits := v.Get("edits"); edits.Exists() {
		v = edits
	}
	for _, e := range v.Items {
		if !strings.HasPrefix(e.Get("type").TextN(40), "clear_thinking_") {
			return true
		}
	}
	return v.Kind != jspan.Array && v.Kind != jspan.Null
}

// opened is the request as a document, as it would be sent.
type opened struct {
	c    *Compactor
	b    *body
	path string
	keep bool
	f    *session.File
	s    *session.Session
	p    model.Policy
}

func (t *opened) close() {
	t.f.Close()
	if !t.keep {
		_ = os.Remove(t.path)
	}
}

// open writes what would be sent into a file, where its record finds it, and opens it.
func (c *Compactor) open(ctx context.Context, b *body, d *decision) (*opened, error) {
	if err := os.MkdirAll(c.Dir, 0o700); err != nil {
		return nil, err
	}
	var id [4]byte
	_, _ = rand.Read(id[:])
	t := &opened{c: c, b: b, path: filepath.Join(c.Dir, fmt.Sprintf("%s-%s-%s.json", c.Now().UTC().Format("20060102-150405"), b.api.name,
		hex.EncodeToString(id[:])))}
	if err := os.WriteFile(t.path, d.send, 0o600); err != nil {
		return nil, err
	}
	st := session.Store(c.Store)
	if d.by != nil {
		st = &builtOn{c.Store, d.by.record}
	}
	last, _ := c.sizes.calls.get(b.root())
	f, err := c.Open(ctx, Source{Path: t.path, Format: b.api.format, Store: st, Ratio: last.slope})
	if err != nil {
		_ = os.Remove(t.path)
		return nil, err
	}
	t.f = f
	if len(f.Doc.Conversations) != 1 || f.Doc.Unconfirmed || len(f.Doc.Damaged()) > 0 {
		t.close()
		return nil, errors.New("the request is not one conversation")
	}
	sent, err := cut(b.api, d.send)
	if err == nil {
		t.s, err = f.Session(ctx, session.Ref{}, nil)
	}
	if err != nil {
		t.close()
		return nil, err
	}
	t.s.UsePreset(c.Policy)
	session.Pin(t.s, staysInAnyCase(t.s.Thread(), int64(sent.items[newestTurn(sent.items)].Off)), true)
	t.p = t.s.Policy()
	t.p.Window, t.p.Fixed = d.policy.Window, max(d.size.fixed, d.size.tokens-t.messages())
	return t, nil
}

// messages is how many tokens all messages are: the rest of the request is fixed.
func (t *opened) messages() (tokens int) {
	for _, stored := range t.s.Thread().History {
		tokens += t.s.Tokens(stored)
	}
	return tokens
}

// staysInAnyCase lists the messages of the newest turn, which begins at a place, and those by
// which a program briefed its agent, of the role system before the model first spoke: Claude
// Code writes skills, agents and the environment there and does not say them again, for it
// knows nothing of our compaction.
func staysInAnyCase(th *model.Thread, newest int64) (list []int) {
	spoke := false
	for h, i := range th.History {
		m := &th.Messages[i]
		spoke = spoke || m.Kind == model.KindAssistant
		if m.Kind == model.KindSystem && !spoke || len(m.Pieces) > 0 && m.Pieces[0].Off >= newest {
			list = append(list, h)
		}
	}
	return list
}

// builtOn is the store of a document that goes on from a record, though messages
// were added to what was written from it.
type builtOn struct {
	*store.Store
	record string
}

// ByOutput implements session.Lookup.
func (s *builtOn) ByOutput(ctx context.Context, _ string) (*model.Record, bool, error) {
	rec, err := s.Store.Record(ctx, s.record)
	if errors.Is(err, store.ErrNotFound) {
		return nil, false, nil
	}
	return rec, err == nil, err
}

// note stores why a firing led to nothing, once for a session and outcome. The draft
// may be nil.
func (t *opened) note(ctx context.Context, d *session.Draft, o model.Outcome, why string) error {
	if !t.c.first(t.b, string(o)) {
		return nil
	}
	_, err := t.s.Records.Note(ctx, d, t.p, o, why)
	return err
}

// first reports whether a doubt about a session is the first in a place.
func (c *Compactor) first(b *body, place string) bool {
	_, said := c.said.LoadOrStore(fmt.Sprintf("%x %s", b.root(), place), true)
	return !said
}

// tell stores why a request is out of reach.
func (c *Compactor) tell(ctx context.Context, b *body, d *decision, why string) error {
	t, err := c.open(ctx, b, d)
	if err != nil {
		return nil // the reason is enough
	}
	defer t.close()
	return t.note(ctx, nil, model.Refused, why)
}

// Refused switches off what a server would not take: it answered the request itself
// and refused what was made of it.
func (c *Compactor) Refused(ctx context.Context, o *overlay) {
	if err := c.Store.DropOverlays(ctx, o.chain); err != nil {
		c.Log.Error("an overlay can't be switched off", "why", err)
	}
}
