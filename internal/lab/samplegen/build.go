package main

import (
	"fmt"
	"strings"
)

// The tool-heavy build: an agent moves an invented C++ project to an invented
// build tool. Most of it is tool output, and one file is read again and again.
const (
	buildMessages = 120
	buildFile     = "BUILD.gantry"
)

type buildRun struct {
	r        *rng
	messages []object
	targets  []string
	file     string // text of the build file
	revision int
}

// buildStage is one request of the person, the target it is about, and how it
// ends.
type buildStage struct{ Ask, Target, Fault, Done string }

func toolHeavy() []byte {
	b := &buildRun{r: &rng{state: 1202025}}
	for _, m := range phrases["module"] {
		b.targets = append(b.targets, fmt.Sprintf("//%s:ternary_%s", m, m))
	}
	b.file = b.r.text("build file", map[string]any{"Modules": phrases["module"], "Units": phrases["unit"], "Targets": b.targets})
	b.say("system", "You are a build engineer with a shell. Work in /home/build/ternary. Read before you write, "+
		"run the build after every change, quote errors literally, and never delete a file that git does not know.")
	stages := load[[]buildStage]("stages.json")
	for i, st := range stages {
		b.stage(st, buildMessages-(len(stages)-1-i)*20)
	}
	return indented(object{{"model", "gpt-4o-2024-11-20"}, {"temperature", 0.1}, {"parallel_tool_calls", true},
		{"messages", b.messages}, {"tools", buildTools()}}, "  ")
}

func buildTools() []object {
	tool := func(name, text, param string) object {
		parameters := object{{"type", "object"}, {"properties", object{{param, object{{"type", "string"}}}}}, {"required", []string{param}}}
		return object{{"type", "function"}, {"function", object{{"name", name}, {"description", text}, {"parameters", parameters}}}}
	}
	return []object{
		tool("run_command", "Run a command in the project's folder and return what it prints.", "command"),
		tool("read_file", "Return a text file.", "path"),
		tool("apply_patch", "Apply a unified diff.", "patch"),
		tool("list_dir", "List a folder.", "path"),
	}
}

func (b *buildRun) say(role, text string) {
	b.messages = append(b.messages, object{{"role", role}, {"content", text}})
}

// toolStep is a tool call with its result.
type toolStep struct {
	name   string
	arg    field
	result string
}

// use is one assistant message with calls, and their results.
func (b *buildRun) use(text string, steps ...toolStep) {
	var list, results []object
	for _, s := range steps {
		id := "call_" + b.r.base62(24)
		call := object{{"name", s.name}, {"arguments", string(encode(object{s.arg}))}}
		list = append(list, object{{"id", id}, {"type", "function"}, {"function", call}})
		results = append(results, object{{"role", "tool"}, {"tool_call_id", id}, {"content", s.result}})
	}
	var content any
	if text != "" {
		content = text + " " + b.thoughts()
	}
	b.messages = append(b.messages, object{{"role", "assistant"}, {"content", content}, {"tool_calls", list}})
	b.messages = append(b.messages, results...)
}

// thoughts are a few sentences of reasoning, as agents write them between
// calls. Each may name a module, a unit and a number.
func (b *buildRun) thoughts() string {
	var out []string
	for _, from := range []int{0, 4, 8} {
		m, u := b.r.phrase("module"), b.r.phrase("unit")
		thought := phrases["build thought"][from+b.r.n(4)]
		out = append(out, strings.NewReplacer("{module}", m, "{unit}", u, "{n}", fmt.Sprint(b.r.between(2, 480))).Replace(thought))
	}
	return strings.Join(out, " ")
}

func (b *buildRun) readFile(path, text string) toolStep {
	return toolStep{"read_file", field{"path", path}, text}
}

// run is a command; the text of its output is filled with dot.
func (b *buildRun) run(command, text string, dot map[string]any) toolStep {
	return toolStep{"run_command", field{"command", command}, b.r.text(text, dot)}
}

func (b *buildRun) build(target, fault string) toolStep {
	return b.run("gantry build "+target, "build log", map[string]any{"Target": target, "Fault": fault})
}

// stage is one request, played until the conversation has so many messages.
func (b *buildRun) stage(st buildStage, until int) {
	b.say("user", st.Ask)
	fault := fmt.Sprintf(st.Fault, b.r.between(12, 690))
	b.use("I'll look at the build file and the state of the tree first.",
		b.readFile(buildFile, b.file), b.run("git status --short | head -40", "build status", nil))
	b.use("Now the build itself.", b.build(st.Target, fault))
	for k := 0; len(b.messages)+6 < until; k++ {
		switch k % 3 {
		case 0:
			unit, module := b.r.phrase("unit"), b.r.phrase("module")
			b.use("The error is this one:\n\n    "+fault+"\n\nLet me see the source.",
				b.readFile(module+"/"+unit+".cc", b.r.text("build unit", map[string]any{"Module": module, "Unit": unit})))
		case 1:
			b.use("The target again, as it is now.", b.readFile(buildFile, b.file))
		default:
			b.use("Is the old makefile any help?",
				b.run("gantry query --deps "+st.Target+" --depth 3", "build query", map[string]any{"Targets": b.targets}))
		}
	}
	if (until-len(b.messages))%2 == 0 {
		b.use("One more look at the exact text before I patch it, and at the folder.", b.readFile(buildFile, b.file),
			toolStep{"list_dir", field{"path", "tools"}, "crc_table.py\nschemac\nschemac.py\nstamp.sh\nsymcheck.sh"})
	}
	b.use("I'll change the target and build again.",
		toolStep{"apply_patch", field{"patch", b.patch(st.Target)}, "Applied 1 hunk to BUILD.gantry."})
	if len(b.messages)+3 <= until {
		b.use("", b.build(st.Target, ""))
	}
	b.say("assistant", st.Done)
}

// patch changes the build file and returns the diff of it.
func (b *buildRun) patch(target string) string {
	b.revision++
	before := b.file
	name := target[strings.LastIndexByte(target, ':')+1:]
	revision := func(n int) string { return fmt.Sprintf("# revision %d\n", n) }
	b.file = strings.Replace(b.file, revision(b.revision), revision(b.revision+1), 1)
	b.file = strings.Replace(b.file, "\nlibrary(\n", fmt.Sprintf("\n# %s: see docs/gantry.md, section %d\nlibrary(\n", name, b.revision), 1)
	return unified(b.r, buildFile, before, b.file)
}
