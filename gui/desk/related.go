package desk

import (
	"context"

	"palimpsest/compaction/session"
	"palimpsest/gui/sched"
)

// loadRelated finds the files of agents that belong to an entry's conversation,
// in the background, when it was opened or grew.
func (d *fileList) loadRelated(e *Entry) {
	f := e.File
	sched.Run(d.sched, "related:"+e.Path, func(ctx context.Context, _ func(sched.Progress)) ([]session.Related, error) {
		return f.Related(ctx)
	}, func(list []session.Related, err error) {
		if err == nil && e.File == f {
			e.Related = list
			d.notify(TopicFiles)
		}
	})
}
