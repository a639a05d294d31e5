package session

import (
	"context"
	"math"
	"strings"
	"testing"

	"palimpsest/model/tokens"
	"palimpsest/model/transcript"
)

// glmSession is a history of a model whose vocabulary is not public, and which
// reports no usage.
func glmSession(t *testing.T) *Session {
	t.Helper()
	text := `{"model":"glm-4.6","messages":[{"role":"user","content":"Look at every file of the folder."},{"role":"assistant","content":"They hold a package clause each."}]}`
	d, err := transcript.Read(context.Background(), "talk.json", strings.NewReader(text), int64(len(text)), transcript.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewFile(d, Options{}).Session(context.Background(), Ref{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A factor that a person set changes the token numbers of a history without counting it again,
// and what the file itself reports goes before it.
func TestFactorsWeighAHistory(t *testing.T) {
	ctx := context.Background()
	s := glmSession(t)
	family := s.Counter().Family()
	x, err := tokens.Factors(nil).With(family, 2*s.Counter().Factor())
	if err != nil {
		t.Fatal(err)
	}
	if s.AffectedBy(nil) || !s.AffectedBy(x) {
		t.Fatalf("%s: %v", s.Counter().Name(), x)
	}
	after, err := s.File().WithFactors(x).Continue(ctx, s)
	if err != nil {
		t.Fatal(err)
	}
	for i := range s.Thread().Messages {
		if was, is := s.Tokens(int32(i)), after.Tokens(int32(i)); math.Abs(float64(is-2*was)) > 1 {
			t.Errorf("message %d: %d tokens became %d", i, was, is)
		}
	}
	if after.AffectedBy(x) || after.Counter().Why() != tokens.ByHand || s.Counter().Why() == tokens.ByHand {
		t.Errorf("%s, and the former session %s", after.Counter().Name(), s.Counter().Name())
	}
	if r := reporting(t); r.AffectedBy(x) {
		t.Error("a factor that was set goes before what the file reports")
	} else if fitted, err := r.File().WithFactors(x).Session(ctx, r.Ref(), nil); err != nil || fitted.Counter() != r.Counter() {
		t.Errorf("%v, %v", fitted.Counter().Name(), err)
	}
}
