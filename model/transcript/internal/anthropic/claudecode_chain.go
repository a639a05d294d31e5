package anthropic

import (
	"hash/maphash"
	"slices"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/edit"
)

// What the model sees is the chain of parents up from the last record (c4 here).
// Parallel calls of one answer (a1, a2) are siblings, so the chain passes one of
// them only; the others and their results are added to it.
//
//	u1 ─ a1 ─ r1 ─ c3 ─ c4      main line: u1 a1 a2 r1 r2 c3 c4
//	      └─ a2 ─ r2
//	u1 ─ x1 ─ x2                an abandoned branch: a thread of its own
//	s1 ─ s2   isSidechain       a sub-agent: a thread of its own
//
// A compaction's boundary has no parent; its logical parent leads on. Since 2.1.217 what
// follows a compaction may point past it, to the last message that stayed word for
// word (u2): the chain still passes through the summary.
//
//	u1 ─ a1 ─ u2 ─────────────── u3     B boundary, S summary
//	           └ ─ logical ─ B ─ S

// assignThreads puts every record into a thread: 0 is the main one. Within a
// thread the order is that of the file.
func (r *ccReader) assignThreads() {
	leaf, side := -1, true
	for i := range r.recs {
		// One without a name follows nothing where others have names: a line that was damaged.
		if !r.recs[i].side && r.chat(i) && (leaf < 0 || r.recs[i].uuid != "" || r.recs[leaf].uuid == "") {
			leaf, side = i, false
		}
	}
	if side { // the file of a sub-agent: its own main line
		for i := range r.recs {
			r.recs[i].side = false
			if r.chat(i) {
				leaf = i
			}
		}
	}
	if !r.hasLinks() {
		for i := range r.recs {
			if rec := &r.recs[i]; !rec.side && rec.dup < 0 {
				rec.thread = 0
			}
		}
		return
	}
	r.walkChain(leaf)
	for _, b := range r.boundaries() {
		r.takeShownAgain(b)
	}
	again := ccReplay{r}
	replayed := again.find()
	r.completeChain(replayed)
	again.copy(replayed)
	for i := leaf + 1; i < len(r.recs); i++ { // what was written behind the last message
		rec := &r.recs[i]
		if p := r.parent(i); !rec.side && rec.dup < 0 && p >= 0 && r.recs[p].thread == 0 {
			rec.thread = 0
		}
	}
}

// chat reports whether a record is a message between a person and the model.
func (r *ccReader) chat(i int) bool {
	k := r.recs[i].kind
	return (k == ccUser || k == ccAssistant) && r.recs[i].dup < 0
}

// hasLinks reports whether any record of the main line points to another one. The
// web export and hand-made files have no links: the order of the file is the
// chain.
func (r *ccReader) hasLinks() bool {
	for i := range r.recs {
		if p := r.parent(i); p >= 0 && p != i && !r.recs[i].side && r.chat(i) {
			return true
		}
	}
	return false
}

// parent is the record that record i points to, -1 if there is none.
func (r *ccReader) parent(i int) int {
	if up := r.recs[i].up; up >= 0 || r.recs[i].parent == "" {
		return int(up)
	}
	if p, ok := r.byUUID(r.recs[i].parent); ok {
		return int(p)
	}
	return -1
}

// walkChain marks the chain from the leaf to its first record. It goes on across a
// compaction's boundary, by its logical parent, and where a parent is missing,
// by the order of the file.
func (r *ccReader) walkChain(leaf int) {
	bounds := r.boundaries()
	for _, at := range bounds {
		if own, _ := r.byUUID(r.recs[at].bound.anchor); at > leaf && int(own) == at {
			leaf = at // nothing was said since, and what it left follows it
		}
	}
	for i := leaf; i >= 0; {
		rec := &r.recs[i]
		if rec.thread == 0 {
			r.noteRecord(rec, "cycle", "parents that lead back to this record; the walk stops here")
			return
		}
		rec.thread = 0
		p := int32(r.parent(i))
		ok := p >= 0
		if rec.bound != nil && rec.parent == "" && rec.logical != "" {
			p, ok = r.byUUID(rec.logical)
		}
		switch {
		case ok && (rec.parent != "" || rec.logical != ""):
			i = r.byBoundary(bounds, i, int(p))
		case rec.parent != "" || rec.bound != nil || !rec.root && (rec.kind == ccAssistant || rec.answers()):
			if rec.parent != "" {
				r.noteRecord(rec, "missing-parent", "its parent is not in the file; read on from the record before it")
			}
			missing := rec.parent != ""
			if i = r.before(i); i < 0 {
				r.midway = missing
			}
		default:
			return // a person's first words, or what says that it is the first
		}
	}
}

