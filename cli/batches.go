package cli

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/alecthomas/kong"

	"palimpsest/cli/batch"
	"palimpsest/compaction/session"
	"palimpsest/model"
	"palimpsest/model/store"
)

// batchCmd compacts many files, each once however often it is begun:
//
//	files ─▶ has the record of this file under these parameters? ─ yes ─▶ done already
//	                └─ no ─▶ compact here, in parallel, or --queue ─▶ work, on any machine
type batchCmd struct {
	Files []string `arg:"" name:"FILE|DIR" help:"The transcripts; with -r folders of them."`
	filesFlags
	policyFlags
	modelFlags
	workFlags
	Queue bool `help:"${batchQueue}"`
	Wait  bool `help:"With --queue: wait until the queue is empty, and show how far it is."`
	JSON  bool `name:"json" help:"Print JSON Lines, one for each compaction (docs/json.md)."`
}

// notInKey are the flags that don't change what is made of a file.
var notInKey = []string{"db", "color", "recursive", "jobs", "quiet", "queue", "wait", "json", "read-limit", "key-env", "timeout"}

// key names what is done to each file: the policy and the flags that change it.
func (c *batchCmd) key(flags []*kong.Flag, p model.Policy) (string, error) {
	policy, err := json.Marshal(p)
	if err != nil {
		return "", err
	}
	list := []string{"palimpsest batch 1", string(policy)}
	for _, f := range flags {
		if f.Set && !slices.Contains(notInKey, f.Name) {
			list = append(list, fmt.Sprintf("%s=%+v", f.Name, reflect.Indirect(f.Target)))
		}
	}
	slices.Sort(list[2:])
	sum := sha256.Sum256([]byte(strings.Join(list, "\n")))
	return hex.EncodeToString(sum[:16]), nil
}

// made gives the records of a batch names that say what they are of, so that none is made
// twice, by whomever: the database has each name once.
type made struct {
	st   *store.Store
	key  string
	next string // the name that the next record takes
}

// of returns the name for the record of the i-th thread chosen in a file. If there is a
// record already that says all there is to say, that is done; one of an attempt that
// failed is none.
func (m *made) of(ctx context.Context, sha string, i int) (uid string, done *model.Record, err error) {
	for attempt := 0; ; attempt++ {
		b := sha256.Sum256(fmt.Appendf(nil, "%s %s %d %d", m.key, sha, i, attempt))
		uid = session.UIDOf(b[:], 8)
		rec, err := m.st.Record(ctx, uid)
		switch {
		case errors.Is(err, store.ErrNotFound):
			return uid, nil, nil
		case err != nil:
			return "", nil, err
		case rec.Outcome == model.Applied || rec.Outcome == model.Refused:
			return uid, rec, nil
		}
	}
}

// Run needs the call to name what it does.
func (c *batchCmd) Run(a *app, call *kong.Context) error {
	if err := c.workFlags.check(); err != nil {
		return err
	}
	if c.Wait && !c.Queue {
		return usage("--wait is about a queue: give --queue, too.")
	}
	p, err := c.policy(a)
	if err != nil {
		return err
	}
	if err := c.connect(a, &c.policyFlags, &p); err != nil {
		return err
	}
	key, err := c.key(call.Flags(), p)
	if err != nil {
		return err
	}
	st, err := a.writable()
	if err != nil {
		return err
	}
	defer st.Close()
	if c.Queue {
		return c.enqueue(a, st, batch.Call{Key: key}, callOf{call.Args, p})
	}
	files, err := c.sources(a.ctx, c.Files)
	if err != nil {
		return err
	}
	sum := newTotals()
	run := model.BatchRun{ID: rand.Text(), Title: titleOf(call.Args), Host: hostName(), Total: len(files)}
	report, going := batch.NewReport(a.ctx, st, run)
	defer report.End()
	err = a.each(files, &c.filesFlags, func(a *app, file string) error {
		if err := going.Err(); err != nil { // what has begun goes on
			return err
		}
		list := c.one(a, &made{st: st, key: key}, file, p)
		err := c.show(a, sum, list)
		if err != nil {
			report.Failed(file, strings.TrimPrefix(sentence(err), file+" "))
		} else if len(list) > 0 {
			report.Done(list[0].short())
		}
		return err
	})
	if !c.Quiet {
		fmt.Fprintln(a.errOut, sum)
	}
	if errors.Is(context.Cause(going), batch.ErrStopped) {
		fmt.Fprintln(a.errOut, "It was ended from a window. Begin it again to do the rest.")
	}
	return err
}

