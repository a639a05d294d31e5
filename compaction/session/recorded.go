package session

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"palimpsest/compaction"
	"palimpsest/compaction/replay"
	"palimpsest/model"
	"palimpsest/model/tokens"
)

// Figure is a number of tokens and where in the file it is from.
type Figure struct {
	Tokens int64
	From   FigureSource
}

// FigureSource is a place in a file that says how full the context was.
type FigureSource string

// The places.
const (
	NotRecorded FigureSource = ""         // nowhere
	OfBoundary  FigureSource = "boundary" // the record of the compaction itself
	OfUsage     FigureSource = "usage"    // the reported input of the call next to it
	OfOwn       FigureSource = "own"      // what this program counted when it made the compaction
)

// Recorded is a compaction that the file holds, with the firing of a replay that
// corresponds to it.
type Recorded struct {
	model.Found
	Before, After Figure
	Firing        int // of the timeline; -1: none is its counterpart
}

// PairRecorded pairs the compactions that the file holds with the firings of a
// replay. Pairs keep the order of both, and of all such
// pairings theirs has the most pairs and of those the smallest distance in
// messages; clearings of single results have no counterpart.
func (t *CountedThread) PairRecorded(tl *replay.Timeline) []Recorded {
	found, out := t.found, recordedOf(t)
	var whole []int // those that may be paired with a firing
	for i, f := range found {
		if !f.Clearing {
			whole = append(whole, i)
		}
	}
	for k, firing := range pairs(len(whole), len(tl.Firings), func(k, j int) int {
		return max(found[whole[k]].At-tl.Firings[j].At, tl.Firings[j].At-found[whole[k]].At)
	}) {
		out[whole[k]].Firing = firing
	}
	return out
}

// recordedOf are the compactions that the file holds with the size of the context before
// and after. Sizes that the record of a compaction does not have are taken from the
// usage of the last call before and the first call behind it, if no other
// compaction is between.
func recordedOf(t *CountedThread) []Recorded {
	found, calls := t.found, t.points()
	out := make([]Recorded, len(found))
	for i, f := range found {
		out[i] = Recorded{Found: f, Firing: -1}
		if !f.Clearing { // whose record has other sizes than that of the context
			out[i].Before, out[i].After = figureOf(f.Before, f.Own()), figureOf(f.After, f.Own())
		}
		before, after := callsBeside(found, i, calls)
		if before > 0 && out[i].Before.From == NotRecorded {
			out[i].Before = Figure{before, OfUsage}
		}
		if after > 0 && out[i].After.From == NotRecorded {
			out[i].After = Figure{after, OfUsage}
		}
	}
	return out
}

// callsBeside is what the last call before a compaction reports, and the first one after it;
// 0 where none does, another compaction is between, or this program made it.
func callsBeside(found []model.Found, i int, calls []Point) (before, after int64) {
	f := &found[i]
	for _, c := range calls {
		switch at := c.History; {
		case f.Own() || i > 0 && at < found[i-1].At || i+1 < len(found) && at >= found[i+1].At:
		case at < f.At:
			before = c.Recorded
		case after == 0:
			after = c.Recorded
		}
	}
	return before, after
}

// Sized are compactions of a file with the sizes that the calls beside them report, where
// their own records have none. Clearings of results, which have other sizes, stay as they are.
func Sized(found []model.Found, calls []Point) []model.Found {
	out := slices.Clone(found)
	for i := range out {
		f := &out[i]
		before, after := callsBeside(found, i, calls)
		if f.Before == nil && before > 0 && !f.Clearing {
			f.Before = new(int(before))
		}
		if f.After == nil && after > 0 && !f.Clearing {
			f.After = new(int(after))
		}
	}
	return out
}

// SizedFound are the compactions that the session's own file holds, see [Sized].
func SizedFound(s *Session) []model.Found {
	s.sizing.Do(func() { s.sized = Sized(s.found, s.points()) })
	return s.sized
}

func (t *CountedThread) points() []Point {
	out := make([]Point, len(t.calls))
	for i, c := range t.calls {
		out[i] = Point{History: c.at, Recorded: c.reported}
	}
	return out
}