// boundaries are the compactions of the main agent, in the order of the file.
func (r *ccReader) boundaries() (out []int) {
	for i := range r.recs {
		if rec := &r.recs[i]; rec.bound != nil && !rec.bound.found.Clearing && !rec.side && rec.dup < 0 {
			out = append(out, i)
		}
	}
	return out
}

// byBoundary is where the chain goes on from record i whose parent is p: to p, or
// to the summary of the compaction between them that left p word for word.
func (r *ccReader) byBoundary(bounds []int, i, p int) int {
	for k := len(bounds) - 1; k >= 0; k-- {
		at := bounds[k]
		if at <= p {
			return p
		}
		b := r.recs[at].bound
		if at >= i || r.recs[at].thread == 0 || !r.leaves(at, p) {
			continue
		}
		b.end = i
		if anchor, ok := r.byUUID(b.anchor); ok && int(anchor) > at && int(anchor) < i && !r.recs[anchor].side {
			return int(anchor)
		}
		return at
	}
	return p
}

// leaves reports whether the compaction of a boundary left a record word for word.
func (r *ccReader) leaves(boundary, rec int) bool {
	b, uuid := r.recs[boundary].bound, r.recs[rec].uuid
	if uuid == "" {
		return false
	}
	if uuid == b.tail || uuid == r.recs[boundary].logical || slices.Contains(b.kept, uuid) {
		return true
	}
	head, ok1 := r.byUUID(b.head)
	tail, ok2 := r.byUUID(b.tail)
	return ok1 && ok2 && int(head) <= rec && rec <= int(tail)
}

// takeShownAgain puts on the line what hangs on the boundary of a compaction that
// the chain points past, and was not said by anybody: files that were shown
// again, the command that was typed for it.
func (r *ccReader) takeShownAgain(boundary int) {
	taken := map[int]bool{boundary: true}
	for j := boundary + 1; j < r.recs[boundary].bound.end; j++ {
		rec := &r.recs[j]
		said := rec.kind == ccAssistant || rec.answers() || len(rec.messages) > 0 && rec.messages[0].Typed()
		if rec.side || rec.dup >= 0 || said || !taken[r.parent(j)] {
			continue
		}
		taken[j] = true
		if rec.thread < 0 {
			rec.thread = 0
		}
	}
}

// before is the last record of a chat before i that is not on the line yet.
func (r *ccReader) before(i int) int {
	for i--; i >= 0; i-- {
		if rec := &r.recs[i]; !rec.side && rec.thread < 0 && rec.uuid != "" && r.chat(i) {
			return i
		}
	}
	return -1
}

// completeChain adds what belongs to the chain without being a parent of it, nor replayed.
func (r *ccReader) completeChain(replayed []int) {
	if !slices.ContainsFunc(r.recs, beside) {
		return
	}
	answers, calls := map[string]bool{}, map[string]bool{}
	take := func(rec *ccRecord) {
		if rec.msgID != "" {
			answers[rec.msgID] = true
		}
		rec.addCalls(calls)
	}
	parents := map[string]bool{}
	for i := range r.recs {
		if r.recs[i].thread == 0 {
			take(&r.recs[i])
		}
		parents[r.recs[i].parent] = true
	}
	for again := true; again; {
		again = false
		for i := range r.recs {
			rec := &r.recs[i]
			if _, again := slices.BinarySearch(replayed, i); again || !beside(*rec) {
				continue
			}
			on := rec.kind == ccAssistant && answers[rec.msgID]
			if p := r.parent(i); rec.kind == ccAttachment && !parents[rec.uuid] && p >= 0 {
				on = r.recs[p].thread == 0 // shown beside a call; nothing was said to it
			}
			answered := func(m model.Message) bool { return m.Kind == model.KindResult && calls[m.Answers] }
			if on || slices.ContainsFunc(rec.messages, answered) {
				rec.thread, again = 0, true
				take(rec)
			}
		}
	}
}

// beside reports whether a record of the main agent is on no thread.
func beside(rec ccRecord) bool { return rec.thread < 0 && !rec.side && rec.dup < 0 }

// addOtherThreads puts records off the main line into more threads: a sidechain by its
// agent, else, as an abandoned branch, by its first record. Compaction marks that nothing
// follows make no branch.
func (r *ccReader) addOtherThreads(threads []*ccThread) []*ccThread {
	byKey, known := map[string]int32{}, map[int]int{}
	threads = r.addThreadsOf(threads, byKey, known, false)
	return r.addThreadsOf(threads, byKey, known, true)
}

