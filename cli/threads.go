package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"palimpsest/compaction"
	"palimpsest/compaction/session"
	"palimpsest/model"
	"palimpsest/model/store"
	"palimpsest/model/transcript"
)

// readFlags say how a file is to be read.
type readFlags struct {
	Map    string `placeholder:"FIELDS" help:"${map}"`
	ReadAs string `placeholder:"F" help:"${readAs}"`

	Factor []factor `sep:"none" placeholder:"FAMILY=N" help:"${factor}"`

	ReadLimit time.Duration `default:"10m" placeholder:"TIME" help:"Stop when reading a file takes longer; 0: never."`
}

// options are the flags as the reader takes them.
func (r *readFlags) options() (transcript.Options, error) {
	o := transcript.Options{Format: model.Format(r.ReadAs)}
	if r.ReadAs != "" && !slices.ContainsFunc(transcript.Formats(), func(i transcript.Info) bool { return i.Format == o.Format }) {
		names := values(transcript.Formats(), func(i *transcript.Info) string { return string(i.Format) })
		return o, usage("There is no format %q to read.%s palimpsest formats lists them.", r.ReadAs, meant(r.ReadAs, names))
	}
	if r.Map == "" {
		return o, nil
	}
	if r.ReadAs != "" && o.Format != model.FormatGeneric {
		return o, usage("--map is for the format generic; it can't be used with --read-as %s.", r.ReadAs)
	}
	m, err := transcript.ParseMap(r.Map)
	o.Map = m
	return o, err
}

// threadFlags choose a thread of a file.
type threadFlags struct {
	readFlags
	Conversation conversation `group:"thread" placeholder:"N" help:"The conversation, from 1, or all; needed when the file holds several."`
	Agent        string       `group:"thread" placeholder:"ID" help:"The agent or thread, by its ID or name. Default: the main thread."`
}

// workFlags choose what a compaction works on.
type workFlags struct {
	threadFlags
	All bool   `group:"thread" help:"The main thread of every conversation."`
	At  number `group:"thread" placeholder:"N" help:"Plan on what was live before message N; later messages stay. Default: the end."`
}

// open opens a transcript or a recorded conversation for the verbs. st may be
// nil: then the database is only looked at for a conversation.
func (a *app) open(path string, r *readFlags, st *store.Store) (*session.File, error) {
	ro, err := a.reading(*r)
	if err != nil {
		return nil, err
	}
	opt := session.Options{Verb: true, AcceptFlaws: a.acceptFlaws, KeepSent: a.keepSent, Also: a.also, Sending: a.sending, UID: a.uid,
		Scan: ownScan(a)}
	if st == nil {
		opt.Lookup = lookup{a}
	}
	if opt.Factors, err = a.factors(r); err != nil {
		return nil, err
	}
	if a.asks != nil {
		opt.Model = a.asks.Model
	}
	if st != nil {
		opt.Store, opt.Conversations, opt.Answers = st, st, st
	} else if _, ok := session.ConversationID(path); ok {
		own, err := a.existing()
		if err != nil {
			return nil, err
		}
		defer own.Close() // the conversation is in memory by then
		opt.Conversations = own
	}
	if path == dash {
		if ro.Stdin, err = a.stdin.Open(); err != nil {
			return nil, err
		}
	}
	ctx, cancel := r.within(a.ctx, path)
	defer cancel()
	var f *session.File
	if a.from == "" {
		f, err = session.Open(ctx, path, opt, ro)
	} else if doc, failed := transcript.Open(ctx, a.from, ro); failed != nil {
		var p *model.Problem
		if err = failed; errors.As(err, &p) {
			p.What = strings.ReplaceAll(p.What, a.from, path)
		}
	} else {
		doc.Path = path
		f = session.NewFile(doc, opt)
	}
	if late := (*model.Problem)(nil); err != nil && errors.As(context.Cause(ctx), &late) {
		return nil, late
	}
	return f, err
}

// within is a context that ends when reading a file takes longer than the flags allow.
func (r *readFlags) within(ctx context.Context, path string) (context.Context, context.CancelFunc) {
	if r.ReadLimit <= 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeoutCause(ctx, r.ReadLimit, &model.Problem{Code: "too-slow", What: fmt.Sprintf("%s was not read.", path),
		Why:  fmt.Sprintf("Reading it took longer than %s.", r.ReadLimit),
		Next: "Allow it more time with --read-limit."})
}

// refs are the threads that the flags choose in a file.
func (t *threadFlags) refs(f *session.File) ([]session.Ref, error) {
	if !t.Conversation.all {
		ref, err := f.Find(t.Conversation.n, t.Agent)
		return []session.Ref{ref}, err
	}
	refs := make([]session.Ref, len(f.Doc.Conversations))
	for i := range refs {
		refs[i].Conversation = i
	}
	return refs, nil
}

func (w *workFlags) check() error {
	if w.All && (w.Conversation != conversation{} || w.Agent != "") {
		return usage("--all means every conversation's main thread; it can't be used with --conversation or --agent.")
	}
	if err := w.threadFlags.check(); err != nil {
		return err
	}
	w.Conversation.all = w.Conversation.all || w.All
	if w.At.set && w.At.n == 0 {
		return usage("There is no message 0; they are numbered from 1.")
	}
	return nil
}

func (t *threadFlags) check() error {
	switch {
	case t.Conversation.n < 0:
		return usage("There is no conversation %d; they are numbered from 1.", t.Conversation.n)
	case t.Conversation.all && t.Agent != "":
		return usage("--conversation all means every conversation's main thread; it can't be used with --agent.")
	}
	return nil
}

// one is the only thread that the flags choose, for a verb about one.
func (t *threadFlags) one(f *session.File) (session.Ref, error) {
	if err := t.check(); err != nil {
		return session.Ref{}, err
	}
	if t.Conversation.all {
		return session.Ref{}, usage("--conversation all: this is about one conversation; say its number.")
	}
	return f.Find(t.Conversation.n, t.Agent)
}

// planner is a thread with the policy for it, ready to be planned.
type planner struct {
	s *session.Session
	p model.Policy
	o compaction.Options
}

// planner opens a thread, at a message if one is named, and gives it the policy that the flags
// mean.
func (a *app) planner(f *session.File, ref session.Ref, at number, pf *policyFlags, p model.Policy) (*planner, error) {
	s, err := f.Session(a.ctx, ref, nil)
	if err != nil {
		return nil, err
	}
	n := len(s.Thread().History)
	if at.set {
		if at.n > n+1 {
			return nil, usage("There is no message %d to plan before: the history has %d.", at.n, n)
		}
		s.SetAt(at.n - 1)
	}
	if p, err = pf.fitting(s, p); err != nil {
		return nil, err
	}
	pins, err := pf.pinned(n)
	if err != nil {
		return nil, err
	}
	s.UsePreset(p)
	p = s.Policy()
	p.Pins = append(p.Pins, pins...)
	s.SetPolicy(p)
	return &planner{s: s, p: p, o: compaction.Options{Manual: !pf.IfTriggered}}, nil
}
