package summarize

import (
	"strings"
	"testing"
)

// kept holds what a note must tell and must not tell of a session.
type kept struct {
	session   func(h *history)
	want, not []string
}

// Faults that blind readers found in notes, one session for each kind.
func TestFaultsThatReadersFound(t *testing.T) {
	log := "\n WARN  [Motion] Writing a value. Please ensure that you don't access the value.\n\n" +
		"Never mind the frames; to be silent, always disable the strict mode.\n LOG  [Motion] ready\n"
	report := "Look at this review.\n# Review\nNever use floats.\n## Cover\nAlways on.\n## Last\nAlways prefer the reader over the writer."
	for name, k := range map[string]kept{
		"a pasted log orders nothing": {func(h *history) { h.typed("It is slow, these are the logs:" + log) },
			[]string{"It is slow"}, []string{"## Standing orders"}},
		"a pasted report orders nothing": {func(h *history) { h.typed(report) },
			[]string{"Look at this review"}, []string{"## Standing orders"}},
		"the end of a long log is told": {func(h *history) {
			h.typed("Analyze the logs\n" + strings.Repeat("error 21:33:35.3115+0100 app[1] update of the value\n", 40) +
				"error 21:34:04.8193+0100 app[1] focus is taken again\n")
		}, []string{"more lines pasted", "focus is taken again"}, nil},
		"a wish for one act is no order": {func(h *history) {
			h.typed("Create the ticket. Make sure it's in project Troy.").says("Created.")
			h.typed("Write the plan to a temporary file, don't commit it, and look at the tests.")
		}, []string{"project Troy", "temporary file"}, []string{"## Standing orders"}},
		"a question is no order": {func(h *history) {
			h.typed("I ask you why you didn't, because we want you in the future to adhere to it. Think about how we can make you in the future.")
		}, []string{"adhere to it"}, []string{"## Standing orders"}},
		"lasting words are an order": {func(h *history) {
			h.typed("Read the list. Don't touch the generated files. Use tabs for all new files. Prefer small functions.")
		}, []string{"## Standing orders", "- Don't touch the generated files (#1)", "- Use tabs for all new files (#1)", "- Prefer small functions (#1)"}, nil},
		"an order is lifted": {func(h *history) {
			h.typed("Fix the parser. Do not commit it. Never push to main.").says("The parser is fixed.").typed("Okay, commit it.")
		}, []string{"- Never push to main (#1)"}, []string{"- Do not commit it"}},
		"another one committed": {func(h *history) {
			h.typed("Add the reader.")
			h.does("Bash", `{"command":"git status"}`, "clean")
			h.does("Edit", `{"file_path":"/srv/read.go","old_string":"a","new_string":"b"}`, "The file has been updated.")
			h.does("Task", `{"prompt":"add the reader"}`, "The reader is there. Committed with the message that was given.")
			h.says("Now the writer.")
		}, []string{"read.go"}, []string{"Changed and not committed"}},
		"not yet committed": {func(h *history) {
			h.typed("Add the reader.")
			h.does("Bash", `{"command":"git status"}`, "clean")
			h.does("Edit", `{"file_path":"/srv/read.go","old_string":"a","new_string":"b"}`, "The file has been updated.")
			h.says("The reader is there, nothing was committed.")
		}, []string{"Changed and not committed: read.go"}, nil},
		"a refuted finding goes": {func(h *history) {
			h.typed("The keyboard comes back.")
			h.says("The focus is taken twice because the view appears twice.")
			h.typed("It's the same bug, still. Can we log it?").says("Logs are added.")
		}, []string{"the person did not agree"}, []string{"Decisions and findings"}},
		"a proposed fix is over once files changed": {func(h *history) {
			h.typed("The test fails.")
			h.says("The simplest fix is to write the same content instead of the time.")
			h.does("Edit", `{"file_path":"/srv/x_test.go","old_string":"a","new_string":"b"}`, "The file has been updated.")
			h.says("It passes.").typed("Go on.").says("Next.")
		}, nil, []string{"## Decisions and findings"}},
		"what was missing was built": {func(h *history) {
			h.typed("Does it copy my settings?").says("It syncs the listed settings. It does not automatically capture those of this machine.")
			h.typed("Do that.")
			h.does("Edit", `{"file_path":"/srv/capture.py","old_string":"a","new_string":"b"}`, "The file has been updated.")
			h.says("43 settings are captured.")
		}, []string{"It syncs the listed settings"}, []string{"does not automatically capture"}},
		"a merge stopped at conflicts": {func(h *history) {
			h.typed("Merge the parent.")
			h.does("Bash", `{"command":"git merge origin/parent"}`, "!Auto-merging a/read.go\nCONFLICT (content): Merge conflict in a/read.go\n"+
				"CONFLICT (content): Merge conflict in a/write.go\nAutomatic merge failed; fix conflicts and then commit the result.")
			h.does("Edit", `{"file_path":"/srv/a/read.go","old_string":"a","new_string":"b"}`, "The file has been updated.")
		}, []string{"- Conflicts to resolve: write.go (git merge origin/parent)"}, []string{"Failed, not seen"}},
		"conflicts are over with the commit": {func(h *history) {
			h.typed("Merge the parent.")
			h.does("Bash", `{"command":"git merge origin/parent"}`, "!CONFLICT (content): Merge conflict in a/read.go")
			h.does("Bash", `{"command":"git commit -am port"}`, "[main 1a2b3c4] port")
		}, nil, []string{"Conflicts"}},
		"the branch that is checked out, not that of a copy": {func(h *history) {
			h.typed("Measure it.")
			h.does("Bash", `{"command":"git checkout -b measured"}`, "Switched to a new branch 'measured'")
			h.does("Edit", `{"file_path":"/srv/read.go","old_string":"a","new_string":"b"}`, "The file has been updated.")
			h.does("Bash", `{"command":"cd /tmp/clone && git checkout -b trial && git commit -am try"}`, "Switched to a new branch 'trial'\n[trial 9f8e7d6] try it")
			h.does("Bash", `{"command":"git status"}`, "On branch rested\nnothing to commit")
		}, []string{"- Branch: rested", "- 9f8e7d6 try it (in /tmp/clone)", "- Changed and not committed: read.go"}, []string{"Branch: trial", "no push seen"}},
		"a plan waits for its approval": {func(h *history) {
			h.typed("Plan the port.").does("EnterPlanMode", `{}`, "Entered plan mode.")
			h.does("Write", `{"file_path":"/srv/plan.md","content":"x"}`, "File created.")
		}, []string{"- Plan mode: nothing is to be changed"}, nil},
		"an approved plan waits no more": {func(h *history) {
			h.typed("Plan the port.").does("EnterPlanMode", `{}`, "Entered plan mode.")
			h.does("ExitPlanMode", `{}`, "User has approved your plan.")
		}, nil, []string{"Plan mode"}},
		"what was undone is not told as done": {func(h *history) {
			h.typed("Make the ids safe.").does("Edit", `{"file_path":"/srv/id.go","old_string":"a","new_string":"b"}`, "The file has been updated.")
			h.says("The path is made by `MustID` now. All callers are updated.").typed("Panics are bad.")
			h.does("Edit", `{"file_path":"/srv/id.go","old_string":"b","new_string":"c"}`, "The file has been updated.")
			h.says("I removed `MustID` and return the error.").typed("Go on.").says("Good.")
		}, []string{"All callers are updated", "I removed `MustID`"}, []string{"is made by `MustID`"}},
		"hands off until work is asked for": {func(h *history) {
			h.typed("Look at the parser. Don't change anything yet.").says("It drops the last row.").typed("Why?").says("Its buffer is not flushed.")
		}, []string{"- Don't change anything yet (#1)"}, nil},
		"hands are on again": {func(h *history) {
			h.typed("Look at the parser. Don't change anything yet.").says("It drops the last row.").typed("Fix that.").says("Fixed.")
		}, nil, []string{"## Standing orders"}},
		"all agents that reported": {func(h *history) {
			h.typed("Audit it.").does("Task", `{"prompt":"git"}`, "The hooks of git leave a lock file behind.")
			h.does("Task", `{"prompt":"helm"}`, "The charts of helm pin no version.")
		}, []string{"leave a lock file behind", "pin no version"}, nil},
		"a command that runs on commits later": {func(h *history) {
			h.typed("Commit it.").does("exec_command", `{"cmd":"git commit -am x"}`, "Process running with session ID 7\nOutput:\n")
			h.does("write_stdin", `{"session_id":7}`, "Process exited with code 0\nOutput:\n[main 1a2b3c4] Port the reader\n 1 file changed")
		}, []string{"- 1a2b3c4 Port the reader"}, []string{"Running"}},
		"what was put away is not in the tree": {func(h *history) {
			h.typed("Are these errors old?").does("Edit", `{"file_path":"/srv/read.go","old_string":"a","new_string":"b"}`, "The file has been updated.")
			h.does("Bash", `{"command":"git stash && go vet ./... | head -5"}`, "Saved working directory and index state\nread.go:4:2: error: undefined: x")
		}, []string{"- Changed and put away by git stash, not taken back: read.go"}, []string{"not committed", "Failed, not seen"}},
		"what was taken back is": {func(h *history) {
			h.typed("Are these errors old?").does("Edit", `{"file_path":"/srv/read.go","old_string":"a","new_string":"b"}`, "The file has been updated.")
			h.does("Bash", `{"command":"git stash; go vet ./...; git stash pop"}`, "read.go:4:2: error: undefined: x")
		}, []string{"- Changed and not committed: read.go"}, []string{"put away", "Failed, not seen"}},
		"git says that all is pushed": {func(h *history) {
			h.typed("Commit it.").does("Bash", `{"command":"git commit -am port"}`, "[main 1a2b3c4] port")
			h.does("Bash", `{"command":"git status"}`, "On branch main\nYour branch is up to date with 'origin/main'.\n\nnothing to commit, working tree clean")
		}, []string{"1a2b3c4 port"}, []string{"no push seen"}},
		"a commit named in passing saves nothing else": {func(h *history) {
			h.typed("Write the script.").does("Bash", `{"command":"git commit -am port"}`, "[main 1a2b3c4] port")
			h.does("Write", `{"file_path":"/srv/move.sh","content":"#!/bin/sh"}`, "File created.")
			h.says("The fix is already committed as 1a2b3c4.")
		}, []string{"- Changed and not committed: move.sh"}, nil},
		"the branch of another folder": {func(h *history) {
			h.typed("Go on.").does("exec_command", `{"cmd":"git status","workdir":"/srv/app"}`, "On branch main")
			h.does("exec_command", `{"cmd":"ls","workdir":"/srv/app"}`, "read.go")
			h.does("exec_command", `{"cmd":"git status","workdir":"/srv/other"}`, "On branch trial")
		}, []string{"- Branch: trial (in /srv/other)"}, nil},
		"a shell that could not run it": {func(h *history) {
			h.typed("List it.").does("Bash", `{"command":"gh api repos/a/b?x=1"}`, "Wall time: 0\nOutput:\nzsh:1: no matches found: repos/a/b?x=1\n")
		}, []string{"→ zsh:1: no matches found"}, []string{"→ ok"}},
		"the work in hand": {func(h *history) {
			h.typed("One constant for the length.").says("I export it first.")
			h.does("Edit", `{"file_path":"/srv/a/point/store.go","old_string":"x := 7","new_string":"x := 7\nconst HashLength = 7"}`, "The file has been updated.")
			h.says("Now the callers.").does("Bash", `{"command":"grep -n 7 ."}`, "none")
		}, []string{"- Earlier call: Edit a/point/store.go: const HashLength = 7 (#3)"}, nil},
		"an announcement that was kept at once is no next step": {func(h *history) {
			h.typed("Scope it.").says("All tests pass. Let me sum the changes up: " + strings.Repeat("The reader takes the part after its line. ", 5))
		}, []string{"All tests pass"}, []string{"Next: "}},
		"each of the last calls by itself": {func(h *history) {
			h.typed("Build it.").does("Bash", `{"command":"go build ./cmd/entire/... 2>&1"}`, "!cmd/read.go:4:2: syntax error: unexpected }")
			h.does("Read", `{"file_path":"/srv/a/very/long/path/to/read.go"}`, "package cmd")
		}, []string{"- Last call: Read path/to/read.go → ok (#4)", "./cmd/entire/... 2>&1 → cmd/read.go:4:2: syntax error"}, []string{"; "}},
		"an error that a pipe hides is told": {func(h *history) {
			h.typed("Show it.").does("bash", `{"command":"npx tsx --eval 'await x()' 2>&1 | head -8"}`, "node:internal/process/promises:332\n\nError: Transform failed with 1 error:\n  at x")
			h.does("bash", `{"command":"cat app.log | head -8"}`, "ready\nError: of yesterday")
		}, []string{"head -8 → Error: Transform failed with 1 error:", "cat app.log | head -8 → ok"}, nil},
		"a build that a pipe hides is no success": {func(h *history) {
			h.typed("Build it.").does("Bash", `{"command":"npm run build 2>&1 | tail -5"}`, "src/a.ts:4:2: error TS2322: no\n")
		}, []string{"- Failed, not seen to work later: npm run build 2>&1 | tail -5 → src/a.ts:4:2: error TS2322: no"}, nil},
		"a script of calls that runs on": {func(h *history) {
			h.typed("Merge it.").does("exec", `const r = await tools.exec_command({"cmd":"gt submit --publish","yield_time_ms":1000}); text(r.output);`,
				"Script running with cell ID 29\nWall time 10.0 seconds\nOutput:\n")
		}, []string{"- Running: gt submit --publish (#2–3)", "gt submit --publish → still running"}, []string{"→ ok"}},
		"all that run, until each has ended": {func(h *history) {
			h.typed("Wait for them.")
			for _, id := range []string{"7", "8", "9"} {
				h.does("exec_command", `{"cmd":"wait worker-`+id+`"}`, "Process running with session ID "+id+"\nOutput:\n")
			}
			h.does("write_stdin", `{"session_id":8}`, "Process exited with code 0\nOutput:\n")
		}, []string{"- Running: wait worker-7", "- Running: wait worker-9"}, []string{"- Running: wait worker-8"}},
		"an edit that was taken back is no result": {func(h *history) {
			h.typed("Fix it.").does("Edit", `{"file_path":"/srv/detect.go","old_string":"range m","new_string":"range sorted"}`, "The file has been updated.")
			h.says("The fix is complete, the order is sorted.").typed("Take the name of the hook.")
			h.does("Edit", `{"file_path":"/srv/detect.go","old_string":"range sorted","new_string":"range m"}`, "The file has been updated.")
			h.does("Edit", `{"file_path":"/srv/hook.go","old_string":"a","new_string":"b"}`, "The file has been updated.")
			h.says("The hook names its agent.").typed("Go on.")
		}, []string{"- (Undone later) The fix is complete", "- The hook names its agent. (#5"}, []string{"(Undone later) The hook"}},
		"what is staged no more": {func(h *history) {
			h.typed("Stage it.").does("Bash", `{"command":"git add a/read.go"}`, "").says("All is staged: read.go.").typed("I messed up, again.")
			h.does("Bash", `{"command":"git reset"}`, "").says("Again, from the beginning.")
		}, []string{"(Undone later) All is staged"}, nil},
		"a verdict on files that were changed since": {func(h *history) {
			h.typed("Which are wrong?").says("In debug.go the call is right, keep it.").typed("And with two agents?")
			h.does("Edit", `{"file_path":"/srv/debug.go","old_string":"a","new_string":"b"}`, "The file has been updated.").typed("Now the logs.")
		}, []string{"- (Changed since: debug.go) Said: In debug.go"}, nil},
		"what was open then is not told as open": {func(h *history) {
			h.typed("Reply to all.").says("Four comments are answered. The nil check of the other path is still unfixed. That one is on the list. I am blocked on the guard.")
			h.typed("Do the rest.").does("Edit", `{"file_path":"/srv/debug.go","old_string":"a","new_string":"b"}`, "The file has been updated.")
			h.says("All are fixed.").typed("Push.").says("Pushed.")
		}, []string{"Four comments are answered."}, []string{"unfixed", "blocked", "on the list"}},
		"a finding about a line goes with the line": {func(h *history) {
			h.typed("Review it.").says("Uses the global helper at explain.go:454 instead of the one of the repository, because it is older.")
			h.typed("Do it.").does("Edit", `{"file_path":"/srv/explain.go","old_string":"a","new_string":"b"}`, "The file has been updated.").says("It is done.")
		}, nil, []string{"## Decisions and findings"}},
		"a finding has its subject": {func(h *history) {
			h.typed("Can they be closed?").says("The wiring of the first one is missing. That means it is not closeable as completed, because main has none.").typed("Go on.").says("Fine.")
		}, nil, []string{"- That means"}},
		"what was only read": {func(h *history) {
			h.typed("Find the queries.").does("read", `{"filePath":"/srv/lib/items.ex"}`, "x").does("read", `{"filePath":"/srv/lib/stats.ex"}`, "x")
		}, []string{"- No change seen, read so far: items.ex, stats.ex (#2–4)"}, nil},
		"an order names its object": {func(h *history) {
			h.typed("Write the design to docs/a.md. Don't check it in.").says("Shall I skip all permissions?").typed("let's not do the nuclear thing")
		}, []string{"- Don't check it in (of: Write the design to docs/a.md)", "- let's not do the nuclear thing (of: Shall I skip all permissions"}, nil},
		"a file of the moment is nothing to commit": {func(h *history) {
			h.typed("Try it.").does("Bash", `{"command":"git status"}`, "clean")
			h.does("Write", `{"file_path":"/tmp/try.go","content":"x"}`, "File created.").says("Tried.")
		}, nil, []string{"Changed and not committed"}},
		"dots are no debris": {func(h *history) { h.typed("hmm.....maybe the reader.. or the writer") }, []string{"hmm…maybe"}, []string{"...."}},
		"a program's error is not said": {func(h *history) {
			h.typed("Go on.").says("API Error: Unable to connect to API").typed("Again.").says("It is done.")
		}, nil, []string{"API Error"}},
	} {
		h := &history{}
		k.session(h)
		text := noteOf(t, h.entries, 0)
		text, _, _ = strings.Cut(text, "\n[Fact")
		for _, want := range k.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %q is not told:\n%s", name, want, text)
			}
		}
		for _, not := range k.not {
			if strings.Contains(text, not) {
				t.Errorf("%s: %q is told:\n%s", name, not, text)
			}
		}
	}
}