// addThreadsOf adds the records that are marks alone, or the others.
func (r *ccReader) addThreadsOf(threads []*ccThread, byKey map[string]int32, known map[int]int, marks bool) []*ccThread {
	for i := range r.recs {
		rec := &r.recs[i]
		if rec.thread >= 0 || rec.dup >= 0 || len(rec.messages) == 0 || rec.isMark() != marks {
			continue
		}
		top := r.firstOfRun(i, known)
		uuid, agent := top.uuid, rec.agent
		key := "branch " + uuid
		t := ccThread{Thread: &model.Thread{ID: uuid, Kind: model.ThreadBranch, Midway: top.parent != ""}}
		if rec.side {
			key = "side " + uuid
			t.Kind, t.Midway = model.ThreadSide, false
			t.prompt = top.prompt
			t.AgentID = uuid
			if agent != "" {
				key, t.ID, t.AgentID = "agent "+agent, agent, agent
			}
		}
		at, ok := byKey[key]
		if !ok && marks && !rec.side {
			continue
		}
		if !ok {
			at = int32(len(threads))
			t.no, byKey[key] = at, at
			threads = append(threads, &t)
		}
		rec.thread = at
	}
	return threads
}

// firstOfRun is the first record of the run that record i belongs to: up its parents
// while they are of the same sort. known remembers what was found before.
func (r *ccReader) firstOfRun(i int, known map[int]int) *ccRecord {
	at, seen := i, map[int]bool{}
	for !seen[at] {
		if k, ok := known[at]; ok {
			at = k
			break
		}
		seen[at] = true
		p := r.parent(at)
		if p < 0 || r.recs[p].thread == 0 || r.recs[p].side != r.recs[i].side {
			break
		}
		at = p
	}
	for k := range seen {
		known[k] = at
	}
	return &r.recs[at]
}

// noteRecord remembers something to say about a record that is no longer the
// current one.
func (r *ccReader) noteRecord(rec *ccRecord, code, reason string) {
	codec.Say(r.Doc, model.Note{Line: int(rec.line), Off: rec.piece.Off, Code: code, Reason: reason})
}

// conversation builds the document's one conversation.
func (r *ccReader) conversation() {
	if len(r.recs) == 0 {
		return
	}
	r.assignThreads()
	for _, q := range r.queued {
		if r.prompted(q, model.KindOther) {
			r.noteRecord(&r.recs[len(r.recs)-1], "prompt-waits", "a prompt that was still in the queue when the file ended")
		}
	}
	main := &ccThread{Thread: &model.Thread{ID: r.session, Midway: r.midway}}
	threads := r.addOtherThreads([]*ccThread{main})
	for i := range r.recs {
		if rec := &r.recs[i]; rec.thread >= 0 && rec.dup < 0 {
			threads[rec.thread].size += len(rec.messages)
		}
	}
	early := map[int][]int32{} // results by the record of their call, which was written after them
	for i := range r.recs {
		rec := &r.recs[i]
		switch {
		case rec.dup >= 0: // goes where its original goes, which may come later
		case rec.kind == ccProgress:
			r.progressOf(rec, threads)
		case rec.kind == ccQueue:
			if _, ok := r.shown(i); !ok {
				main.queued = append(main.queued, int32(i))
			}
		case rec.thread < 0:
		case r.isEarly(i):
			early[r.parent(i)] = append(early[r.parent(i)], int32(i))
		default:
			threads[rec.thread].add(r, int32(i))
			for _, result := range early[i] {
				threads[rec.thread].add(r, result)
			}
		}
	}
	main.showQueued(r)
	for i := range r.recs {
		if rec := &r.recs[i]; rec.dup >= 0 {
			r.copyOf(rec, threads)
		}
	}
	r.joinShown(threads)
	c := &model.Conversation{ID: r.session, Title: r.title(main.Thread), Dir: r.dir, Model: codec.FirstOf(r.model, r.sideModel)}
	r.nameAgents(c, threads)
	for _, t := range threads {
		c.Threads = append(c.Threads, t.Thread)
	}
	slices.SortStableFunc(r.Doc.Notes, func(a, b model.Note) int { return int(a.Off - b.Off) })
	r.Doc.Conversations = []*model.Conversation{c}
}

// isEarly reports whether a record holds a result and was written before the one that makes
// the call, as Claude Code does when both end at the same time.
func (r *ccReader) isEarly(i int) bool {
	rec, p := &r.recs[i], r.parent(i)
	if p <= i || r.recs[p].thread != rec.thread || r.recs[p].kind != ccAssistant || r.recs[p].dup >= 0 {
		return false
	}
	calls := map[string]bool{}
	r.recs[p].addCalls(calls)
	return slices.ContainsFunc(rec.messages, func(m model.Message) bool { return m.Kind == model.KindResult && calls[m.Answers] })
}

// copyOf lets the copy of a record go where the record goes.
func (r *ccReader) copyOf(rec *ccRecord, threads []*ccThread) {
	first := &r.recs[rec.dup]
	if first.thread < 0 {
		return
	}
	if first.stored >= 0 {
		threads[first.thread].duplicate(first.stored, rec.piece)
	}
}

