package desk

import (
	"palimpsest/compaction"
	"palimpsest/model"
)

// at80 is a policy that fires at 80 % and keeps 10 %, whatever the default is: the figures of
// some tests follow from it.
func at80(q *model.Policy) {
	q.Triggers = []model.Clause{compaction.ShareClause(.8)}
	q.Tail, q.Budget = compaction.ShareOfWindow(10), compaction.ShareOfWindow(2)
}
