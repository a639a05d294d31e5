package summarize

import (
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"palimpsest/model/pattern"
)

// readGit reads what git says in a result, in its ends if it is long.
func (t *toldResult) readGit(ends, text string) {
	if strings.Contains(ends, "[") {
		for _, m := range commitLine.FindAllStringSubmatch(ends, 8) {
			t.commits = append(t.commits, [3]string{m[1], m[2], line(m[3], reportLimit)})
		}
	}
	if strings.Contains(ends, "On branch ") || strings.Contains(ends, "Switched to ") { // the expression is slow
		if m := checkedOut.FindStringSubmatch(ends); m != nil {
			t.branch = m[1]
		}
	}
	t.clean = strings.Contains(ends, "nothing to commit, working tree clean")
	t.current = strings.Contains(ends, "Your branch is up to date with '")
	if strings.Contains(ends, "CONFLICT (") {
		for _, m := range clash.FindAllStringSubmatch(text, 64) {
			t.clashes = append(t.clashes, line(m[1], 300))
		}
	}
	if strings.Contains(ends, "/pull/") || strings.Contains(ends, "/merge_requests/") {
		t.links = pullRequest.FindAllString(ends, 2)
	}
}

// unstages is a command that takes back what was staged.
var unstages = pattern.New(`\bgit (?:reset|restore --staged)\b`)

// usedGit takes what a command did with git.
func (r *noteReader) usedGit(c *waitingCall, t *toldResult, num int) {
	if m := away.FindStringSubmatch(c.command); m != nil {
		r.committed(c, t, num, m[1])
		return
	}
	r.git = r.git || strings.Contains(c.command, "git ")
	if gitCommit.MatchString(c.command) || t.clean {
		r.saved = num
	}
	if gitPush.MatchString(c.command) || t.current {
		r.pushed = num
	}
	r.committed(c, t, num, "")
	if m := newBranch.FindStringSubmatch(c.command); m != nil {
		t.branch = m[1]
	} else if strings.Contains(c.command, "--show-current") && !strings.Contains(t.brief, " ") {
		t.branch = t.brief
	}
	if t.branch != "" {
		r.branch, r.branchDir = remark{text: t.branch, from: num, to: num}, c.dir
	}
	r.settledConflicts(c.command)
	if unstages.MatchString(c.command) {
		r.undone.unstaged = num
	}
}

// branchOf is the branch, with its folder where commands mostly ran in another one.
func branchOf(w *work) remark {
	m, mostly := w.branch, ""
	for _, dir := range slices.Sorted(maps.Keys(w.dirs)) {
		if mostly == "" || w.dirs[dir] > w.dirs[mostly] {
			mostly = dir
		}
	}
	if w.branchDir != "" && m.text != "" && path.Clean(w.branchDir) != path.Clean(mostly) {
		m.text += inCopy + w.branchDir + ")"
	}
	return m
}

// stashedAfter is the number of the call that put changes away that are not taken back after a
// command; 0: all are in the tree.
func stashedAfter(was int, c *waitingCall, t *toldResult, num int) int {
	for _, m := range stash.FindAllStringSubmatch(c.command, -1) {
		switch m[1] {
		case "list", "show", "drop":
		case "pop", "apply", "clear", "branch":
			if !t.failed {
				was = 0
			}
		default: // a failure is one of what ran after it
			if !strings.Contains(t.brief, "No local changes") {
				was = num
			}
		}
	}
	return was
}

// committed takes the commits that a command made, in a copy for a while if it worked in one.
func (r *noteReader) committed(c *waitingCall, t *toldResult, num int, in string) {
	if !strings.Contains(c.command, "git") && in == "" {
		return
	}
	if strings.Contains(c.command, "--amend") && len(r.commits) > 0 && len(t.commits) > 0 {
		r.commits = r.commits[:len(r.commits)-1]
	}
	if len(t.commits) > 0 && in == "" {
		clear(r.broken) // what is committed is taken for mended
		r.conflicts = nil
	}
	for _, x := range t.commits {
		made := remark{text: x[1] + " " + x[2], from: c.num, to: num}
		if in != "" {
			made.text += inCopy + in + ")"
		} else {
			r.branch, r.branchDir = remark{text: x[0], from: num, to: num}, c.dir
		}
		r.commits = append(r.commits, made)
	}
	if len(t.commits) == 0 && gitCommit.MatchString(c.command) && (strings.Contains(c.command, " -q") || strings.Contains(c.command,
		"--quiet")) {
		if m := quietWord.FindStringSubmatch(c.command); m != nil {
			r.commits = append(r.commits, remark{text: line(m[1], reportLimit), from: c.num, to: num})
		}
	}
}

