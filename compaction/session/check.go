package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"palimpsest/model"
	"palimpsest/model/tally"
	"palimpsest/model/transcript"
)

// readBack opens an export of the file.
func (f *File) readBack(ctx context.Context, tmp string) (*File, error) {
	d, err := transcript.Open(ctx, tmp, transcript.Rereading(f.Doc))
	if err != nil {
		if ctx.Err() != nil {
			return nil, err
		}
		return nil, notAgain(f.Doc.Format, err)
	}
	back := NewFile(d, f.opt)
	if d.Format == f.Doc.Format {
		return back, nil
	}
	back.Close()
	if !spelledAlike[f.Doc.Format] || !spelledAlike[d.Format] {
		return nil, checkFailed(fmt.Sprintf("it would be taken for %s", d.Format), nil)
	}
	d, err = transcript.Open(ctx, tmp, transcript.Options{Format: f.Doc.Format})
	if err != nil {
		return nil, checkFailed("it does not load again: "+err.Error(), err)
	}
	return NewFile(d, f.opt), nil
}

// notAgain is why an export does not open. A file that is known by a few of
// its records alone may lose them all.
func notAgain(was model.Format, err error) error {
	var p *model.Problem
	if errors.As(err, &p) && p.Code == "unknown-format" {
		return tooLittle(fmt.Sprintf("the format by: it would not be recognised as %s any more.", was), err)
	}
	return checkFailed("it does not load again: "+err.Error(), err)
}

// tooLittle is the problem that an export would not be recognised any more.
func tooLittle(why string, err error) error {
	return &model.Problem{Code: "unknown-export", What: "The export was stopped.", Why: "Too little would be left to know " + why,
		Next: "Nothing was written. Keep more of it, with a longer window.", Err: err}
}

// spelledAlike are the formats as another of which a file may read once a rewrite leaves
// only plain text of it: with its last tool block gone, or its only entry that was
// damaged, a talk is spelled the same for all of them.
var spelledAlike = map[model.Format]bool{model.FormatAnthropic: true, model.FormatOpenAI: true, model.FormatCline: true, "ai-sdk": true}

// check compares an export that was read back with what the records promise: it
// must hold the live list, message for message.
func (o Overlay) check(d *model.Document) error {
	return o.checkLive(d, o.upTo(len(o.thread.History)).Items())
}

// checkLive compares the live end of an export with the list it is to have. A
// thread other than the main one may come in another place once its first records
// are gone, since threads are listed in the order in which they begin.
func (o Overlay) checkLive(d *model.Document, want []model.Item) error {
	err := checkFailed("the thread is not there any more", nil)
	if t := threadAt(d, o.ref); t != nil {
		err = o.checkThread(d, t, want)
	}
	switch {
	case err == nil:
		return nil
	case len(d.Conversations) < len(o.file.Doc.Conversations):
		return tooLittle("the conversation by: the file would be read without it.", err)
	case o.ref.Thread == 0 || threadAt(d, Ref{Conversation: o.ref.Conversation}) == nil:
		return err
	}
	for _, t := range d.Conversations[o.ref.Conversation].Threads[1:] {
		if o.checkThread(d, t, want) == nil {
			return nil
		}
	}
	return err
}

func (o Overlay) checkThread(d *model.Document, t *model.Thread, want []model.Item) error {
	got := t.Live(len(t.History))
	first := "" // what is before the text of the last summary that takes the place of a record's
	for !o.saved.None() && len(got) > len(want) {
		is, err := plainText(d, &t.Messages[got[0]], false)
		if err != nil {
			return err
		}
		got, first = got[1:], first+is+"\n\n"
	}
	if len(got) != len(want) {
		return checkFailed(fmt.Sprintf("%d messages are live in it instead of %d", len(got), len(want)), nil)
	}
	silent := setOf(o.change().Thinking)
	for i, it := range want {
		is, err := plainText(d, &t.Messages[got[i]], silent[it.Msg])
		if err != nil {
			return err
		} else if it.Cleared {
			continue
		}
		text := o.summary(it.Record)
		if it.Msg >= 0 {
			if text, err = plainText(o.file.Doc, &o.thread.Messages[it.Msg], silent[it.Msg]); err != nil {
				return err
			}
		}
		if first+is != text {
			return checkFailed(fmt.Sprintf("live message %d reads differently in it", i+1), nil)
		}
		first = ""
	}
	return nil
}

// plainText is the text of a message, of several parts each with a zero byte
// after it. With silent, thinking is left out.
func plainText(d *model.Document, m *model.Message, silent bool) (string, error) {
	parts, err := d.Parts(m)
	if len(parts) == 1 && !silent {
		return parts[0].Text, err
	}
	var b strings.Builder
	for _, p := range parts {
		if !silent || p.Kind != model.PartReasoning && p.Kind != model.PartOpaque && p.Text != transcript.ThinkingLeftOut {
			b.WriteString(p.Text)
			b.WriteByte(0)
		}
	}
	return b.String(), err
}

