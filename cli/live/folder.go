package live

import (
	"cmp"
	"context"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"palimpsest/compaction/session/figures"
	"palimpsest/model"
)

// mostGrowing bounds how many transcripts of a folder are read.
const mostGrowing = 50

// Growing are the transcripts in folders that were written to a moment ago, as
// running sessions. A file that can't be read as one, or not yet, is none.
func Growing(ctx context.Context, w World, folders []string, p model.Policy, now time.Time) ([]model.LiveSession, error) {
	type fresh struct {
		path string
		at   time.Time
	}
	var list []fresh
	for _, dir := range folders {
		err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err != nil || ctx.Err() != nil {
				return ctx.Err() // what can't be looked at is left out
			}
			if e.IsDir() || !strings.HasSuffix(path, ".jsonl") {
				return nil
			}
			info, err := e.Info()
			if err == nil && now.Sub(info.ModTime()) <= model.LiveFor {
				list = append(list, fresh{path, info.ModTime().UTC()})
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	slices.SortFunc(list, func(a, b fresh) int { return cmp.Or(b.at.Compare(a.at), cmp.Compare(a.path, b.path)) })
	var out []model.LiveSession
	for _, f := range list[:min(len(list), mostGrowing)] {
		s, err := glance(ctx, w, f.path, p)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err == nil {
			s.ID, s.Changed = filepath.Base(f.path), f.at
			out = append(out, s)
		}
	}
	return out, nil
}

// glance reads how far one transcript is.
func glance(ctx context.Context, w World, path string, p model.Policy) (model.LiveSession, error) {
	f, err := w.Open(ctx, path)
	s, err := mainThread(ctx, f, err)
	if err != nil {
		return model.LiveSession{}, err
	}
	defer f.Close()
	return figures.Live(s, p), nil
}