// titleOf is a batch as it was called.
func titleOf(args []string) string {
	return strings.Join(slices.DeleteFunc(withoutDatabase(args), func(s string) bool {
		return slices.Contains([]string{"batch", "--queue", "--wait", "--json", "-q", "--quiet"}, s)
	}), " ")
}

// hostName is what this machine is called.
func hostName() string {
	name, err := os.Hostname()
	if err != nil {
		return "?"
	}
	return name
}

// one compacts a file, unless that was done.
func (c *batchCmd) one(a *app, m *made, file string, p model.Policy) []*compacted {
	if sha := hashOf(a.ctx, cmp.Or(a.from, file)); sha != "" && !c.Conversation.all {
		if _, done, err := m.of(a.ctx, sha, 0); err == nil && done != nil {
			r := newCompacted(file, session.Ref{})
			r.done(done)
			return []*compacted{r}
		}
	}
	one := &compactCmd{policyFlags: c.policyFlags, modelFlags: c.modelFlags, workFlags: c.workFlags, made: m}
	a.uid = func() string { return m.next }
	return one.file(a, m.st, file, "", p)
}

// hashOf is the SHA-256 of a usual file; "": it is none, or begins as no history does, and a
// sparse file has as many zeros as it likes.
func hashOf(ctx context.Context, path string) string {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	var first [1]byte
	if _, err := f.ReadAt(first[:], 0); err != nil || first[0] == 0 {
		return ""
	}
	sum, _, err := model.HashOf(ctx, f, info.Size(), nil)
	if err != nil {
		return ""
	}
	return hex.EncodeToString(sum[:])
}

// show prints what became of a file and returns why it could not be done.
func (c *batchCmd) show(a *app, sum *totals, list []*compacted) error {
	var errs []error
	for _, r := range list {
		outcome := r.short()
		sum.add(r)
		switch {
		case outcome == "failed":
			errs = append(errs, cmp.Or(r.err, errors.New(r.Reason)))
		case c.JSON:
			if err := a.printJSON(r); err != nil {
				return err
			}
		case r.Already:
			fmt.Fprintf(a.out, "%s: done already%s\n", r.name(c.Conversation.all), r.recorded())
		case r.Outcome == model.Refused:
			fmt.Fprintf(a.out, "%s: refused: %s%s\n", r.name(c.Conversation.all), r.Reason, r.recorded())
		default:
			fmt.Fprintf(a.out, "%s: %s\n", r.name(c.Conversation.all), r.text(a, false))
		}
	}
	return errors.Join(errs...)
}

// short is how a compaction of a batch ended, in a word: applied, refused, already or failed.
func (r *compacted) short() string {
	switch {
	case r.Already:
		return batch.Already
	case r.Outcome == model.Applied, r.Outcome == model.Refused:
		return string(r.Outcome)
	}
	return "failed"
}

// totals counts what became of a batch. It may be used by any goroutine.
type totals struct {
	mu            sync.Mutex
	by            map[string]int
	before, after int64
}

func newTotals() *totals { return &totals{by: map[string]int{}} }

func (t *totals) add(r *compacted) {
	t.mu.Lock()
	defer t.mu.Unlock()
	word := r.short()
	t.by[word]++
	if word == "applied" {
		t.before += int64(r.Before.Tokens)
		t.after += int64(r.After.Tokens)
	}
}

func (t *totals) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := byOutcome(t.by)
	if t.before > 0 {
		text += fmt.Sprintf("; %s → %s tokens (%s)", thousands(int(t.before)), thousands(int(t.after)), change(t.before, t.after))
	}
	return text
}

// byOutcome lists outcomes with their numbers.
func byOutcome(by map[string]int) string {
	var parts []string
	for _, word := range slices.Sorted(maps.Keys(by)) {
		parts = append(parts, fmt.Sprintf("%s %s", thousands(by[word]), word))
	}
	return cmp.Or(strings.Join(parts, ", "), "nothing")
}

// callOf is what a worker has to know of a batch.
type callOf struct {
	Args   []string     `json:"args"` // of the command line
	Policy model.Policy `json:"policy"`
}

