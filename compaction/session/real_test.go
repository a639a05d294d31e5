package session

import (
	"context"
	"errors"
	"testing"

	"palimpsest/model"
	"palimpsest/model/transcript"
)

func openReal(t *testing.T, path string) *File {
	t.Helper()
	f, err := Open(context.Background(), path, Options{}, transcript.Options{})
	var p *model.Problem
	if errors.As(err, &p) && p.Code == "unknown-format" {
		t.Skip("its format is not known: ", p.Error())
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}
