package plan

import (
	"palimpsest/compaction/session"
	"palimpsest/model"
)

// Events are what follows from parameters and plans.
type Events struct {
	// Outdated: the parameters are others than before.
	Outdated func()
	// Changed: a person changed the parameters of a session, which were was.
	Changed func(s *session.Session, was model.Policy)
	// Kept: the parameters on the screen are those of the session.
	Kept func()
	// Begun: a plan is begun, while a hand drags a parameter or not.
	Begun func(s *session.Session, p model.Policy, dragged bool)
	// Planned: it is there, the first of this history or not; settled: the parameters on
	// the screen are still those it was made with.
	Planned func(s *session.Session, rows *session.Ledger, first, settled bool)
	// Rows: the rows of the same plan were made again.
	Rows func(*session.Ledger)
}
