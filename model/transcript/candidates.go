package transcript

import (
	"fmt"
	"slices"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/generic"
	"palimpsest/model/transcript/internal/mapped"
)

// Close reports whether the two likeliest guesses are so near to each other that
// a person should say which it is.
func Close(guesses []model.Guess) bool {
	return len(guesses) > 1 && guesses[0].Confidence-guesses[1].Confidence < closeBy
}

// closeBy is a difference of confidence too small to decide by. Formats that a
// distinct sign shows differ by more.
const closeBy = 5

// Confirmed returns an error for a document that was read by a guess: such a one
// must not be changed, for it may not mean what it seems to.
func Confirmed(d *model.Document) error {
	if !d.Unconfirmed {
		return nil
	}
	return &model.Problem{Code: "unconfirmed", What: fmt.Sprintf("%s was read by a guess, so it can only be looked at.", d.Path),
		Why:  "No known format fits it; it was read by the field map " + MapOf(d) + ".",
		Next: "If its messages are right, confirm the reading with --read-as generic, or say where they are with --map."}
}

// choice is how a source is going to be read.
type choice struct {
	format      codec.Format
	why         string
	guesses     []model.Guess
	unconfirmed bool
}

// choose picks the format with the highest confidence, or what the options say.
func choose(s *codec.Sniff, o Options, path string) (choice, error) {
	switch {
	case o.Map != nil:
		g, err := byMap(o.Map)
		return choice{format: g, why: "read by a field map: " + o.Map.String()}, err
	case o.Format == model.FormatGeneric:
		g, why, err := guessFormat(s, path)
		return choice{format: g, why: why}, err
	case o.Format != "":
		if f := formatNamed(o.Format); f != nil {
			return choice{format: f, why: "chosen by you"}, nil
		}
	}
	if list := guesses(s); o.Format == "" && len(list) > 0 {
		return choice{format: formatNamed(list[0].Format), why: list[0].Why, guesses: list}, nil
	}
	if err := refusePreference(s, path); err != nil {
		return choice{}, err
	}
	if g, why, err := guessFormat(s, path); err == nil {
		return choice{format: g, why: why, unconfirmed: true,
			guesses: []model.Guess{{Format: model.FormatGeneric, Confidence: guessConfidence, Why: why}}}, nil
	}
	return choice{}, &model.Problem{Code: "unknown-format", What: fmt.Sprintf("%s is JSON, but not a conversation we know.", path),
		Why:  "No record has the fields of a known format.",
		Next: "See the list of formats (Help → Formats, or the verb formats), or say where its messages are (--map)."}
}

// byMap is the format that reads by a field map.
func byMap(m *generic.FieldMap) (codec.Format, error) {
	if m.Turns() {
		return mapped.ByTurns(m)
	}
	return generic.New(m)
}

// guessConfidence is below the confidence of every format: a guess is made only when all
// of them declined.
const guessConfidence = 10

func formatNamed(name model.Format) codec.Format {
	for _, f := range formats() {
		if f.Info().Format == name {
			return f
		}
	}
	return nil
}

// guessFormat reads generic JSON by the map that fits it best.
func guessFormat(s *codec.Sniff, path string) (codec.Format, string, error) {
	m := generic.Guess(s)
	if m == nil {
		return nil, "", &model.Problem{Code: "unknown-format", What: fmt.Sprintf("%s holds nothing like a list of messages.", path),
			Why: "No array in it has objects with a role and a text.", Next: "Say where they are with a field map."}
	}
	g, err := generic.New(m)
	g.Guessed = true
	return g, "a guess, for no format fits: " + m.String(), err
}

// guesses asks every format. At equal confidence the order of [formats] decides.
func guesses(s *codec.Sniff) []model.Guess {
	if s.Guesses != nil {
		return *s.Guesses
	}
	var list []model.Guess
	sample := s.Sample()
	for _, f := range formats() {
		if n, why := f.Recognise(sample); n > 0 {
			list = append(list, model.Guess{Format: f.Info().Format, Confidence: n, Why: why})
		}
	}
	slices.SortStableFunc(list, func(a, b model.Guess) int { return b.Confidence - a.Confidence })
	s.Guesses = &list
	return list
}

// Rereading gives the options with which a copy of a document is to be read, so
// that it is read in the same way: none where its content says what it is.
func Rereading(d *model.Document) Options {
	o := Options{}
	if d.Packed != nil {
		o.Entry = d.Packed.Inner
	}
	o.Map = generic.MapOf(d)
	return o
}
