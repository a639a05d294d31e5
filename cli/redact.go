package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"math"
	"os"

	"palimpsest/cli/live"
	"palimpsest/compaction/session"
	"palimpsest/compaction/summarize/redact"
	"palimpsest/model/store"
)

// ownScan looks through texts by the rules of a person, too, which the database keeps.
func ownScan(a *app) session.Scan {
	return session.ScanAlso(func() (list []redact.Own, err error) {
		path, err := a.dbPath()
		if err != nil {
			return nil, err
		}
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) && !store.IsServer(path) {
			return nil, nil
		}
		err = a.peek(func(st *store.Store) error {
			_, err := st.Setting(a.ctx, session.OwnRulesSetting, &list)
			return err
		})
		return list, err
	})
}

// redactFlags say what a file that is written must not hold.
type redactFlags struct {
	Redact bool     `help:"${redact}"`
	Let    []string `sep:"none" placeholder:"WHAT" help:"${let}"`
	also
}

// also are the kinds that are withheld by choice.
type also struct {
	Also []string `name:"also-redact" enum:"phone,address" placeholder:"KIND" help:"${also}"`
}

func (x *also) kinds() []redact.Kind {
	return values(x.Also, func(kind *string) redact.Kind { return redact.Kind(*kind) })
}

func (r *redactFlags) check() error {
	if len(r.Let) > 0 && !r.Redact {
		return usage("--let is about what --redact takes out: give both.")
	}
	return nil
}

// output is a file with the flags as an export takes them.
func (r *redactFlags) output(path string, force bool) session.Output {
	return session.Output{Path: path, Force: force, Redact: r.Redact, Let: r.Let, Also: r.kinds()}
}

// redacted is something that an export found. It is shown only so far
// that its owner recognises it.
type redacted struct {
	Kind  string  `json:"kind"`
	Rule  string  `json:"rule"`
	As    string  `json:"as"`
	Like  string  `json:"like"`
	Bytes int     `json:"bytes"`
	Bits  float64 `json:"bits"` // of entropy, a character
	Times int     `json:"times"`
	First int     `json:"first"`
	Let   bool    `json:"let"`
}

func redactedOf(found []redact.Hit) []redacted {
	return values(found, func(h *redact.Hit) redacted {
		return redacted{string(h.Kind), h.Rule, h.As, redact.Mask(h.Secret), len(h.Secret), math.Round(10*h.Entropy()) / 10,
			h.Times, h.Num, h.Let}
	})
}

// printRedacted lists what an export took out and what it let through, by its
// placeholders. unit is what places are counted in: lines, messages or records.
func (a *app) printRedacted(list []redacted, unit string) {
	if len(list) == 0 {
		fmt.Fprintln(a.out, "No secrets, addresses or home folders were found. The scan finds only common patterns.")
		return
	}
	var gone, let []string
	for _, r := range list {
		first := fmt.Sprintf("%s %d", unit, r.First)
		if r.First == 0 {
			first = "a title, name or summary"
		}
		row := fmt.Sprintf("%s\t%s\t%s\t%d bytes, %.1f bits each\tin %s, first in %s",
			r.As, r.Rule, r.Like, r.Bytes, r.Bits, plural(r.Times, unit), first)
		if r.Let {
			let = append(let, row)
		} else {
			gone = append(gone, row)
		}
	}
	a.printList("Taken out", gone)
	a.printList("Let through", let)
}

// redactedUnit is what the places of findings are counted in: of the source's own form
// lines are looked through, of others messages.
func redactedUnit(own bool) string {
	if own {
		return "line"
	}
	return "message"
}

// hideInLog hides in the lines of a log what looks like a secret: an address may hold a
// key, a server's error what was sent to it. What can't be looked through is not logged.
func hideInLog(scan session.Scan) func([]string, slog.Attr) slog.Attr {
	hide := live.Hider{Scan: scan}
	return func(_ []string, at slog.Attr) slog.Attr {
		if k := at.Value.Kind(); k != slog.KindString && k != slog.KindAny {
			return at
		}
		text, err := hide.Text(at.Value.String())
		if err != nil {
			text = sentence(err)
		}
		return slog.String(at.Key, text)
	}
}
