package histories

import (
	"bytes"
	"context"
	"strconv"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/jspan"
)

// Steps reads step records: one object a step, with what was analysed, done and
// checked in it. They are one a line or in a JSON array.
//
// A record is one step of up to three messages. The record is the piece of its
// first message; the others have the value of their phase, which no edit changes
// hold of. That is exact because a step is never split: its messages stay or go
// together.
type Steps struct{}

func (Steps) Info() codec.Info {
	return codec.Info{Format: model.FormatSteps, Title: "Step records",
		How: "objects with a step number and the phases analysis, execution and supervision"}
}

// phaseNames are the names of the three messages of a step.
var phaseNames = [3]string{"analysis", "execution", "supervision"}

// stepRoles says what a member of a step record is: a phase (0–2) or one of the
// constants below.
var stepRoles = map[string]int{
	"analysis": 0, "analysisResult": 0, "analysis_result": 0, "分析": 0, "分析结果": 0, "分析阶段": 0,
	"execution": 1, "executionResult": 1, "execution_result": 1, "执行": 1, "执行结果": 1, "执行阶段": 1,
	"supervision": 2, "supervisionResult": 2, "supervision_result": 2, "监督": 2, "监督结果": 2, "监督阶段": 2,
	"step": stepNumber, "stepNumber": stepNumber, "step_number": stepNumber, "步骤": stepNumber, "步骤号": stepNumber,
	"timestamp": stepTime, "time": stepTime, "时间": stepTime, "时间戳": stepTime,
	"summary": stepSummary, "摘要": stepSummary,
	"startStep": stepFirst, "start_step": stepFirst, "起始步骤": stepFirst,
	"endStep": stepLast, "end_step": stepLast, "结束步骤": stepLast,
	"agent": stepAgent, "agentId": stepAgent,
}

// shortRoles are one-letter names, which count only when a record has no others.
var shortRoles = map[string]int{"a": 0, "e": 1, "s": 2, "n": stepNumber, "i": stepNumber, "t": stepTime}

const (
	stepNumber = iota + 3
	stepTime
	stepSummary
	stepFirst
	stepLast
	stepAgent
	stepMembers
)

// stepRecord holds the members of one record by what they are, and the names
// they have in it.
type stepRecord struct {
	val [stepMembers]jspan.Value
	key [stepMembers]string
}

func asStep(v jspan.Value) (r stepRecord, ok bool) {
	if v.Kind != jspan.Object {
		return r, false
	}
	r.read(v, stepRoles)
	if r.val[stepSummary].Kind == jspan.String && r.val[stepFirst].Exists() && r.val[stepLast].Exists() {
		return r, true
	}
	if n := r.phases(); n > 1 || n == 1 && r.val[stepNumber].Exists() {
		return r, true
	}
	r.read(v, shortRoles)
	return r, r.phases() > 1 && r.val[stepNumber].Exists()
}

func (r *stepRecord) read(v jspan.Value, names map[string]int) {
	for key, val := range v.Each {
		name := string(key)
		if bytes.IndexByte(key, '\\') >= 0 { // Chinese names come escaped from some writers
			if v, err := jspan.Parse([]byte(`"`+name+`"`), 0); err == nil {
				name = v.Text()
			}
		}
		if i, ok := names[name]; ok && !r.val[i].Exists() {
			r.val[i], r.key[i] = val, name
		}
	}
}

func (r *stepRecord) phases() int {
	n := 0
	for _, v := range r.val[:3] {
		if v.Exists() && v.Kind != jspan.Number { // the words of a vocabulary have numbers
			n++
		}
	}
	return n
}

func (r *stepRecord) isSummary() bool {
	return r.phases() == 0 && r.val[stepSummary].Exists()
}

func (Steps) Recognise(s *codec.Sniff) (int, string) {
	isStep := func(v jspan.Value) bool { _, ok := asStep(v); return ok }
	const what = " with the phases analysis, execution and supervision"
	if s.JSONLines {
		if s.Share(isStep) >= 0.5 {
			return 85, "lines" + what
		}
		return 0, ""
	}
	if isStep(s.Whole) {
		return 60, "a record" + what
	}
	if codec.Mostly(s.Whole, codec.SniffLines, isStep) {
		return 85, "an array of records" + what
	}
	return 0, ""
}

func (f Steps) Read(ctx context.Context, b *codec.Builder) error {
	c := b.NewChat()
	defer c.Finish()
	n := int32(0)
	take := func(v jspan.Value, p model.Piece) {
		r, ok := asStep(v)
		if !ok {
			b.NoteAt(v, "unknown-record", "not a step record; it is kept in place")
			return
		}
		b.Doc.Items++
		if !r.isSummary() {
			n++
		}
		f.record(c, v, r, p, n)
	}
	return codec.EachRecord(ctx, b, b.Whole, take)
}

// record adds the messages of one record.
func (Steps) record(c *codec.Chat, v jspan.Value, r stepRecord, p model.Piece, n int32) {
	m := model.Message{ID: codec.NumberText(r.val[stepNumber]), Role: model.RoleAssistant, Kind: model.KindAssistant, Step: n,
		Time: codec.Millis(r.val[stepTime]), Pieces: []model.Piece{p}}
	if name := r.val[stepAgent].TextN(100); name != "" && c.Conv.Agents[0].Name == "" {
		c.Conv.Agents[0].Name = name
	}
	if r.isSummary() {
		m.ID = codec.NumberText(r.val[stepFirst]) + "-" + codec.NumberText(r.val[stepLast])
		m.Role, m.Kind, m.Step = model.RoleSystem, model.KindSummary, 0
		m.Preview = codec.Preview(r.val[stepSummary].TextN(codec.PreviewScan))
		c.Add(m, v)
		return
	}
	for i, val := range r.val[:3] {
		head := phaseHead(val)
		if head == "" {
			continue
		}
		m.Name, m.Preview = phaseNames[i], codec.Preview(head)
		c.Add(m, v)
		if i < 2 {
			m.Pieces = nil // filled with the next phase's value
			for _, next := range r.val[i+1 : 3] {
				if phaseHead(next) != "" {
					m.Pieces = []model.Piece{{Span: c.B.Span(next), Array: -1}}
					break
				}
			}
		}
	}
}

// phaseHead is the beginning of a phase; "" when it is empty or null.
func phaseHead(v jspan.Value) string {
	switch v.Kind {
	case jspan.Missing, jspan.Null:
		return ""
	case jspan.String:
		return v.TextN(codec.PreviewScan)
	}
	return codec.SpelledHead(v)
}

// Parts implements [model.Codec].
func (Steps) Parts(d *model.Document, m *model.Message) ([]model.Part, error) {
	var p codec.Parts
	for _, piece := range m.Pieces {
		v, err := edit.ParseAt(d, piece.Span)
		if err != nil {
			return nil, err
		}
		if r, ok := asStep(v); ok && edit.Editable(d, piece) {
			v = r.val[stepSummary]
			for i, name := range phaseNames {
				if name == m.Name {
					v = r.val[i]
				}
			}
		}
		if v.Kind == jspan.String {
			p.Text(m, v.Text())
		} else {
			p.Text(m, v.RawText())
		}
	}
	return p.Done(), nil
}

// spelledNumber is a step number as JSON: a number where it is one.
func spelledNumber(d *model.Document, s string) []byte {
	if _, err := strconv.Atoi(s); err == nil {
		return []byte(s)
	}
	return edit.Quote(d, s)
}
