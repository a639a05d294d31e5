package model

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
)

// A request sees what the last reset before it kept, then the history from there.
func TestWhatIsLiveFollowsResets(t *testing.T) {
	th := Thread{History: []int32{10, 11, 12, 13, 14}, Resets: []Reset{{At: 2, Base: []int32{20}}, {At: 4, Base: []int32{21, 13}}}}
	for i, want := range map[int][]int32{
		0: {}, 1: {10}, 2: {20}, 3: {20, 12}, 4: {21, 13}, 5: {21, 13, 14},
	} {
		live := th.Live(i)
		if !slices.Equal(live, want) {
			t.Errorf("before message %d: %v, want %v", i, live, want)
		}
		if from := th.LiveFrom(i); i-from > len(live) || !slices.Equal(live[len(live)-(i-from):], th.History[from:i]) {
			t.Errorf("before message %d the history is not live from %d on: %v", i, from, live)
		}
	}
	if th.Live(5)[0] = 99; th.Resets[1].Base[0] != 21 {
		t.Error("writing to a live list changed the thread")
	}
}

func TestASpanOfADocument(t *testing.T) {
	d := Document{Source: strings.NewReader("0123456789"), Notes: []Note{{Line: 1}, {Line: 2, Bad: true}}}
	if b, err := d.Bytes(Span{Off: 6, Len: 4}); err != nil || string(b) != "6789" {
		t.Errorf("the end of the source: %q %v", b, err)
	}
	if b, err := d.Bytes(Span{Off: 99, Len: 0}); err == nil {
		t.Errorf("behind the end: %q", b)
	}
	if bad := d.Damaged(); len(bad) != 1 || bad[0].Line != 2 {
		t.Errorf("%+v", bad)
	}
}

func TestOnlyAPersonOpensATurn(t *testing.T) {
	if m := (&Message{Kind: KindUser, Origin: OriginTyped}); !m.Typed() {
		t.Error("a typed message opens none")
	}
	if m := (&Message{Kind: KindResult, Origin: OriginTyped}); m.Typed() {
		t.Error("a result opens one")
	}
}

func TestAProblemIsSentences(t *testing.T) {
	p := &Problem{What: "It can't be read.", Next: "Choose another.", Err: io.ErrUnexpectedEOF}
	if p.Error() != "It can't be read. Choose another." || !errors.Is(p, io.ErrUnexpectedEOF) {
		t.Errorf("%q", p.Error())
	}
}

func TestAParameterHasNoEffectBesideOthers(t *testing.T) {
	for key, q := range map[string]Policy{
		"tail": {Adaptive: true}, "batch": {Adaptive: true}, "keep": {}, "above": {},
		"budget": {Strategy: Drop}, "layer": {Former: MergeFormer},
	} {
		if ParamOf(key).Used(&q) {
			t.Errorf("%s has an effect in %+v", key, q)
		}
	}
	clearing := Policy{Strategy: ClearOnly}
	if x := ParamOf("keep"); !x.Used(&clearing) || !x.SwitchedOff(&clearing) {
		t.Error("clearing only needs no switch")
	}
	if x := ParamOf("window"); !x.Used(&Policy{}) || x.SwitchedOff(&Policy{}) {
		t.Error("the window needs nothing")
	}
	if ParamOf("nonsense") != nil {
		t.Error("there is no such parameter")
	}
}

// Fates, kinds and parts have names of their own.
func TestNamesAreTheirOwn(t *testing.T) {
	names, letters := map[string]bool{}, map[string]bool{}
	for _, f := range Fates {
		names[f.String()], letters[f.Letter()] = true, true
	}
	if len(names) != len(Fates) || len(letters) != len(Fates) {
		t.Errorf("%v %v", names, letters)
	}
	for _, s := range Strategies() {
		if asks := s == ModelText || s == ModelNote; s.Asks() != asks {
			t.Errorf("%s asks a model: %v", s, s.Asks())
		}
	}
}
