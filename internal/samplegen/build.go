package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// The tool-heavy build: an agent moves an invented C++ project to an invented
// build tool. Most of it is tool output, and one file is read again and again.
const buildMessages = 120

const (
	buildRoot = "/home/build/ternary"
	buildFile = "BUILD.gantry"
)

type buildRun struct {
	r        *rng
	messages []object
	targets  []string
	file     string
	tick     int
}

// modules and files of the project that is built.
var (
	buildModules = []string{"core", "codec", "net", "store", "render", "index", "auth", "metrics"}
	buildUnits   = []string{"buffer", "arena", "frame", "header", "channel", "cursor", "journal", "lookup", "packet", "queue", "router", "schema", "session", "sampler", "table", "writer"}
)

// buildStage is one request of the person, the target it is about, and how it
// ends.
type buildStage struct{ ask, target, fault, done string }

var buildStages = []buildStage{
	{"Move the build of /home/build/ternary from the old makefiles to gantry. BUILD.gantry is started but does not build. Keep the output names; they are used by packaging. Begin with //core.", "//core:ternary_core",
		"core/arena.cc:%d:14: error: 'max_align_t' is not a member of 'std'; did you mean 'maxalign_t'?", "`//core:ternary_core` builds. The old makefile forced `-include cstddef`; I put it into `copts` of that one target instead of the defaults."},
	{"Good. Now //codec and //net, they depend on core only.", "//codec:ternary_codec",
		"ld.gantry: undefined reference to `ternary::crc32c_hw(unsigned int, unsigned char const*, unsigned long)' (line %d of codec/frame.cc)", "Both build. `crc32c_hw` lives in `codec/crc_x86.cc`, which the makefile added only with SSE=1; it is now a `select` on `//platform:x86_64`."},
	{"//store next. It needs the generated file store/journal_schema.h.", "//store:ternary_store",
		"store/journal.cc:%d:10: fatal error: store/journal_schema.h: No such file or directory", "A `genrule` runs `tools/schemac` over `store/journal.schema`; the header is an output of the rule and no longer checked in."},
	{"Why did the last build take six minutes? Before the move it took two.", "//...",
		"gantry: cache: 0 hits, 411 misses (key contains absolute path, entry %d)", "The cache key held the absolute path of the sandbox, so nothing was ever found again. With `path_mapping = relative` the second build takes 38.4 s: 402 hits, 9 misses."},
	{"Now the tests. All 214 of them have to run under gantry test.", "//...:tests",
		"FAILED //render:raster_test (exit 139, shard %d of 4): SIGSEGV in ternary::render::blit", "214 of 214 tests run, 213 pass. `//render:raster_test` needs `testdata/harbour_512.raw` in `data`; with it the crash is gone and it passes too."},
	{"Packaging expects build/out/libternary.so.4. Check it, then write the summary for the merge request.", "//package:ternary",
		"packaging/check.sh: libternary.so.4: SONAME is libternary.so (wanted libternary.so.4, line %d)", "The SONAME is set with `linkopts = [\"-Wl,-soname,libternary.so.4\"]`. `packaging/check.sh` passes: 31 files, 12,481,536 bytes.\n\nSummary for the merge request:\n- 8 modules, 62 targets, 214 tests build with gantry 1.9.2\n- clean build 118 s (makefiles: 121 s), with a warm cache 38.4 s\n- removed: 11 makefiles, 3 shell scripts, 1 generated header"},
}

