package session

import (
	"context"
	"runtime"
	"sync/atomic"

	"palimpsest/model"
	"palimpsest/model/tokens"

	"golang.org/x/sync/errgroup"
)

// counts holds what the messages of a thread weigh, in tokens of an encoding,
// by stored index. Factors come later, so that calibration counts nothing anew.
type counts struct {
	raw       []int32
	estimated bool // some part could only be estimated (media)
}

// countThread counts every message of a thread with one worker a core, but those
// that known has a number for.
func countThread(ctx context.Context, d *model.Document, t *model.Thread, enc tokens.Encoding, known func(*model.Message) (int32, bool), progress func(done, total int)) (*counts, error) {
	c := &counts{raw: make([]int32, len(t.Messages))}
	var next, done atomic.Int64
	var media atomic.Bool
	g, ctx := errgroup.WithContext(ctx)
	const chunk = 32
	for range min(runtime.GOMAXPROCS(0), runtime.NumCPU()) {
		g.Go(func() error {
			near := *d // reads ahead, for this worker alone
			near.Source = &readAhead{src: d.Source}
			for {
				from := int(next.Add(chunk)) - chunk
				if from >= len(t.Messages) {
					return nil
				}
				to := min(from+chunk, len(t.Messages))
				for i := from; i < to; i++ {
					if err := ctx.Err(); err != nil {
						return err
					}
					if n, ok := known(&t.Messages[i]); ok {
						c.raw[i] = n
						continue
					}
					n, est, err := countMessage(&near, &t.Messages[i], enc)
					if err != nil {
						return err
					}
					c.raw[i] = n
					if est {
						media.Store(true)
					}
				}
				if n := done.Add(int64(to - from)); progress != nil {
					progress(int(n), len(t.Messages))
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

// weightless reports whether a message is none that a request would hold.
func weightless(m *model.Message) bool {
	return m.Kind == model.KindOther && m.Role != model.RoleOther || m.Kind == model.KindBoundary
}

// countMessage counts what a request would hold of a message: its texts,
// reasoning, call names and arguments, results. Opaque parts (signatures,
// encrypted items) can't be counted and weigh nothing; media are estimated.
func countMessage(d *model.Document, m *model.Message, enc tokens.Encoding) (int32, bool, error) {
	if weightless(m) {
		return 0, false, nil
	}
	parts, err := d.Parts(m)
	if err != nil {
		return 0, false, err
	}
	n, est := 0, false
	for _, p := range parts {
		switch p.Kind {
		case model.PartMedia:
			n += tokens.Media(p.Bytes, p.Name)
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