// enqueue puts the files that are not done into the batch.
func (c *batchCmd) enqueue(a *app, st *store.Store, b batch.Call, call callOf) error {
	if call.Policy.Strategy.Asks() && (c.Endpoint == "" || c.Model == "") {
		return usage("Each machine that works may have another model: name the one that all ask with --endpoint and --model. " +
			"The key is that of the variable --key-env on each machine.")
	}
	q, err := openQueue(a)
	if err != nil {
		return err
	}
	defer q.Close()
	files, err := c.sources(a.ctx, c.Files)
	if err != nil {
		return err
	}
	call.Args = withoutDatabase(call.Args)
	if b.Text, err = json.Marshal(call); err != nil {
		return err
	}
	m := &made{st: st, key: b.Key}
	run := model.BatchRun{ID: b.Key, Title: titleOf(call.Args), Host: hostName(), Queued: true, Began: time.Now().UTC()}
	if err := st.BeginBatch(a.ctx, run); err != nil {
		return err
	}
	defer batch.Follow(a.ctx, q, st)()
	var isNew, there, notDone int
	var worst error
	next := func() (batch.File, error) {
		for len(files) > 0 {
			path := files[0]
			files = files[1:]
			f, err := c.sent(a.ctx, m, path)
			switch {
			case err != nil:
				worst = cmp.Or(worst, err)
				notDone++
				fmt.Fprintf(a.errOut, "%s: %s\n", path, sentence(err))
			case f == nil:
				there++
			default:
				return *f, a.ctx.Err()
			}
		}
		return batch.File{}, io.EOF
	}
	err = q.Put(a.ctx, b, next, func(_ batch.File, fresh bool) {
		if fresh {
			isNew++
		} else {
			there++
		}
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(a.errOut, "%s put into the queue, %s there or done already, %s not.\n",
		plural(isNew, "file"), thousands(there), thousands(notDone))
	if c.Wait {
		err = awaitQueue(a, q, c.Quiet)
	}
	if worst != nil && err == nil {
		err = silent(exitCode(worst))
	}
	return err
}

// sent is a file as it goes into the queue; nil: it was done.
func (c *batchCmd) sent(ctx context.Context, m *made, path string) (*batch.File, error) {
	if _, recorded := session.ConversationID(path); recorded {
		return &batch.File{Path: path}, nil
	}
	info, err := os.Stat(path)
	if err == nil && info.IsDir() {
		err = usage("%s is a folder that is one transcript, and a queue holds files. Leave --queue out for it.", path)
	} else if err == nil && !info.Mode().IsRegular() {
		err = usage("%s is no usual file. Leave --queue out for it.", path)
	}
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(data)
	f := &batch.File{SHA256: hex.EncodeToString(sum[:]), Data: data}
	if !c.Conversation.all {
		_, done, err := m.of(ctx, f.SHA256, 0)
		if err != nil || done != nil {
			return nil, err
		}
	}
	f.Path, err = filepath.Abs(path)
	return f, err
}

// withoutDatabase leaves out where the database is, which may have a password in it.
func withoutDatabase(args []string) (out []string) {
	for i := 0; i < len(args); i++ {
		switch {
		case args[i] == "--db":
			i++
		case !strings.HasPrefix(args[i], "--db="):
			out = append(out, args[i])
		}
	}
	return out
}

// openQueue opens the queue in the database of the call.
func openQueue(a *app) (batch.Queue, error) {
	path, err := a.dbPath()
	if err != nil {
		return nil, err
	}
	if !store.IsServer(path) {
		return nil, usage("A queue needs a database on a server: --db postgres://…. Without one, palimpsest batch does the files here.")
	}
	if a.doors.Queue == nil {
		return nil, &model.Problem{Code: "no-queue", What: "There is no queue here.",
			Why: "This build is the window's.", Next: "Use the program of the verbs: make cli, or the package palimpsest."}
	}
	q, err := a.doors.Queue(a.ctx, path)
	if err != nil && a.ctx.Err() == nil {
		err = store.ServerError("open the queue", path, err)
	}
	return q, err
}

// awaitQueue shows how far the queue is, until it is empty.
func awaitQueue(a *app, q batch.Queue, quiet bool) error {
	var bar *batch.Progress
	var last batch.Counts
	shown := 0
	err := q.Wait(a.ctx, func(c batch.Counts) {
		if bar == nil {
			bar, shown = newProgress(a.errOut, c.Left(), quiet), c.Left()
		}
		for ; shown > c.Left(); shown-- {
			bar.Done(false)
		}
		last = c
	})
	if bar != nil {
		bar.Clear()
	}
	if err == nil {
		err = a.ctx.Err()
	}
	if err != nil {
		return err
	}
	return printQueue(a, q, last)
}

// printQueue prints what the queue holds, and what could not be done.
func printQueue(a *app, q batch.Queue, c batch.Counts) error {
	fmt.Fprintf(a.out, "%d waiting, %d being done; of the last day: %s, %d failed\n", c.Waiting, c.Running, byOutcome(c.Done), c.Failed)
	if c.Failed == 0 {
		return nil
	}
	list, err := q.Failures(a.ctx, "", 20)
	for _, f := range list {
		fmt.Fprintf(a.errOut, "%s: %s\n", clean(f.Path, 80), clean(f.Why, 160))
	}
	return cmp.Or(err, error(silent(exitFailed)))
}

// workCmd does the jobs of a batch.
type workCmd struct {
	Jobs   int           `short:"j" placeholder:"N" help:"Files at a time. Default: one for each processor."`
	Drain  bool          `help:"End when the queue is empty. Else it goes on until it is interrupted, and then ends what it has begun."`
	Limit  time.Duration `default:"5m" placeholder:"TIME" help:"${workLimit}"`
	Status bool          `help:"Show what is in the queue and what failed, and do nothing."`
	Quiet  bool          `short:"q" help:"Say nothing of single files."`
	JSON   bool          `name:"json" help:"Print JSON (docs/json.md): with --status the counts, else a line for each file."`
}

func (c *workCmd) Run(a *app) error {
	workers := cmp.Or(c.Jobs, runtime.GOMAXPROCS(0))
	if workers < 1 {
		return usage("--jobs needs a number of 1 or more.")
	}
	if c.Limit < time.Second {
		return usage("--limit needs a second or more.")
	}
	q, err := openQueue(a)
	if err != nil {
		return err
	}
	defer q.Close()
	if c.Status {
		counts, err := q.Counts(a.ctx)
		if err != nil {
			return err
		}
		if c.JSON {
			return a.printJSON(counts)
		}
		return printQueue(a, q, counts)
	}
	st, err := a.writable()
	if err != nil {
		return err
	}
	defer st.Close()
	defer batch.Follow(context.WithoutCancel(a.ctx), q, st)()
	a.lines = true
	sum := newTotals()
	var saying sync.Mutex
	do := func(ctx context.Context, j batch.Job) (string, error) {
		sub := *a
		var out, said bytes.Buffer
		sub.ctx, sub.out, sub.errOut = ctx, buffered(a.out, &out), &said
		outcome, err := workOn(&sub, st, j, sum)
		saying.Lock()
		defer saying.Unlock()
		if !c.Quiet {
			_, _ = out.WriteTo(bare(a.out))
		}
		if err != nil {
			fmt.Fprintf(a.errOut, "%s: %s\n", j.Path, sentence(err))
		}
		return outcome, err
	}
	err = q.Work(a.ctx, batch.Worker{Jobs: workers, Limit: c.Limit, Do: do}, c.Drain)
	if !c.Quiet {
		fmt.Fprintln(a.errOut, sum)
	}
	return err
}

// workOn compacts one file of a batch as its call says.
func workOn(a *app, st *store.Store, j batch.Job, sum *totals) (outcome string, err error) {
	var call callOf
	if err := json.Unmarshal(j.Call, &call); err != nil {
		return "", batch.Bad{Err: err}
	}
	g := newGrammar()
	cmd := &g.Batch
	k, err := newParser(g)
	if err != nil {
		return "", err
	}
	parsed, err := k.Parse(call.Args)
	if err == nil {
		err = cmd.workFlags.check()
	}
	if err != nil {
		return "", batch.Bad{Err: fmt.Errorf("this version does not know the call: %w", err)}
	}
	key, err := cmd.key(parsed.Flags(), call.Policy)
	if err != nil {
		return "", err
	}
	p := call.Policy
	if err := cmd.connect(a, &cmd.policyFlags, &p); err != nil {
		return "", batch.Bad{Err: err}
	}
	if a.asks != nil {
		defer a.asks.Close()
	}
	if j.Data != nil {
		dir, err := os.MkdirTemp("", "palimpsest-")
		if err != nil {
			return "", err
		}
		defer os.RemoveAll(dir)
		a.from = filepath.Join(dir, filepath.Base(filepath.FromSlash(strings.ReplaceAll(j.Path, `\`, "/"))))
		if err := os.WriteFile(a.from, j.Data, 0o600); err != nil {
			return "", err
		}
	}
	var list []*compacted
	err = unharmed(func() error {
		list = cmd.one(a, &made{st: st, key: key}, j.Path, p)
		return cmd.show(a, sum, list)
	})
	for _, r := range list {
		outcome = cmp.Or(outcome, r.short())
	}
	passing := errors.Is(err, store.ErrLocked) || errors.Is(err, store.ErrServer) || errors.Is(err, store.ErrFull) ||
		errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
	if err != nil && !passing {
		err = batch.Bad{Err: err}
	}
	return outcome, err
}
