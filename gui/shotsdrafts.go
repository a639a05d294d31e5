package gui

import (
	"palimpsest/compaction/session/online"
	"palimpsest/compaction/summarize/remote"
	"palimpsest/compaction/summarize/remote/trial"
	"palimpsest/gui/commands"
	"palimpsest/gui/kit"
	"palimpsest/gui/preferences"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// draftShots are the pictures of what has to do with a summary model.
func draftShots() []shot {
	list := []shot{
		{name: "provider-dark", mode: kit.Dark, lang: words.English, size: large, do: (*studio).provider},
		{name: "draft-beside-dark", mode: kit.Dark, lang: words.English, size: large, do: (*studio).drafts},
		{name: "draft-beside-light", mode: kit.Light, lang: words.English, size: large, do: (*studio).drafts},
		{name: "draft-failed-zh-dark", mode: kit.Dark, lang: words.Chinese, size: large, do: (*studio).failed},
	}
	for i, page := range preferences.Pages { // each in one of the themes, in Chinese in the other
		at := func(s *studio) { s.settingsAt(page) }
		mode, other := kit.Dark, kit.Light
		if i%2 == 1 {
			mode, other = other, mode
		}
		list = append(list, shot{name: "settings-" + page + "-" + string(mode), mode: mode, lang: words.English, size: large, do: at},
			shot{name: "settings-" + page + "-zh-1280-" + string(other), mode: other, lang: words.Chinese, size: small, do: at})
	}
	sheet := func(s *studio) { s.w.showSessions() }
	return append(list, shot{name: "sessions-dark", mode: kit.Dark, lang: words.English, size: large, do: sheet},
		shot{name: "sessions-zh-1280-light", mode: kit.Light, lang: words.Chinese, size: small, do: sheet})
}

// settingsAt opens the settings at a page, with a history that holds a secret where
// one is looked for.
func (x *studio) settingsAt(page string) {
	win := preferences.Show(x.w.Host, page)
	x.settle()
	win.Try()
	x.settle()
}

// provider shows the settings of a summary model on this machine.
func (x *studio) provider() {
	x.w.Desk.SetProvider(online.Provider{Endpoint: remote.Endpoint{BaseURL: "http://localhost:11434/v1", Model: "qwen3:30b"},
		Window: 32768})
	x.settle()
	preferences.ShowModels(x.w.Host)
}

// asking sets up a model that answers as the pictures want it: a server of this
// process, which nobody else is asked beside.
func (x *studio) asking(behaviour string, answers ...string) func() {
	srv, err := trial.Listen("")
	if err != nil {
		return func() {} // the picture shows that it was not reached
	}
	n := 0
	srv.Text = func(string, string) string {
		n++
		return answers[(n-1)%len(answers)]
	}
	x.w.Desk.SetProvider(online.Provider{Endpoint: remote.Endpoint{BaseURL: srv.URL(), Model: behaviour, Tries: 1}, Window: 200_000})
	x.settle()
	x.w.Desk.Planning.Set(func(p *model.Policy) { p.Strategy = model.ModelText })
	x.settle()
	return func() { _ = srv.Close() }
}

// ask puts the question with an instruction.
func (x *studio) ask(instruction string) {
	x.w.Commands.Run(commands.Ask)
	x.settle()
	x.w.asking.Instruction.SetText(instruction)
	x.w.asking.Send()
	x.settle()
}

// drafts shows two drafts of one range beside each other.
func (x *studio) drafts() {
	const first = "Conversation summary: the person wants the parser of the config language to name line and column" +
		" of both sides of a fault.\n\n" +
		"Done:\n- schema/unify.go tells both positions\n- 12 tests of TestUnifyText pass\n\nNext:\n- the same for schema/check.go"
	const second = "Conversation summary: the person wants the parser of the config language to name line and column" +
		" of both sides of a fault.\n\n" +
		"Done:\n- schema/unify.go tells both positions, and the file of each\n- 12 tests of TestUnifyText pass: go test ./schema" +
		" -run TestUnifyText\n\nOpen:\n- TestUnifyText/both_files\n\nNext:\n- the same for schema/check.go"
	defer x.asking("good", first, second)()
	x.ask("")
	x.ask("Name every command that was run.")
	x.w.preview.ShowDiff(true)
	x.settle()
}

// failed shows what is said when a model could not be asked.
func (x *studio) failed() {
	defer x.asking("status-401", "")()
	x.ask("")
}
