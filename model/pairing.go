package model

// Link binds a message to a call, mostly of another message, beyond what [Message.Answers] says.
type Link struct {
	ID     string // of the call
	Result bool   // the message holds its result, as an answer holds that of a tool the provider ran; else the call made it
}

// Pairing says which messages go or stay together: a call, its results, and what links to it.
// It is told of messages in the order of a request, and asked by all who match results
// with calls. Ids and messages are numbers from 0 on; ids are not unique in real files.
//
//   - a result belongs to the latest call of its id that has none, else to the latest call
//     of its id;
//   - one that no call is before belongs to the next call of its id;
//   - a link belongs to its call.
type Pairing struct {
	ids   []pairedID
	calls []openCall // without a result, linked by id
}

type pairedID struct {
	open  int32 // its latest call without a result, among calls; -1: none
	last  int32 // the message of its latest call; -1: none
	early int32 // the message of a result that no call was before; -1: none
}

type openCall struct{ message, below int32 }

// Tie is how a result belongs to a call.
type Tie uint8

const (
	TieNone    Tie = iota // there is no such call
	TieFirst              // it is the result that the call waited for
	TieFurther            // the call has a result
)

// Reserve makes room for so many ids.
func (p *Pairing) Reserve(ids int) {
	for len(p.ids) < ids {
		p.ids = append(p.ids, pairedID{-1, -1, -1})
	}
}

// Forget forgets an id.
func (p *Pairing) Forget(id int32) { p.ids[id] = pairedID{-1, -1, -1} }

// Call notes that a message makes a call. early is the message of a result that came before
// it, -1 if none did; the call waits for no other.
func (p *Pairing) Call(id, message int32) (early int32) {
	p.Reserve(int(id) + 1)
	x := &p.ids[id]
	early, x.early, x.last = x.early, -1, message
	if early < 0 {
		x.open, p.calls = int32(len(p.calls)), append(p.calls, openCall{message, x.open})
	}
	return early
}

// Result finds the message of the call that a result belongs to.
func (p *Pairing) Result(id, message int32) (call int32, tie Tie) {
	p.Reserve(int(id) + 1)
	x := &p.ids[id]
	switch {
	case x.open >= 0:
		c := p.calls[x.open]
		x.open = c.below
		return c.message, TieFirst
	case x.last >= 0:
		return x.last, TieFurther
	}
	x.early = message
	return -1, TieNone
}

// CalledBy is the message of the latest call of an id, -1: there is none.
func (p *Pairing) CalledBy(id int32) int32 {
	if id < 0 || int(id) >= len(p.ids) {
		return -1
	}
	return p.ids[id].last
}

// Waits reports whether a call of an id has no result.
func (p *Pairing) Waits(id int32) bool { return int(id) < len(p.ids) && p.ids[id].open >= 0 }

// Link finds the message of the call that a link of a message names.
func (p *Pairing) Link(id int32, result bool, message int32) (call int32, tie Tie) {
	if result {
		return p.Result(id, message)
	}
	if call = p.CalledBy(id); call >= 0 {
		tie = TieFurther
	}
	return call, tie
}

// NamedPairing is a Pairing of ids as they are spelled.
type NamedPairing struct {
	Pairing
	numbers map[string]int32
}

// ID is the number of an id.
func (p *NamedPairing) ID(id string) int32 {
	n, ok := p.numbers[id]
	if !ok {
		if p.numbers == nil {
			p.numbers = map[string]int32{}
		}
		n = int32(len(p.numbers))
		p.numbers[id] = n
	}
	return n
}

// Len is the number of different ids.
func (p *NamedPairing) Len() int { return len(p.numbers) }
