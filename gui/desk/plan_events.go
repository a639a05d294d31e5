package desk

import (
	"palimpsest/compaction/session"
	"palimpsest/model"
)

// planEvents are what follows from parameters and plans.
type planEvents struct {
	// outdated: the parameters are others than before.
	outdated func()
	// changed: a person changed the parameters of a session, which were was.
	changed func(s *session.Session, was model.Policy)
	// kept: the parameters on the screen are those of the session.
	kept func()
	// begun: a plan is begun, while a hand drags a parameter or not.
	begun func(s *session.Session, p model.Policy, dragged bool)
	// planned: it is there, the first of this history or not; settled: the parameters on
	// the screen are still those it was made with.
	planned func(s *session.Session, rows *session.Ledger, first, settled bool)
	// rows: the rows of the same plan were made again.
	rows func(*session.Ledger)
}
