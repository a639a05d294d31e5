package desk

import (
	"bytes"
	"context"

	"palimpsest/compaction/session"
	"palimpsest/model/transcript"
)

// source is where a history is read from: its file, or the content of a sample.
type source struct {
	path string
	data []byte // nil: the file at path
}

func (s source) open(ctx context.Context, opt session.Options, ro transcript.Options) (*session.File, error) {
	if s.data == nil {
		return session.Open(ctx, s.path, opt, ro)
	}
	doc, err := transcript.Read(ctx, s.path, bytes.NewReader(s.data), int64(len(s.data)), ro)
	if err != nil {
		return nil, err
	}
	return session.NewFile(doc, opt), nil
}
