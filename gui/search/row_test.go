package search

import (
	"testing"

	"palimpsest/compaction/session/find"
	"palimpsest/model"
)

// A hit says who speaks, and its fate where a plan knows one.
func TestRowsOfHits(t *testing.T) {
	live := &find.Known{Live: true, Fate: model.Summarised}
	for _, x := range []struct {
		m         find.Match
		who, fate string
	}{
		{find.Match{}, "summary", ""},
		{find.Match{Msg: &model.Message{Role: model.RoleUser, Kind: model.KindUser}}, "user", ""},
		{find.Match{Msg: &model.Message{Role: model.RoleTool, Kind: model.KindResult}, Tools: []string{"Read"}, Known: live}, "result · Read", "summarised"},
		{find.Match{Msg: &model.Message{Role: model.RoleUser, Kind: model.KindUser}, Known: &find.Known{Fate: model.Summarised}}, "user", ""},
	} {
		r := row{match: &x.m}
		if got := who(r); got != x.who {
			t.Errorf("%+v speaks as %q, want %q", x.m, got, x.who)
		}
		if got := fate(r); got != x.fate {
			t.Errorf("%s: the fate is %q, want %q", x.who, got, x.fate)
		}
	}
	if orderKey(true) == orderKey(false) {
		t.Error("both orders have one name")
	}
}
