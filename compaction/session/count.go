package session

import (
	"context"
	"runtime"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"palimpsest/compaction/steps"
	"palimpsest/compaction/summarize"
	"palimpsest/model"
	"palimpsest/model/tokens"
)

// counts holds the tokens of the messages of a thread in an encoding, by stored
// index. Factors come later, so that calibration counts nothing again.
type counts struct {
	raw       []int32
	estimated bool // some part could only be estimated (media)
}

// countedAtOnce is how many messages a worker takes at a time.
const countedAtOnce = 32

// count counts every message with one worker a core, but those that a former
// reading of the thread, which may be nil, has a number for.
func (t *CountedThread) count(ctx context.Context, former *CountedThread, progress func(done, total int)) (*counts, error) {
	enc, messages := t.counter.Encoding(), t.thread.Messages
	known := former.counted(enc)
	c := &counts{raw: make([]int32, len(messages))}
	var taken, done atomic.Int64
	var media atomic.Bool
	g, ctx := errgroup.WithContext(ctx)
	workers := min(runtime.GOMAXPROCS(0), runtime.NumCPU())
	for range workers {
		g.Go(func() error {
			for {
				from := int(taken.Add(countedAtOnce)) - countedAtOnce
				if from >= len(messages) {
					return nil
				}
				to := min(from+countedAtOnce, len(messages))
				for i := from; i < to; i++ {
					if err := ctx.Err(); err != nil {
						return err
					}
					n, ok := known(&messages[i])
					if !ok {
						var est bool
						var err error
						if n, est, err = countMessage(t.file.Doc, messages, i, enc); err != nil {
							return err
						}
						if est {
							media.Store(true)
						}
					}
					c.raw[i] = n
				}
				if n := done.Add(int64(to - from)); progress != nil {
					progress(int(n), len(messages))
				}
			}
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	c.estimated = media.Load()
	return c, nil
}

// uncounted reports whether no request would hold a message.
func uncounted(m *model.Message) bool {
	return m.Kind == model.KindOther && m.Role != model.RoleOther || m.Kind == model.KindBoundary
}

// countMessage counts what a request would hold of a message: its texts,
// reasoning, call names and arguments, results. Opaque parts (signatures,
// encrypted items) can't be counted and count nothing; media are estimated. The first
// message of a step record has the words between its phases.
func countMessage(d *model.Document, messages []model.Message, i int, enc tokens.Encoding) (int32, bool, error) {
	m := &messages[i]
	if uncounted(m) {
		return 0, false, nil
	}
	parts, err := d.Parts(m)
	if err != nil {
		return 0, false, err
	}
	n, est := 0, false
	if m.Sealed {
		n, est = 1, true // it has some size, which is not known
	}
	if m.Step > 0 && len(parts) > 0 && (i == 0 || messages[i-1].Step != m.Step) {
		n += tokens.Count(enc, steps.Frame(m.StepNumber(), summarize.LangOf(parts[0].Text)))
	}
	for _, p := range parts {
		switch p.Kind {
		case model.PartMedia:
			n += tokens.Media(p.Bytes, p.Name, p.Pixels)
			est = true
		case model.PartOpaque:
		case model.PartCall:
			n += tokens.Count(enc, p.Name)
			n += tokens.Count(enc, p.Text)
		default:
			n += tokens.Count(enc, p.Text)
		}
	}
	return int32(min(n, 1<<31-1)), est, nil
}