// progressOf lets what a tool reported of its progress go where its call goes.
func (r *ccReader) progressOf(rec *ccRecord, threads []*ccThread) {
	for _, t := range threads {
		if by := t.pairs.CalledBy(t.pairs.ID(rec.tool)); by >= 0 && rec.tool != "" {
			t.duplicate(by, rec.piece)
			return
		}
	}
}

func (r *ccReader) title(main *model.Thread) string {
	if _, here := r.byUUID(r.leaf); here || r.leaf == "" {
		if t := codec.FirstOf(r.custom, r.ai, r.summary); t != "" {
			return t
		}
	}
	if t := codec.FirstOf(r.custom, r.ai); t != "" {
		return t
	}
	for i := range main.Messages {
		if main.Messages[i].Typed() {
			return codec.Title(main.Messages[i].Preview)
		}
	}
	return ""
}

// nameAgents finds who works in each thread and who called them.
func (r *ccReader) nameAgents(c *model.Conversation, threads []*ccThread) {
	main := threads[0]
	main.AgentID = "main"
	for i := range r.recs {
		if r.recs[i].thread == 0 && r.recs[i].agent != "" && r.chat(i) {
			main.AgentID = r.recs[i].agent
			break
		}
	}
	c.Agents = []model.Agent{{ID: main.AgentID, Name: codec.FirstOf(r.agents[main.AgentID], main.AgentID)}}
	for _, t := range threads[1:] {
		if t.Kind == model.ThreadBranch {
			t.AgentID = main.AgentID
			continue
		}
		a := model.Agent{ID: t.AgentID, Name: r.agents[t.AgentID], Parent: main.AgentID}
		if task := r.tasks[t.prompt]; t.prompt != 0 && task != nil {
			t.Kind = model.ThreadSubagent
			a.Name = codec.FirstOf(a.Name, task.name)
			if from := r.recs[task.rec].thread; from >= 0 && int(from) < len(threads) && threads[from] != t {
				a.Parent = codec.FirstOf(threads[from].AgentID, main.AgentID)
			}
		}
		if a.Name != "" || t.ID == t.AgentID && r.agents[t.ID] != "" {
			t.Kind = model.ThreadSubagent
		}
		c.Agents = append(c.Agents, a)
	}
}

// ccReplay finds the messages that a file repeats under other ids.
type ccReplay struct{ of *ccReader }

// find lists records beside the chain, in the order of the file, whose run holds an answer
// of the chain once more: a history that was written into its own file again, under other ids.
func (x ccReplay) find() (list []int) {
	r := x.of
	on := map[string][]int{}
	for i := range r.recs {
		if rec := &r.recs[i]; rec.thread == 0 && rec.msgID != "" {
			on[rec.msgID] = append(on[rec.msgID], i)
		}
	}
	runs, known := map[*ccRecord]bool{}, map[int]int{}
	for i := range r.recs {
		if rec := &r.recs[i]; beside(*rec) && rec.msgID != "" {
			same := func(k int) bool { return x.content(k) == x.content(i) }
			if slices.ContainsFunc(on[rec.msgID], same) {
				runs[r.firstOfRun(i, known)] = true
			}
		}
	}
	for i := range r.recs {
		if rec := &r.recs[i]; len(runs) > 0 && beside(*rec) && runs[r.firstOfRun(i, known)] {
			list = append(list, i)
		}
	}
	return list
}

// content is a hash of what a record says.
func (x ccReplay) content(i int) uint64 {
	r := x.of
	v, _ := edit.ParsePiece(r.Doc, r.recs[i].piece) // it was read before
	if at := v.Get("attachment"); at.Exists() {
		return maphash.Bytes(r.seed, at.Raw())
	}
	return maphash.Bytes(r.seed, v.Get("message", "content").Raw())
}

// copy makes copies of what was replayed, and lets be what the main line does not say.
func (x ccReplay) copy(list []int) {
	r := x.of
	if len(list) == 0 {
		return
	}
	r.noteRecord(&r.recs[list[0]], "replayed", "from here on the file repeats its history under other ids; each message counts once")
	on := map[uint64][]int32{}
	for i := range r.recs {
		if rec := &r.recs[i]; rec.thread == 0 && len(rec.messages) > 0 {
			c := x.content(i)
			on[c] = append(on[c], int32(i))
		}
	}
	for _, i := range list {
		c := x.content(i)
		if same := on[c]; len(same) > 0 && r.recs[same[0]].kind == r.recs[i].kind {
			r.recs[i].dup = same[0]
			on[c] = append(same[1:], same[0]) // of several equal ones each gets its copy
		}
	}
}
