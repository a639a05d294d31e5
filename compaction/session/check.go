package session

import (
	"context"
	"errors"
	"fmt"

	"palimpsest/model"
	"palimpsest/model/transcript"
)

// check reads an export back: it must be of the same format, hold the live list
// the records promise, message for message, and no fault the input did not have.
func (s *Session) check(ctx context.Context, tmp string, stack []*model.Record) error {
	f, err := s.file.readBack(ctx, tmp)
	if err != nil {
		return err
	}
	defer f.Close()
	return s.checkIn(f.Doc, stack)
}

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
	if !spelledAlike(f.Doc.Format, d.Format) {
		return nil, checkFailed(fmt.Sprintf("it would be taken for %s", d.Format), nil)
	}
	d, err = transcript.Open(ctx, tmp, transcript.Options{Format: f.Doc.Format})
	if err != nil {
		return nil, checkFailed("it does not load again: "+err.Error(), err)
	}
	return NewFile(d, f.opt), nil
}

// notAgain says why an export does not open. A file that is known by a few of
// its records alone may lose them all.
func notAgain(was model.Format, err error) error {
	var p *model.Problem
	if errors.As(err, &p) && p.Code == "unknown-format" {
		return tooLittle(fmt.Sprintf("the format by: it would not be recognised as %s any more.", was), err)
	}
	return checkFailed("it does not load again: "+err.Error(), err)
}

// tooLittle says that an export would not be read as what it is any more.
func tooLittle(why string, err error) error {
	return &model.Problem{Code: "unknown-export", What: "The export was stopped.", Why: "Too little would be left to know " + why,
		Next: "Nothing was written. Keep more of it, with a longer recent tail.", Err: err}
}

// spelledAlike reports whether a file of a format may read as another once a
// rewrite leaves only plain text of it: with its last tool block gone a talk is
// spelled the same for both.
func spelledAlike(was, is model.Format) bool {
	switch was {
	case model.FormatAnthropic:
		return is == model.FormatOpenAI
	case model.FormatOpenAI: // where another conversation of the file holds such blocks
		return is == model.FormatAnthropic
	case model.FormatCline:
		return is == model.FormatOpenAI || is == model.FormatAnthropic
	}
	return false
}

func (s *Session) checkIn(d *model.Document, stack []*model.Record) error {
	return s.checkLive(d, s.liveItems(stack, len(s.thread.History)), stack)
}

// checkLive holds the live end of an export against the list it is to have. A
// thread beside the main one may come in another place once its first records
// are gone, since threads are told in the order in which they begin.
func (s *Session) checkLive(d *model.Document, want []model.Item, stack []*model.Record) error {
	err := checkFailed("the thread is not there any more", nil)
	var threads []*model.Thread
	if s.ref.Conversation < len(d.Conversations) {
		threads = d.Conversations[s.ref.Conversation].Threads
	}
	if s.ref.Thread < len(threads) {
		err = s.checkThread(d, threads[s.ref.Thread], want, stack)
	}
	switch {
	case err == nil:
		return nil
	case len(d.Conversations) < len(s.file.Doc.Conversations):
		return tooLittle("the conversation by: the file would be read without it.", err)
	case s.ref.Thread == 0 || len(threads) == 0:
		return err
	}
	for _, t := range threads[1:] {
		if s.checkThread(d, t, want, stack) == nil {
			return nil
		}
	}
	return err
}

func (s *Session) checkThread(d *model.Document, t *model.Thread, want []model.Item, stack []*model.Record) error {
	got := t.Live(len(t.History))
	if len(got) != len(want) {
		return checkFailed(fmt.Sprintf("%d messages are live in it instead of %d", len(got), len(want)), nil)
	}
	for i, it := range want {
		if err := s.sameMessage(d, &t.Messages[got[i]], it, i, stack); err != nil {
			return err
		}
	}
	return nil
}

func (s *Session) sameMessage(d *model.Document, m *model.Message, it model.Item, i int, stack []*model.Record) error {
	var want string
	if it.Msg < 0 {
		if r := recordOf(stack, it.Record); r != nil {
			want = r.Summary
		}
	} else if !it.Cleared {
		parts, err := s.file.Doc.Parts(&s.thread.Messages[it.Msg])
		if err != nil {
			return err
		}
		want = plainText(parts)
	}
	parts, err := d.Parts(m)
	if err != nil {
		return err
	}
	if got := plainText(parts); !it.Cleared && got != want {
		return checkFailed(fmt.Sprintf("live message %d reads differently in it", i+1), nil)
	}
	return nil
}

func plainText(parts []model.Part) string {
	n := 0
	for _, p := range parts {
		n += len(p.Text) + 1
	}
	b := make([]byte, 0, n)
	for _, p := range parts {
		b = append(append(b, p.Text...), 0)
	}
	if len(parts) == 1 {
		return parts[0].Text
	}
	return string(b)
}

func checkFailed(why string, err error) error {
	return &model.Problem{Code: "check-failed", What: "The export was stopped.", Why: "Read back, " + why + ".",
		Next: "Nothing was written. This is a fault of the program; please report it with the file.", Err: err}
}