// The matter of a talk outlives chat, cut after cut: names, prohibitions, and the last decision.
func TestATalkKeepsItsMatter(t *testing.T) {
	for name, k := range map[string]struct{ said, chat, keeps []string }{
		"english": {[]string{"Marta from Nordwind and I are moving the billing service to the new cluster.",
			"Nobody may restart the ledger by hand, that is a red line.", "I would copy the tables at night.", "On second thought, let's stream the changes instead."},
			[]string{"Unrelated: is it raining over there?", "Have you ever tasted durian?", "My chair squeaks terribly.", "Btw, which birds sleep standing?"},
			[]string{"Marta from Nordwind", "restart the ledger by hand", "stream the changes", "copy the tables at night"}},
		"chinese": {[]string{"王芳负责把计费服务迁移到新集群。", "绝对不要手动重启账本服务，这是底线。", "我觉得应该晚上复制数据表。", "算了，还是用流式同步吧。"},
			[]string{"顺便问一下，今天下雨吗？", "题外话：你喜欢喝茶吗？", "话说昨天的球赛真精彩。", "随便问问，猫为什么怕水？"},
			[]string{"王芳", "手动重启账本", "流式同步"}},
	} {
		var former string
		for cycle := range 3 {
			h := &history{}
			if former != "" {
				h.before = 32 + 24*(cycle-1)
				h.entries = append(h.entries, Entry{Former: former, Num: h.before})
			} else {
				for _, s := range k.said {
					h.typed(s).says("Understood.")
				}
			}
			for range 3 {
				for _, s := range k.chat {
					h.typed(s).says("Sure. Shall we go on?")
				}
			}
			former = noteOf(t, h.entries, 170)
			for _, want := range k.keeps {
				if !strings.Contains(former, want) {
					t.Errorf("%s, cut %d: %q is lost:\n%s", name, cycle+1, want, former)
				}
			}
		}
	}
}

// A person's numbered answers are whole in a short note too: each settles something.
func TestNumberedAnswersAreWhole(t *testing.T) {
	h := &history{}
	answers := "1. yes, that is fine by us 2. windows will be a thing eventually... use a database for it 3. detect it and skip it " +
		"4. yes, fix that 5. leave auto as it is 6. stop doing that 7. how can it be that it is open 8. document it 9. yes, test it"
	for range 14 {
		h.typed("Please look at the plan in the folder of the documents and say what its weak points are, in a few words.")
		h.says("The plan is good. " + strings.Repeat("It goes over the points of the protocol one by one. ", 12))
	}
	h.typed(answers).says("All are noted.")
	for _, s := range []string{"Draft the plan.", "Is it testable without the actions, by a table of states and events?", "yes, and the names too", "go on with the reader of the states and its tests"} {
		h.typed(s).says(strings.Repeat("It is a table of states and events now. ", 12))
	}
	if text := noteOf(t, h.entries, 500); !strings.Contains(text, answers) {
		t.Error(text)
	}
}