func figureOf(n *int, own bool) Figure {
	switch {
	case n == nil:
		return Figure{}
	case own:
		return Figure{int64(*n), OfOwn}
	}
	return Figure{int64(*n), OfBoundary}
}

// pairs joins as many of n and m things as there can be pairs, in the order of
// both, with the smallest sum of distances. It returns the partner of each of the
// n; -1: none.
func pairs(n, m int, distance func(i, j int) int) []int {
	// least[i][j] is the smallest sum that joins the first i and j, with as many
	// pairs as the shorter of them has members.
	least := make([][]int, n+1)
	for i := range least {
		least[i] = make([]int, m+1)
		for j := 1; i > 0 && j <= m; j++ {
			best := least[i-1][j-1] + distance(i-1, j-1)
			if j > i {
				best = min(best, least[i][j-1])
			}
			if i > j {
				best = min(best, least[i-1][j])
			}
			least[i][j] = best
		}
	}
	out := make([]int, n)
	for i := range out {
		out[i] = -1
	}
	for i, j := n, m; i > 0 && j > 0; {
		switch {
		case j > i && least[i][j] == least[i][j-1]:
			j--
		case i > j && least[i][j] == least[i-1][j]:
			i--
		default:
			i, j = i-1, j-1
			out[i] = j
		}
	}
	return out
}

// engines names the look-alike of the engine that wrote a format.
var engines = map[model.Format]string{
	model.FormatClaudeCode: "like-claude-code", model.FormatCodex: "like-codex", model.FormatPi: "like-pi",
	model.FormatCline: "like-cline", model.FormatGeminiCLI: "like-gemini-cli", model.FormatOpenHands: "like-openhands",
	model.FormatOpenCode: "like-opencode",
}

// LookAlike is the look-alike preset of the engine that wrote the file, where
// there is one.
func (t *CountedThread) LookAlike() (compaction.LookAlike, bool) {
	for _, l := range compaction.LookAlikes() {
		if l.ID == engines[t.file.Doc.Format] {
			return l, true
		}
	}
	return compaction.LookAlike{}, false
}

// Found are the compactions that the thread's own file holds, in order. They must not be
// changed.
func (t *CountedThread) Found() []model.Found { return t.found }

// FoundRecords are the compactions that the thread's own file holds, as records,
// the newest first. They are made when asked for and stored nowhere; what the file
// does not say is empty, and so is 0 for tokens.
func (t *CountedThread) FoundRecords() []model.Record {
	out, sizes := make([]model.Record, 0, len(t.found)), recordedOf(t)
	for i := len(t.found) - 1; i >= 0; i-- {
		f := &t.found[i]
		r := model.Record{ID: fmt.Sprintf("F-%04d", i+1), UID: foundUID(t, i),
			Cause: model.CauseFound, Outcome: model.Applied, At: f.At, Reason: f.Cause}
		t.describeSource(&r)
		r.Counted = ""
		if f.Time != 0 {
			r.Time = time.UnixMilli(f.Time).UTC()
		}
		r.Before.Tokens, r.After.Tokens = sizes[i].Before.Tokens, sizes[i].After.Tokens
		if r.Before.Tokens+r.After.Tokens > 0 {
			r.Counted = cmp.Or(f.Counted, tokens.Reported.String())
		}
		if rec := t.lineage.made(int32(f.Summary)); rec != nil { // ours
			r.Before, r.After = rec.Before, rec.After
			if rec.ID != "" { // it is stored
				r.Parents = []string{rec.ID}
			}
		}
		if f.Summary >= 0 {
			if text, err := t.searchText(int32(f.Summary)); err == nil {
				r.Summary = strings.TrimSpace(text)
			}
		}
		out = append(out, r)
	}
	return out
}

// foundUID names compaction i of those that the thread's file holds.
func foundUID(t *CountedThread, i int) string {
	return fmt.Sprintf("found-%.16s-%d-%d-%d", t.file.Doc.Hash(), t.ref.Conversation, t.ref.Thread, i+1)
}