func toolHeavy() ([]byte, error) {
	b := &buildRun{r: &rng{state: 1202025}}
	for _, m := range buildModules {
		b.targets = append(b.targets, fmt.Sprintf("//%s:ternary_%s", m, m))
	}
	b.file = b.buildText()
	b.say("system", "You are a build engineer with a shell. Work in "+buildRoot+". Read before you write, run the build after every change, quote errors literally, and never delete a file that git does not know.")
	for i, st := range buildStages {
		b.stage(st, buildMessages-(len(buildStages)-1-i)*20)
	}
	o := object{{"model", "gpt-4.1-2025-04-14"}, {"temperature", 0.1}, {"parallel_tool_calls", true}, {"messages", b.messages}, {"tools", buildTools()}}
	var out bytes.Buffer
	if err := json.Indent(&out, encode(o), "", "  "); err != nil {
		return nil, err
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}

func buildTools() []object {
	tool := func(name, text, param string) object {
		return object{{"type", "function"}, {"function", object{{"name", name}, {"description", text},
			{"parameters", object{{"type", "object"}, {"properties", object{{param, object{{"type", "string"}}}}}, {"required", []string{param}}}}}}}
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

// use is one assistant message with calls, and their results.
func (b *buildRun) use(text string, steps ...toolStep) {
	var list []object
	for i := range steps {
		steps[i].id = "call_" + b.r.base62(24)
		list = append(list, object{{"id", steps[i].id}, {"type", "function"}, {"function", object{{"name", steps[i].name}, {"arguments", string(encode(object{steps[i].arg}))}}}})
	}
	var content any
	if text != "" {
		content = text + " " + b.thoughts()
	}
	b.messages = append(b.messages, object{{"role", "assistant"}, {"content", content}, {"tool_calls", list}})
	for _, s := range steps {
		b.messages = append(b.messages, object{{"role", "tool"}, {"tool_call_id", s.id}, {"content", s.result}})
	}
}

// thoughts are a few sentences of reasoning, as agents write them between calls.
func (b *buildRun) thoughts() string {
	var out []string
	for _, from := range []int{0, 4, 8} {
		m, u := pick(b.r, buildModules...), pick(b.r, buildUnits...)
		thought := buildThoughts[from+b.r.n(4)]
		out = append(out, strings.NewReplacer("{module}", m, "{unit}", u, "{n}", fmt.Sprint(b.r.between(2, 480))).Replace(thought))
	}
	return strings.Join(out, " ")
}

// Each may name a module, a unit and a number.
var buildThoughts = []string{
	"The makefile of {module} compiles {unit}.cc with its own flags, so a default for all targets would change what it does.",
	"What I know so far: {module} builds alone, and the header of {unit} is found through the old include path, not through deps.",
	"The log names {module}, but the first line that matters is the one about {unit}.cc; everything after it follows from that.",
	"Two things differ from the makefiles: the order in which {module} is linked, and that {unit}.cc sees no system header it did not ask for.",
	"That would also explain the {n} bytes by which libternary_{module}.a differs from the old one.",
	"I compared the symbols of {unit}.o in both builds: {n} in common, and the missing one is weak in the old archive.",
	"If I am right, line {n} of {module}/{unit}.cc is only reached when the page size is not 4096.",
	"The sandbox hides {module}/generated, which is why {unit} fails here and not in a developer's tree; the makefile wrote there {n} times.",
	"I won't touch the output names, as you asked, and change one target at a time so that a failure points at its cause.",
	"Before I change the build file I read it again: it may have been edited since, and a patch against old text would not apply.",
	"A glob would be shorter, but then a file that somebody forgets to add is never noticed; an explicit list fails loudly.",
	"Next I build only this target with its deps, not everything: that is quick enough to try twice.",
}

type toolStep struct {
	id, name string
	arg      field
	result   string
}

func (b *buildRun) readBuildFile() toolStep {
	return toolStep{name: "read_file", arg: field{"path", buildFile}, result: b.file}
}

func (b *buildRun) run(command, result string) toolStep {
	return toolStep{name: "run_command", arg: field{"command", command}, result: result}
}

// stage is one request, played until the conversation has so many messages.
func (b *buildRun) stage(st buildStage, until int) {
	b.say("user", st.ask)
	fault := fmt.Sprintf(st.fault, b.r.between(12, 690))
	b.use("I'll look at the build file and the state of the tree first.", b.readBuildFile(), b.run("git status --short | head -40", b.status()))
	b.use("Now the build itself.", b.run("gantry build "+st.target, b.log(st.target, fault)))
	for k := 0; len(b.messages)+6 < until; k++ {
		switch k % 3 {
		case 0:
			unit := pick(b.r, buildUnits...)
			mod := pick(b.r, buildModules...)
			b.use("The error is this one:\n\n    "+fault+"\n\nLet me see the source.", toolStep{name: "read_file", arg: field{"path", mod + "/" + unit + ".cc"}, result: b.unit(mod, unit)})
		case 1:
			b.use("The target again, as it is now.", b.readBuildFile())
		default:
			b.use("Is the old makefile any help?", b.run("gantry query --deps "+st.target+" --depth 3", b.query()))
		}
	}
	if (until-len(b.messages))%2 == 0 {
		b.use("One more look at the exact text before I patch it, and at the folder.", b.readBuildFile(), toolStep{name: "list_dir", arg: field{"path", "tools"}, result: "crc_table.py\nschemac\nschemac.py\nstamp.sh\nsymcheck.sh"})
	}
	b.use("I'll change the target and build again.", toolStep{name: "apply_patch", arg: field{"patch", b.patch(st.target)}, result: "Applied 1 hunk to BUILD.gantry."})
	if len(b.messages)+3 <= until {
		b.use("", b.run("gantry build "+st.target, b.log(st.target, "")))
	}
	b.say("assistant", st.done)
}

// patch changes the build file and gives the diff of it.
func (b *buildRun) patch(target string) string {
	b.tick++
	old := fmt.Sprintf("# revision %d\n", b.tick)
	before := b.file
	b.file = strings.Replace(b.file, old, fmt.Sprintf("# revision %d\n", b.tick+1), 1)
	name := target[strings.LastIndexByte(target, ':')+1:]
	b.file = strings.Replace(b.file, "\nlibrary(\n", fmt.Sprintf("\n# %s: see docs/gantry.md, section %d\nlibrary(\n", name, b.tick), 1)
	return unified(b.r, buildFile, before, b.file)
}

// buildText is the build file: a target with its sources for each module.
func (b *buildRun) buildText() string {
	var s strings.Builder
	s.WriteString("# revision 1\nproject(\n    name = \"ternary\",\n    version = \"4.2.0\",\n    toolchain = \"//toolchain:gcc13\",\n)\n")
	for i, m := range buildModules {
		fmt.Fprintf(&s, "\nlibrary(\n    name = \"ternary_%s\",\n    srcs = [\n", m)
		for _, u := range buildUnits {
			if b.r.chance(45) {
				fmt.Fprintf(&s, "        \"%s/%s.cc\",\n", m, u)
			}
		}
		fmt.Fprintf(&s, "    ],\n    hdrs = glob([\"%s/*.h\"]),\n    copts = [\"-O%d\", \"-Wall\", \"-DTERNARY_PAGE=%d\"],\n", m, b.r.between(1, 3), 4096<<b.r.n(3))
		if i > 0 {
			fmt.Fprintf(&s, "    deps = [\"%s\"],\n", pick(b.r, b.targets[:i]...))
		}
		s.WriteString(")\n")
	}
	return s.String()
}
