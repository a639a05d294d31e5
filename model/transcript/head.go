package transcript

import (
	"context"
	"fmt"
	"os"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
)

// Head reads the beginning of a long file of JSON Lines: as many whole lines as
// fit into n bytes, as a document. It is shown while [Open] reads the rest; no
// record may be built on it, and its file is closed, so that only the previews of
// its texts can be read. The error is that of Open, or
// a *model.Problem with the code "no-head" for a file that has no lines to cut
// at: it is one JSON value, a folder, or its first line is longer than n.
func Head(ctx context.Context, path string, n int64, o Options) (*model.Document, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, codec.OpenProblem(path, err)
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return nil, codec.OpenProblem(path, err)
	}
	if !st.Mode().IsRegular() {
		return nil, noHead(path)
	}
	end := min(n, st.Size())
	if end < st.Size() {
		if end, err = lastLineEnd(f, 0, end); err != nil {
			return nil, codec.OpenProblem(path, err)
		}
	}
	if end == 0 {
		return nil, noHead(path)
	}
	d, err := Read(ctx, path, f, end, o)
	if err != nil {
		return nil, err
	}
	if !d.Style.JSONLines && end < st.Size() {
		return nil, noHead(path)
	}
	return d, nil
}

func noHead(path string) error {
	return &model.Problem{Code: "no-head", What: fmt.Sprintf("%s has no beginning to show.", path),
		Why: "It is not JSON Lines, or its first line is very long.", Next: "Wait until it is read."}
}
