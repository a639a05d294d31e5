package transcript

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"palimpsest/model"
)

// problemCode is the code of a problem that a person can act on; "" for none.
func problemCode(err error) string {
	var p *model.Problem
	if errors.As(err, &p) {
		return p.Code
	}
	return ""
}

// Of every real file the likeliest candidate is the format it opens as, the
// others are less likely, and what is said before it is opened is said after.
func TestCandidatesOfRealFiles(t *testing.T) {
	several := 0
	for _, s := range fewer(samples(t)) {
		d, err := Open(context.Background(), s.Path, Options{})
		if err != nil || d.Format == model.FormatOpenHands { // whose folders are no file
			continue
		}
		f, err := os.Open(s.Path)
		if err != nil {
			t.Fatal(err)
		}
		list, err := candidates(s.Path, f, d.Size)
		f.Close()
		if err != nil || len(list) == 0 || list[0].Format != d.Format || len(list) != len(d.Guesses) {
			t.Errorf("%s, opened as %s: %+v, %v", s.File, d.Format, list, err)
			continue
		}
		for i, g := range list {
			if g != d.Guesses[i] || g.Confidence < 1 || g.Confidence > 100 || g.Why == "" || i > 0 && g.Confidence > list[i-1].Confidence {
				t.Errorf("%s: candidate %d is %+v after %+v", s.File, i, g, list)
			}
		}
		if len(list) > 1 {
			several++
			t.Log(s.File, list)
		}
		if Close(list) {
			t.Errorf("%s: two formats are equally likely: %+v", s.File, list)
		}
	}
	t.Logf("%d files fit several formats", several)
}

func TestCandidatesWithoutAFormat(t *testing.T) {
	const guessed = `{"log":[{"speaker":"user","utterance":"a"},{"speaker":"bot","utterance":"b"}]}`
	list, err := candidates("x", strings.NewReader(guessed), int64(len(guessed)))
	if err != nil || len(list) != 0 {
		t.Errorf("%+v, %v", list, err)
	}
	d := mustRead(t, guessed)
	if len(d.Guesses) != 1 || d.Guesses[0].Format != model.FormatGeneric || Close(d.Guesses) {
		t.Errorf("%+v", d.Guesses)
	}
	if _, err := candidates("x", strings.NewReader("no"), 2); problemCode(err) != "not-json" {
		t.Error(err)
	}
	if !Close([]model.Guess{{Confidence: 80}, {Confidence: 78}}) || Close([]model.Guess{{Confidence: 80}, {Confidence: 70}}) {
		t.Error("what is close is not told")
	}
}

// A file that grows is no surer than it was.
func TestAGuessThatGrowsStaysAGuess(t *testing.T) {
	line := "{\"sender\":\"a\",\"text\":\"x\"}\n{\"sender\":\"b\",\"text\":\"y\"}\n"
	g := newGrowingFile(t, []byte(line))
	f := g.follow(Options{})
	g.append([]byte(line))
	change, d, err := f.Next(context.Background())
	if err != nil || change != FileGrown || !d.Unconfirmed || len(d.Guesses) != 1 {
		t.Fatalf("%v, %v", change, err)
	}
}

// candidates are the formats that a survey of a source names.
func candidates(path string, src io.ReaderAt, size int64) ([]model.Guess, error) {
	s, err := Look(context.Background(), path, src, size)
	if err != nil {
		return nil, err
	}
	return s.Guesses, nil
}