// nothingLost holds an export against its source, in the bytes of both, without any reader: no
// call is parted from its result, and each text is in the export or in a message that the
// records of the overlays took.
func (f *File) nothingLost(back *model.Document, list ...Overlay) error {
	was, err := tallyOf(f.Doc)
	if err != nil {
		return err
	}
	is, err := tallyOf(back)
	if err != nil {
		return err
	}
	if err := is.Worse(was, true); err != nil {
		return &model.Problem{Code: "parted", What: "The export was stopped.", Why: "In its bytes " + err.Error() +
			", and in the file's it is not so.",
			Next: "Nothing was written. Keep more of it, or write it in another form: -f openai-chat.", Err: err}
	}
	went, err := f.tallyOfTaken(list)
	if err != nil {
		return err
	}
	if gone := was.Unsaid(is, went); len(gone) > 0 {
		return &model.Problem{Code: "unsaid", What: "The export was stopped.",
			Why:  fmt.Sprintf("Texts of the file would be gone that no compaction took: %d, the first of them %q.", len(gone), gone[0]),
			Next: "Nothing was written. Write it in another form: -f openai-chat; and please report it with the file."}
	}
	return nil
}

// tallyOfTaken walks the bytes of the messages that the records of overlays took or changed, or
// that compactions of the file had taken before them. Where all messages of a record go, the
// whole record goes, with what else it holds.
func (f *File) tallyOfTaken(list []Overlay) (*tally.Count, error) {
	t := tally.New()
	for _, o := range list {
		if len(o.stack) == 0 {
			continue
		}
		c := o.change()
		went := setOf(slices.Concat(c.Drop, c.Clear, c.Thinking))
		at := o.stack[len(o.stack)-1].At
		live := setOf(o.thread.Live(at))
		for _, m := range o.thread.History[:at] {
			if !live[m] {
				went[m] = true
			}
		}
		stays := map[model.Piece]bool{}
		for m := range o.thread.Messages {
			for _, p := range o.thread.Messages[m].Pieces {
				stays[transcript.Outermost(f.Doc, p)] = stays[transcript.Outermost(f.Doc, p)] || !went[int32(m)]
			}
		}
		for m := range went {
			for _, p := range o.thread.Messages[m].Pieces {
				if whole := transcript.Outermost(f.Doc, p); !stays[whole] {
					p = whole
				}
				b := make([]byte, p.Len)
				if _, err := f.Doc.Source.ReadAt(b, p.Off); err != nil && !errors.Is(err, io.EOF) {
					return nil, err
				}
				t.Add(b)
			}
		}
	}
	return t, nil
}

func tallyOf(d *model.Document) (*tally.Count, error) {
	var parts []io.Reader
	at := int64(0)
	for _, s := range d.Segments { // lines that can't be read are not in a compacted file
		if s.Kind == model.SegmentBad {
			parts = append(parts, io.NewSectionReader(d.Source, at, s.Off-at))
			at = s.End()
		}
	}
	return tally.Of(io.MultiReader(append(parts, io.NewSectionReader(d.Source, at, d.Size-at))...))
}

// legal returns why a service would refuse the messages of a file that was written for it.
func legal(path string, form model.Format) error {
	if form != model.FormatOpenAI && form != model.FormatAnthropic {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	t, err := tally.Of(f)
	if err != nil {
		return err
	}
	if form == model.FormatOpenAI {
		err = t.Legal("tool", "system", "developer", "user", "assistant", "tool")
	} else {
		err = t.Legal("user", "user", "assistant")
	}
	if err != nil {
		return checkFailed(err.Error(), err)
	}
	return nil
}

// damages are the codes of notes about a source whose structure is broken: what is read
// of it is a guess, which may be another one when records of it are gone.
var damages = map[string]bool{"duplicate-id": true, "missing-parent": true, "cycle": true, "orphan-result": true,
	"second-result": true, "unknown-role": true,
	"bad-json": true, "truncated": true, "bad-entry": true, "bad-file": true}

// whoseFault distinguishes a failed check of a whole file, which is a fault of the program,
// from that of a damaged one, which would be read differently once it is compacted.
func (f *File) whoseFault(err error) error {
	var p *model.Problem
	if !errors.As(err, &p) || p.Code != "check-failed" {
		return err
	}
	for _, n := range f.Doc.Notes {
		if !n.Bad && !damages[n.Code] {
			continue
		}
		place := "In it"
		if n.Line > 0 {
			place = fmt.Sprintf("On line %d", n.Line)
		}
		why := strings.TrimSuffix(strings.ToLower(p.Why[:1])+p.Why[1:], ".")
		return &model.Problem{Code: "source-damaged", What: "The export was stopped: the file itself is damaged.",
			Why: fmt.Sprintf("%s: %s. Because of that it would be taken for something else once it is compacted (%s).",
				place, n.Reason, why),
			Next: "Nothing was written. Mend the file, or export it in another format.", Err: err}
	}
	return err
}

func checkFailed(why string, err error) error {
	return &model.Problem{Code: "check-failed", What: "The export was stopped.", Why: "Read back, " + why + ".",
		Next: "Nothing was written. This is a fault of the program; please report it with the file.", Err: err}
}
