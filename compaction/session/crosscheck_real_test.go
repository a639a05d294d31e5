package session

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"palimpsest/compaction"
	"palimpsest/internal/realdata"
	"palimpsest/model"
	"palimpsest/model/transcript"
)

// Over all real sessions that report usage our live total meets the last report:
// by 3 % in the median, by 15 % in 95 of 100, and where it is off by more than 20 %
// that is said aloud with a cause.
func TestLiveTotalsMeetReportedUsage(t *testing.T) {
	var off []float64
	files, least := realdata.Files(t), 1
	_, here := realdata.Look(t)
	if here {
		files, least = append(files, realdata.Sessions(t)...), 150
	}
	for _, path := range files {
		f, err := Open(context.Background(), path, Options{}, transcript.Options{})
		var p *model.Problem
		if errors.As(err, &p) {
			continue // damaged on purpose
		}
		if err != nil {
			t.Fatal(err)
		}
		for c, conversation := range f.Doc.Conversations {
			for th := range conversation.Threads {
				s, err := f.Session(context.Background(), Ref{c, th}, nil)
				if err != nil {
					t.Fatal(err)
				}
				if line, band := s.Plan(s.Policy(), compaction.Options{}).Line.Fixed(), outsideAt(s, s.At()); line != band {
					t.Errorf("%s: at message %d the plan has %d tokens outside of the messages, the chart %d", path, s.At(), line, band)
				}
				check := s.CrossCheck(s.Policy().Fixed)
				if check.At < 0 {
					continue
				}
				off = append(off, math.Abs(check.Off()))
				if at := pointAt(s, check.At); at.Recorded != check.Reported || math.Abs(float64(at.Counted-check.Estimated)) > float64(len(s.thread.Messages)) {
					t.Errorf("%s: the chart has %+v, the check %+v", path, at, check)
				}
				loud := math.Abs(check.Off()) > 0.2
				if said := check.String(); loud != (said != "") {
					t.Errorf("%s: off by %.2f, said %q", path, check.Off(), said)
				} else if loud {
					t.Logf("%s: %s", path, said)
				}
				warned := slices.ContainsFunc(s.Plan(s.Policy(), compaction.Options{Manual: true}).Warnings,
					func(r compaction.Reason) bool { return r.Code == EstimateOff })
				if warned != loud {
					t.Errorf("%s: off by %.2f, counted in the warnings: %v", path, check.Off(), warned)
				}
			}
		}
		f.Close()
	}
	slices.Sort(off)
	n := len(off)
	mid, most := off[n/2], off[n*95/100]
	t.Logf("%d sessions: median %.4f, 95th percentile %.4f", n, mid, most)
	if n < least || mid > 0.03 || here && most > 0.15 { // of made ones the usage is made, too
		t.Errorf("%d sessions: median %.4f, 95th percentile %.4f", n, mid, most)
	}
}

// outsideAt is the height of the chart's band at a history position.
func outsideAt(s *Session, at int) (n int64) {
	for _, u := range s.Calibration().Outside(s.Policy().Fixed) {
		if u.From <= at {
			n = u.Tokens
		}
	}
	return n
}

func pointAt(s *Session, at int) Point {
	for _, p := range s.Curve(s.Policy().Fixed) {
		if p.History == at {
			return p
		}
	}
	return Point{}
}
