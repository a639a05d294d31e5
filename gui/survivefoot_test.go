package gui

import (
	"testing"

	"palimpsest/compaction/facts"
	"palimpsest/compaction/session"
	"palimpsest/gui/desk"
	"palimpsest/gui/words"
	"palimpsest/gui/workbench"
)

// Below the table stands what is low, how much of that was needed, and bounds as
// bounds.
func TestWordsOfWhatIsLost(t *testing.T) {
	defer words.Set(words.English)
	tally := func(path, number facts.Tally) *facts.Survival {
		v := &facts.Survival{}
		v.Kinds[facts.Path], v.Kinds[facts.Number] = path, number
		return v
	}
	needs := func(lower bool, path, number facts.Recall) *session.Needed {
		n := &session.Needed{Lower: lower}
		n.Kinds[facts.Path], n.Kinds[facts.Number] = path, number
		n.Recall = facts.Recall{Needs: path.Needs + number.Needs, Met: path.Met + number.Met}
		return n
	}
	few, most := facts.Tally{Gone: 100, Survived: 35}, facts.Tally{Gone: 10, Survived: 9}
	for _, c := range []struct {
		v      desk.Survival
		en, zh string
	}{
		{desk.Survival{Survival: tally(most, few)}, "Low: numbers with unit 35 %.", "偏低：带单位的数值 35%。"},
		{desk.Survival{Survival: tally(most, most)}, "", ""},
		{desk.Survival{Survival: tally(most, few), Needed: needs(false, facts.Recall{Needs: 4, Met: 3}, facts.Recall{Needs: 5, Met: 2})},
			"Low: numbers with unit 35 %. Of these 65 lost, 3 were needed later.", "偏低：带单位的数值 35%。这些种类丢失的 65 项中，后来用到 3 项。"},
		{desk.Survival{Survival: tally(few, few), Lower: true, Needed: needs(true, facts.Recall{Needs: 1}, facts.Recall{})},
			"", ""}, // the summary is still to be made
		{desk.Survival{Survival: tally(most, few), Needed: needs(false, facts.Recall{Needs: 4, Met: 3}, facts.Recall{})},
			"Low: numbers with unit 35 %. Of these 65 lost, none was needed later.", "偏低：带单位的数值 35%。这些种类丢失的 65 项后来都未用到。"},
		{desk.Survival{Survival: tally(most, most), Needed: needs(false, facts.Recall{Needs: 1}, facts.Recall{})},
			"Of 2 lost, 1 was needed later.", "丢失的 2 项中，后来用到 1 项。"},
		{desk.Survival{Survival: tally(most, most), Needed: needs(false, facts.Recall{}, facts.Recall{})},
			"Of 2 lost, none was needed later.", "丢失的 2 项后来都未用到。"},
		{desk.Survival{Survival: tally(facts.Tally{Gone: 3, Survived: 3}, facts.Tally{}), Needed: needs(false, facts.Recall{}, facts.Recall{})},
			"Nothing is lost.", "没有丢失。"},
	} {
		words.Set(words.English)
		en := workbench.SurvivalWords(&c.v)
		words.Set(words.Chinese)
		if zh := workbench.SurvivalWords(&c.v); en != c.en || zh != c.zh {
			t.Errorf("%q, %q\nwant %q, %q", en, zh, c.en, c.zh)
		}
	}
}
