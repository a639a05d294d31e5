package summarize

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"palimpsest/model/pattern"
)

// What a session tells is overtaken by what is told or done later: newer words on the same thing win.

var (
	// chooses is how somebody tells a decision. Other findings are about how things were then.
	chooses = pattern.New(`(?i)\b(?:decided|chose|choose|going with|(?:we|i)(?:'ll| will) (?:use|keep)|instead of|rather than|so that|` +
		`to (?:avoid|keep)|should (?:be|stay|use)|by design|on purpose|deliberate\w*)\b|决定|选择|改用|故意`)
	// handsOff is an order to change nothing at all: later asks overrule it.
	handsOff = pattern.New(`(?i)\b(?:don['’]?t|do not) (?:fix|change|edit|touch|implement|modify|write|do|build|make|start)(?: on)?` +
		`(?: any)?(?:thing| code| changes?| files?| of (?:it|this|that))?(?: yet|,|$| just| but| now)|` +
		`不要(?:改|动|修改)(?:任何|代码|文件)?(?:[，。]|$)`)
	// acts is a word with which an ask for work begins.
	acts = pattern.New(`(?i)^(?:fix|implement|add|create|build|make|change|go|do|proceed|write|commit|update|remove|refactor|apply|` +
		`start|try|move|rename|replace|use|execute|continue)$`)
	// undoes is how somebody says that a thing is gone, by its name.
	undoes = pattern.New("(?i)\\b(?:revert\\w*|undo|undid|roll(?:ed|ing)? back|remov\\w+|delet\\w+|dropp?\\w*|no longer \\w+|replac\\w+)" +
		"(?: (?:the|all|its|usages?|uses?|of|calls?|to|function|method|helper|old|unused|dead|now))* `([^` ]{4,80})`")
	// goesOn is how an agent ends that goes on at once: its next call shows more.
	goesOn = pattern.New(`(?i)\b(?:let me|i['’]ll|i will|i need to|now i)\b[^.!?]*[.:…]?$|(?:让我|接下来|现在我)[^。]*[。：]?$`)
)

// dropUndone drops the sentences of what was done and found about a thing that was undone later.
func (r *noteReader) dropUndone() {
	gone := map[string]int{} // the last message that says so
	for _, list := range [][]remark{r.n[donePart], r.n[askPart], {r.turn.said}} {
		for _, m := range list {
			for _, x := range undoes.FindAllStringSubmatch(m.text, -1) {
				gone[x[1]] = max(gone[x[1]], m.to)
			}
		}
	}
	for _, p := range [...]part{donePart, findingPart} {
		list := r.n[p]
		for i := range list {
			m, kept := &list[i], ""
			over := func(s string) bool {
				for name, at := range gone {
					if m.to < at && strings.Contains(s, "`"+name+"`") {
						return true
					}
				}
				return false
			}
			if !over(m.text) {
				continue
			}
			eachSentence(m.text, func(s string) {
				if !over(s) {
					kept += s + " "
				}
			})
			m.text = strings.TrimRight(kept, ";； ")
		}
		r.n[p] = slices.DeleteFunc(list, func(m remark) bool { return m.text == "" && m.more == 0 })
	}
}

// planMode is how a program tells an agent that it may only plan.
var planMode = pattern.New(`(?i)\bplan mode (?:is|still) (?:still )?active\b`)

// plans notes that nothing is to be changed before a plan is approved.
func (r *noteReader) plans(num int) {
	said := r.w.either("nothing is to be changed before the person approves the plan", "用户批准计划之前不得改动")
	r.planning = remark{text: said, from: num, to: num}
}

var (
	// away is the folder of temporary files that a command works in: what it commits there is of a copy.
	away = pattern.New(`(?:^|&&|[;\n\s])\s*(?:cd |git -C |\w+_DIR=)["']?((?:/private)?/(?:tmp|var/folders)/[^\s"';&|]+)`)
	// checkedOut is what git says of the branch.
	checkedOut = pattern.New(`(?m)^(?:On branch |Switched to (?:a new )?branch ')([\w./#-]+)`)
	clash      = regexp.MustCompile(`(?m)^CONFLICT \([^)]+\): (?:Merge conflict in )?(\S+)`)
	stagesAll  = pattern.New(`\bgit add (?:-A|--all|-u|\.)(?:\s|$)|\bgit (?:merge|rebase|cherry-pick) --(?:abort|quit)|\bgit reset --hard`)
)

// inCopy stands before the folder of a commit that was made in a copy.
const inCopy = " (in "

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
