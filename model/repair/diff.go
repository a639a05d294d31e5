package repair

import (
	"bytes"
	"io"

	"palimpsest/model"
	"palimpsest/model/transcript"
)

// DiffLine is a line of what a mend changes: a sign, ' ', '-' or '+', and its text, cut to
// what is near the change.
type DiffLine struct {
	Line int    `json:"line"` // of the file; 0: it is a new one
	Sign string `json:"sign"`
	Text string `json:"text"`
}

// near is how many bytes are shown beside a change.
const near = 40

// mostBefore is how far the beginning of the record before a new one is looked for.
const mostBefore = 64 << 10

// mostPlaces is how many places of one mend are shown.
const mostPlaces = 3

// Diff is what the mend of a fault changes, or, without one, what is there.
func (r *Report) Diff(f *Fault) []DiffLine {
	src, size := r.file, r.size
	if f.layer > 0 {
		src, size = r.views[f.layer-1], r.views[f.layer-1].size
	}
	splices := f.splices()
	if d := r.docs[f.layer]; d != nil {
		e := transcript.NewEdits(d)
		joined := map[model.Span][]op{}
		f.apply(e, joined)
		insertJoined(e, joined)
		var err error
		if splices, err = e.Splices(); err != nil {
			return nil
		}
	}
	if len(splices) == 0 {
		return []DiffLine{{f.Line, " ", excerpt(readAt(src, size, f.span.Off, 4*near))}}
	}
	var out []DiffLine
	for i, s := range splices {
		if i == mostPlaces {
			break
		}
		out = append(out, r.place(src, size, f.layer, s)...)
	}
	return out
}

// place shows one change.
func (r *Report) place(src io.ReaderAt, size int64, layer int, s transcript.Splice) (out []DiffLine) {
	index := lineIndex{src: r.file, every: r.lineOffs}
	line := index.at(r.below(s.Off, layer))
	old := readAt(src, size, s.Off, min(s.Len, 4*near))
	before := readAt(src, size, max(0, s.Off-near), min(near, s.Off))
	if i := bytes.LastIndexByte(before, '\n'); i >= 0 {
		before = before[i+1:]
	}
	after := readAt(src, size, s.End(), near/2)
	if i := bytes.IndexByte(after, '\n'); i >= 0 {
		after = after[:i]
	}
	whole := bytes.HasSuffix(bytes.TrimRight(old, "\r\n"), []byte("}")) && len(before) == 0 || len(s.Bytes) > 4*near
	switch {
	case s.Len == 0 && (bytes.HasPrefix(bytes.TrimLeft(s.Bytes, ",\r\n \t"), []byte("{")) || whole): // a new record
		long := readAt(src, size, max(0, s.Off-mostBefore), min(mostBefore, s.Off))
		long = bytes.TrimRight(long[bytes.LastIndexByte(bytes.TrimRight(long, "\r\n"), '\n')+1:], "\r\n")
		out = append(out, DiffLine{line, " ", excerptOf(long, 4*near)}, DiffLine{0, "+", excerptOf(s.Bytes, 4*near)})
	case len(s.Bytes) == 0 && len(before) == 0: // a line goes
		out = append(out, DiffLine{line, "-", excerptOf(old, 4*near)})
	default:
		out = append(out, DiffLine{line, "-", shown(before, old, after)}, DiffLine{0, "+", shown(before, s.Bytes, after)})
	}
	return out
}

func shown(parts ...[]byte) string { return excerptOf(bytes.Join(parts, nil), 6*near) }
