package facts_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"palimpsest/compaction/facts"
	"palimpsest/internal/realdata"
	"palimpsest/model"
	"palimpsest/model/transcript"
)

// excerpt is a part of a message with the facts a person sees in it.
type excerpt struct {
	file      string
	msg, part int
	from, to  int
	facts     map[facts.Fact]bool
	author    facts.Author
	content   model.Part
}

var kindNames = func() map[string]facts.Kind {
	m := map[string]facts.Kind{}
	for k := facts.Kind(0); k < facts.Kinds; k++ {
		m[k.String()] = k
	}
	return m
}()

// labelled reads the hand-labelled set.
func labelled(t testing.TB) []*excerpt {
	t.Helper()
	f, err := os.Open("testdata/labelled.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []*excerpt
	s := bufio.NewScanner(f)
	for s.Scan() {
		fields := strings.Split(s.Text(), "\t")
		switch {
		case strings.HasPrefix(fields[0], "#"):
		case fields[0] == "@":
			e := &excerpt{file: fields[1], facts: map[facts.Fact]bool{}}
			if _, err := fmt.Sscan(strings.Join(fields[2:], " "), &e.msg, &e.part, &e.from, &e.to); err != nil {
				t.Fatal(err)
			}
			out = append(out, e)
		default:
			k, ok := kindNames[fields[0]]
			if !ok {
				t.Fatalf("no kind %q", fields[0])
			}
			for _, literal := range fields[1:] {
				out[len(out)-1].facts[facts.Fact{Kind: k, Text: literal}] = true
			}
		}
	}
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// load reads the excerpts' texts; those of files that are not here are left out.
func load(t testing.TB, all []*excerpt) []*excerpt {
	t.Helper()
	docs := map[string]*model.Document{}
	var out []*excerpt
	for _, e := range all {
		d := docs[e.file]
		if d == nil {
			path := filepath.Join(realdata.Root(t), "assets", e.file)
			if !strings.HasPrefix(e.file, "samples/") {
				dir, here := realdata.Look(t)
				if !here {
					continue
				}
				path = filepath.Join(dir, e.file)
			}
			var err error
			d, err = transcript.Open(context.Background(), path, transcript.Options{})
			if err != nil {
				t.Fatal(err)
			}
			docs[e.file] = d
		}
		th := d.Conversations[0].Main()
		m := &th.Messages[th.History[e.msg]]
		parts, err := d.Parts(m)
		if err != nil {
			t.Fatal(err)
		}
		e.content, e.author = parts[e.part], facts.AuthorOf(m)
		e.content.Name = "" // only the text of the part was labelled
		r := []rune(e.content.Text)
		if e.to < 0 {
			e.to = len(r)
		}
		e.content.Text = string(r[e.from:e.to])
		out = append(out, e)
	}
	return out
}

// score counts facts found, right and there.
type score struct{ found, right, there int }

func (s score) precision() float64 { return float64(s.right) / float64(max(1, s.found)) }
func (s score) recall() float64    { return float64(s.right) / float64(max(1, s.there)) }

func grade(excerpts []*excerpt, show func(string)) (by [facts.Kinds]score, all score) {
	for _, e := range excerpts {
		got := map[facts.Fact]bool{}
		facts.Lift(&facts.Message{Author: e.author, Parts: []model.Part{e.content}}, func(l facts.Lifted) { got[l.Fact] = true })
		for f := range got {
			by[f.Kind].found++
			if e.facts[f] {
				by[f.Kind].right++
			} else {
				show(fmt.Sprintf("%s %d: extra %s %q", e.file, e.msg, f.Kind, f.Text))
			}
		}
		for f := range e.facts {
			by[f.Kind].there++
			if !got[f] {
				show(fmt.Sprintf("%s %d: missed %s %q", e.file, e.msg, f.Kind, f.Text))
			}
		}
	}
	for _, s := range by {
		all.found, all.right, all.there = all.found+s.found, all.right+s.right, all.there+s.there
	}
	return by, all
}

// floors are the least precision and recall by kind, a little below what the
// frozen extractor reaches; a change that falls below one is a worse extractor.
var floors = [facts.Kinds]struct{ precision, recall float64 }{
	facts.Path: {0.95, 0.95}, facts.URL: {0.9, 0.9}, facts.Number: {0.95, 0.95}, facts.Identifier: {0.92, 0.90},
	facts.Command: {0.95, 0.95}, facts.Error: {0.9, 0.85}, facts.Quoted: {0.85, 0.75}, facts.Instruction: {0.9, 0.85},
	facts.Decision: {0.9, 0.85},
}

// The extractor finds what a person found who read the excerpts before it was
// run on them.
func TestTheExtractorAgreesWithAPerson(t *testing.T) {
	all := labelled(t)
	excerpts := load(t, all)
	var differences []string
	by, total := grade(excerpts, func(l string) { differences = append(differences, l) })
	sort.Strings(differences)
	for _, l := range differences {
		t.Log(l)
	}
	for k := facts.Kind(0); k < facts.Kinds; k++ {
		s := by[k]
		t.Logf("%-12s labelled %3d found %3d precision %.2f recall %.2f", k, s.there, s.found, s.precision(), s.recall())
		if whole := len(excerpts) == len(all); whole && (s.precision() < floors[k].precision || s.recall() < floors[k].recall) {
			t.Errorf("%s: precision %.2f, recall %.2f, want at least %.2f and %.2f", k, s.precision(), s.recall(), floors[k].precision, floors[k].recall)
		}
	}
	t.Logf("all: %d labelled in %d of %d excerpts, precision %.3f recall %.3f", total.there, len(excerpts), len(all), total.precision(), total.recall())
	if total.there < 100 || total.precision() < 0.9 || total.recall() < 0.9 {
		t.Errorf("of %d facts: precision %.3f, recall %.3f", total.there, total.precision(), total.recall())
	}
}