// uncommitted are the files that were changed since the last commit, if git was used at all.
func (r *noteReader) uncommitted() (m remark) {
	last := max(r.lastCommit(), r.toldSaved)
	if r.lastCommit() == 0 && !r.git {
		return m
	}
	var names []string
	for _, f := range r.latestFiles() {
		if f.to > last && !inTemp.MatchString(f.path) {
			name := path.Base(f.path)
			if slices.Contains(names, name) {
				name = path.Join(path.Base(path.Dir(f.path)), name)
			}
			names = append(names, name)
			m.span(f.to, f.to)
		}
	}
	m.text = shortenList(names, 200, ", ")
	return m
}

// tellsCommit reports whether a text says that something was committed.
func tellsCommit(text string) (told bool) {
	for l := range strings.Lines(text) {
		if strings.Contains(l, "ommitted") || strings.Contains(l, "提交") {
			eachSentence(strings.ToValidUTF8(strings.TrimSpace(l), ""), func(s string) {
				told = told || saysSaved.MatchString(s) && !notSaved.MatchString(s)
			})
		}
	}
	return told
}

var (
	saysSaved = pattern.New(`(?i)\bcommitted(?:[ ,;:!)]|\.?$)|已提交`)
	notSaved  = pattern.New(`(?i)(?:\b(?:not|nothing|none|never|be|once|if|when|until|before|after)\b|n['’]t\b)` +
		`[^.;]*\bcommitted\b|\balready committed (?:as|in|to)\b|[未没]提交|尚未`)
)

// unpushed are the commits after the last push, or all where there was none.
func (r *noteReader) unpushed() (m remark) {
	var list []string
	for _, c := range r.commits {
		if c.to > r.pushed && !strings.HasPrefix(c.text, "https://") && !strings.Contains(c.text, inCopy) {
			hash, _, _ := strings.Cut(c.text, " ")
			list = append(list, hash)
			m.span(c.from, c.to)
		}
	}
	slices.Reverse(list)
	m.text = shortenList(list, 60, ", ")
	return m
}

// lastCommit is the number of the message with the last commit, lastChange that with the last
// change of a file; 0: there was none.
func (r *noteReader) lastCommit() (last int) {
	last = r.saved
	for _, c := range r.commits {
		if !strings.Contains(c.text, inCopy) {
			last = max(last, c.to)
		}
	}
	return last
}

// inTemp finds files that are not meant to be committed.
var inTemp = pattern.New(`^(?:/private)?/(?:tmp|var/folders)/`)

var (
	// away is the folder of temporary files that a command works in: what it commits there is of a copy.
	away = pattern.New(`(?:^|&&|[;\n\s])\s*(?:cd |git -C |\w+_DIR=)["']?((?:/private)?/(?:tmp|var/folders)/[^\s"';&|]+)`)
	// checkedOut is what git says of the branch.
	checkedOut = pattern.New(`(?m)^(?:On branch |Switched to (?:a new )?branch ')([\w./#-]+)`)
	clash      = regexp.MustCompile(`(?m)^CONFLICT \([^)]+\): (?:Merge conflict in )?(\S+)`)
	// stash is a command that puts changes away, or takes them back, by its verb.
	stash = pattern.New(`\bgit stash\b *(\w*)`)
	// worksIn is the folder that a command goes to first.
	worksIn   = pattern.New(`^\s*(?:cd|git -C) ["']?([^\s"';&|]+)`)
	stagesAll = pattern.New(`\bgit add (?:-A|--all|-u|\.)(?:\s|$)|\bgit (?:merge|rebase|cherry-pick) --(?:abort|quit)|\bgit reset --hard`)
)

// resolved forgets conflicts in some files.
func (r *noteReader) resolved(in func(file string) bool) {
	r.conflicts = slices.DeleteFunc(r.conflicts, in)
}

// settledConflicts forgets the conflicts that a command settles.
func (r *noteReader) settledConflicts(command string) {
	r.resolved(func(file string) bool {
		return stagesAll.MatchString(command) || strings.Contains(command, "git ") && strings.Contains(command, file) &&
			(strings.Contains(command, " add ") || strings.Contains(command, "--ours") || strings.Contains(command, "--theirs"))
	})
}

// openConflicts are the conflicts that nothing was done about.
func (r *noteReader) openConflicts() (m remark) {
	if len(r.conflicts) == 0 {
		return m
	}
	m = r.merge
	names := make([]string, len(r.conflicts))
	for i, f := range r.conflicts {
		names[i] = path.Base(f)
	}
	m.text = shortenList(names, 300, ", ") + " (" + clip(r.merge.text, 120) + ")"
	return m
}
