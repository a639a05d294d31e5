package toolconfig

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"palimpsest/model"
)

// Start collects how the program is started. The error is a [model.Problem].
func (t *Tool) Start(s *Start) error {
	s.tool, s.Vars, s.Files = t, map[string]string{}, map[string][]byte{}
	return t.start(s)
}

// Returned is the text that the person's file gets when the program has ended; false: what
// the program left, or what the person's file is now, lets it stay as it is.
func (l *Loan) Returned(file, left []byte) (text []byte, changed bool) {
	if Hash(left) == l.Given || Hash(file) != l.Was {
		return nil, false
	}
	text, err := jsonc{}.patch(left, l.Back)
	return text, err == nil
}

// Hash names a text.
func Hash(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// lend has a program read a copy of a file with other settings, which a variable names.
func (s *Start) lend(variable, file, name string, list, back []setting) error {
	old := s.Read(file)
	text, err := jsonc{}.patch(old, list)
	if err != nil {
		return &model.Problem{Code: "tool-config", What: file + " can't be read.", Why: err.Error() + ".", Next: "Mend the file.", Err: err}
	}
	s.Files[name], s.Vars[variable] = text, s.Path(name)
	s.Loans = append(s.Loans, Loan{file, name, Hash(old), Hash(text), back})
	return nil
}

// config reads a person's file; one that is not there, or can't be read, has no settings.
func (s *Start) config(kind syntax, path string) config {
	c, err := kind.parse(s.Read(path))
	if err != nil {
		return tree(nil)
	}
	return c
}

// text is the text at a path; "": there is none.
func (c config) text(path ...string) string {
	v, _ := c(path...)
	text, _ := v.(string)
	return text
}

// names are those of the members at a path, in order.
func (c config) names(path ...string) []string {
	v, _ := c(path...)
	m, _ := v.(map[string]any)
	return slices.Sorted(maps.Keys(m))
}

// spell is JSON on one line.
func spell(v any) string {
	b, _ := json.Marshal(v) // maps, lists and texts can be spelled
	return string(b)
}

// Entered reports whether a tool has this program among its servers of the Model Context
// Protocol, and whether it takes any.
func (t *Tool) Entered(s *Start) (entered, takes bool) {
	for _, p := range t.servers {
		var kind syntax = jsonc{}
		if strings.HasSuffix(p.file, ".toml") {
			kind = tomlFile{}
		}
		servers, _ := s.config(kind, p.file)(p.member)
		entered = entered || strings.Contains(spell(servers), "palimpsest")
	}
	return entered, t.servers != nil
}

// Reviewed reports whether a person allowed a tool to run the hooks in its file.
func (t *Tool) Reviewed(s *Start, file string) bool {
	if t.Then == "" {
		return true // it asks no model
	}
	c := s.config(tomlFile{}, t.File)
	return slices.ContainsFunc(c.names("hooks", "state"), func(key string) bool {
		return strings.HasPrefix(key, file+":") && c.text("hooks", "state", key, "trusted_hash") != ""
	})
}

// server is this program as a server of the Model Context Protocol.
func (s *Start) server(more map[string]any) map[string]any {
	entry := map[string]any{"command": s.Self[0], "args": append(slices.Clone(s.Self[1:]), "mcp")}
	maps.Copy(entry, more)
	return map[string]any{"mcpServers": map[string]any{"palimpsest": entry}}
}

const (
	anthropicServer = "https://api.anthropic.com"
	openAIServer    = "https://api.openai.com/v1"
)

func startClaude(s *Start) error {
	for _, v := range []string{"CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_USE_FOUNDRY"} {
		if s.Env(v) != "" {
			return &model.Problem{Code: "no-door", What: "Claude Code can't be given a gateway here.",
				Why: v + " is set: it asks another company's server in ways that are not known.", Next: "Start it without that variable."}
		}
	}
	upstream, settings := s.Env("ANTHROPIC_BASE_URL"), "~/.claude/settings.json"
	for _, path := range []string{settings, ".claude/settings.json", ".claude/settings.local.json"} {
		upstream = cmp.Or(s.config(jsonc{}, path).text("env", "ANTHROPIC_BASE_URL"), upstream)
	}
	base := s.Base(cmp.Or(upstream, anthropicServer))
	text := []byte(spell(map[string]any{"env": map[string]string{"ANTHROPIC_BASE_URL": base}}))
	text, err := s.withHooks(text)
	if err != nil {
		return err
	}
	s.Vars["ANTHROPIC_BASE_URL"] = base
	s.Args = []string{"--settings=" + string(text), "--mcp-config=" + spell(s.server(nil))}
	return nil
}

// withHooks adds the hooks to settings of a run, unless a person's file has them.
func (s *Start) withHooks(text []byte) ([]byte, error) {
	h := s.tool.HookFile(strings.Join(s.Self, " ") + " hook")
	if there, _, err := h.Calls(s.Read(h.Hooks)); err != nil || len(there) > 0 {
		return text, nil
	}
	text, err := h.Install(text)
	if err != nil {
		return nil, err
	}
	return hujson.Minimize(text)
}

// startCodex sends what its provider asks through the gateway. The provider's name stays,
// for by it Codex lists the sessions that can be resumed.
func startCodex(s *Start) error {
	c := s.config(tomlFile{}, "~/.codex/config.toml")
	provider := cmp.Or(c.text("profiles", c.text("profile"), "model_provider"), c.text("model_provider"), "openai")
	key, upstream := "model_providers."+provider+".base_url", c.text("model_providers", provider, "base_url")
	if upstream == "" {
		if provider != "openai" {
			return &model.Problem{Code: "no-door", What: "Codex can't be given a gateway here.",
				Why: "Its provider " + provider + " has no base_url.", Next: "Give it one in ~/.codex/config.toml."}
		}
		key, upstream = "openai_base_url", c.text("openai_base_url")
		account := s.config(jsonc{}, "~/.codex/auth.json")
		if upstream == "" && account.text("OPENAI_API_KEY") == "" && len(account.names("tokens")) > 0 {
			upstream = "https://chatgpt.com/backend-api/codex"
		}
	}
	for _, pair := range [][2]any{{key, s.Base(cmp.Or(upstream, openAIServer))},
		{"mcp_servers.palimpsest.command", s.Self[0]},
		{"mcp_servers.palimpsest.args", append(slices.Clone(s.Self[1:]), "mcp")},
		{"mcp_servers.palimpsest.env_vars", []string{"PALIMPSEST_DB"}}} {
		s.Args = append(s.Args, "-c", fmt.Sprintf("%s=%s", pair[0], spell(pair[1])))
	}
	return nil
}

func startGemini(s *Start) error {
	s.Vars["GOOGLE_GEMINI_BASE_URL"] = s.Base(cmp.Or(s.Env("GOOGLE_GEMINI_BASE_URL"), "https://generativelanguage.googleapis.com"))
	s.Vars["CODE_ASSIST_ENDPOINT"] = s.Base(cmp.Or(s.Env("CODE_ASSIST_ENDPOINT"), "https://cloudcode-pa.googleapis.com"))
	const variable = "GEMINI_CLI_SYSTEM_DEFAULTS_PATH"
	old := s.Read(cmp.Or(s.Env(variable), "/etc/gemini-cli/system-defaults.json"))
	entry, _ := tree(s.server(nil))("mcpServers", "palimpsest")
	text, err := jsonc{}.patch(old, []setting{{[]string{"mcpServers", "palimpsest"}, entry}})
	if err != nil {
		return nil // another's file can't be read: it goes without our tools
	}
	s.Files["defaults.json"], s.Vars[variable] = text, s.Path("defaults.json")
	return nil
}

// servers are those of providers that several programs know, with the variable that has
// a person's key.
var servers = []struct{ provider, upstream, key string }{
	{"anthropic", anthropicServer, "ANTHROPIC_API_KEY"}, {"openai", openAIServer, "OPENAI_API_KEY"},
	{"openrouter", "https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"}, {"xai", "https://api.x.ai/v1", "XAI_API_KEY"},
	{"groq", "https://api.groq.com/openai/v1", "GROQ_API_KEY"}, {"cerebras", "https://api.cerebras.ai/v1", "CEREBRAS_API_KEY"},
}

// startOpencode leads each provider that the person has to the gateway: opencode takes one
// whose address is set for one that can be used.
func startOpencode(s *Start) error {
	const variable = "OPENCODE_CONFIG_CONTENT"
	account := s.config(jsonc{}, "~/.local/share/opencode/auth.json").names()
	at := map[string]string{"opencode": "https://opencode.ai/zen/v1"} // which needs no key
	for _, x := range servers {
		if x.provider == "anthropic" {
			x.upstream += "/v1"
		}
		if s.Env(x.key) != "" || slices.Contains(account, x.provider) {
			at[x.provider] = x.upstream
		}
	}
	given := []byte(s.Env(variable))
	for _, text := range [][]byte{s.Read("~/.config/opencode/opencode.json"), s.Read("~/.config/opencode/opencode.jsonc"),
		s.Read("opencode.json"), s.Read("opencode.jsonc"), given} {
		c, err := jsonc{}.parse(text)
		if err != nil {
			continue
		}
		for _, name := range c.names("provider") {
			if u := c.text("provider", name, "options", "baseURL"); strings.HasPrefix(u, "http") {
				at[name] = u
			}
		}
	}
	list := []setting{{[]string{"mcp", "palimpsest"}, map[string]any{"type": "local", "command": append(slices.Clone(s.Self), "mcp")}}}
	for _, name := range slices.Sorted(maps.Keys(at)) {
		list = append(list, setting{[]string{"provider", name, "options", "baseURL"}, s.Base(at[name])})
	}
	text, err := jsonc{}.patch(given, list)
	s.Vars[variable] = string(text)
	return err
}

func startQwen(s *Start) error {
	c := s.config(jsonc{}, s.tool.Hooks)
	upstream := cmp.Or(s.Env("OPENAI_BASE_URL"), c.text("env", "OPENAI_BASE_URL"), c.text("security", "auth", "baseUrl"), openAIServer)
	base := s.Base(upstream)
	s.Vars["OPENAI_BASE_URL"] = base
	s.Args = []string{"--openai-base-url=" + base, "--mcp-config=" + spell(s.server(nil))}
	ours := map[string]any{}
	if providers, _ := c("modelProviders"); s.redirect(providers, "baseUrl") {
		ours["modelProviders"] = providers
	}
	text, err := s.withHooks([]byte(spell(ours)))
	s.Files["settings.json"], s.Vars["QWEN_CODE_SYSTEM_SETTINGS_PATH"] = text, s.Path("settings.json")
	return err
}

// redirect has every address of a name, at any depth, lead to the gateway.
func (s *Start) redirect(v any, name string) (found bool) {
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			found = s.redirect(x, name) || found
		}
	case map[string]any:
		for k, x := range v {
			if u, ok := x.(string); ok && k == name && strings.HasPrefix(u, "http") {
				v[k], found = s.Base(u), true
			} else {
				found = s.redirect(x, name) || found
			}
		}
	}
	return found
}

// piHooks has pi call the hooks as Claude Code does.
const piHooks = `import { spawnSync } from "node:child_process";
export default function (pi) {
	const hook = (name, { sessionManager: s }) => spawnSync(%s, %s, { timeout: 5000, encoding: "utf8", input: JSON.stringify({
		hook_event_name: name, source: "compact", trigger: "auto",
		session_id: s.getSessionId(), transcript_path: s.getSessionFile() }) }).stdout;
	pi.on("session_before_compact", (_, ctx) => { hook("PreCompact", ctx); });
	pi.on("session_compact", (_, ctx) => {
		try {
			const content = JSON.parse(hook("SessionStart", ctx)).hookSpecificOutput.additionalContext;
			pi.sendMessage({ customType: "palimpsest", display: false, content }, { deliverAs: "nextTurn" });
		} catch {} // there are no facts, or the session is over
	});
`

func startPi(s *Start) error {
	at := map[string]string{"openai-codex": "https://chatgpt.com/backend-api"}
	for _, x := range servers {
		at[x.provider] = x.upstream
	}
	c := s.config(jsonc{}, "~/.pi/agent/models.json")
	for _, name := range c.names("providers") {
		if u := c.text("providers", name, "baseUrl"); u != "" {
			at[name] = u
		}
	}
	var text strings.Builder
	fmt.Fprintf(&text, piHooks, spell(s.Self[0]), spell(append(slices.Clone(s.Self[1:]), "hook")))
	for _, name := range slices.Sorted(maps.Keys(at)) {
		fmt.Fprintf(&text, "\tpi.registerProvider(%s, { baseUrl: %s });\n", spell(name), spell(s.Base(at[name])))
	}
	s.Files["gateway.js"] = []byte(text.String() + "}\n")
	s.Args = []string{"--extension", s.Path("gateway.js")}
	return nil
}

func startCopilot(s *Start) error {
	variable, upstream := "COPILOT_PROVIDER_BASE_URL", s.Env("COPILOT_PROVIDER_BASE_URL")
	if upstream == "" {
		variable, upstream = "COPILOT_API_URL", cmp.Or(s.Env("COPILOT_API_URL"), "https://api.githubcopilot.com")
	}
	s.Vars[variable] = s.Base(upstream)
	s.Args = []string{"--additional-mcp-config=" + spell(s.server(map[string]any{"type": "local", "tools": []string{"*"}}))}
	return nil
}

// startCline lends a copy of the file in which Cline keeps its providers, for it takes no
// address elsewhere.
func startCline(s *Start) error {
	const file = "~/.cline/data/settings/providers.json"
	c := s.config(jsonc{}, file)
	var list, back []setting
	for _, name := range c.names("providers") {
		upstream := c.text("providers", name, "settings", "baseUrl")
		was := any(upstream)
		for _, x := range servers {
			if upstream == "" && (x.provider == name || x.provider+"-native" == name) {
				upstream, was = x.upstream, nil
			}
		}
		if upstream != "" {
			path := []string{"providers", name, "settings", "baseUrl"}
			list, back = append(list, setting{path, s.Base(upstream)}), append(back, setting{path, was})
		}
	}
	if len(list) == 0 {
		return &model.Problem{Code: "no-door", What: "Cline can't be given a gateway here.",
			Why: "No provider with an address is set up in " + file + ".", Next: "Set one up: cline auth."}
	}
	const models = "~/.cline/data/settings/models.json" // which it looks for beside the copy of its providers
	if text := s.Read(models); text != nil {
		s.Files["models.json"] = text
		s.Loans = append(s.Loans, Loan{File: models, Copy: "models.json", Was: Hash(text), Given: Hash(text)})
	}
	entry, _ := tree(s.server(nil))("mcpServers", "palimpsest")
	ours := []string{"mcpServers", "palimpsest"}
	return cmp.Or(s.lend("CLINE_PROVIDER_SETTINGS_PATH", file, "providers.json", list, back),
		s.lend("CLINE_MCP_SETTINGS_PATH", "~/.cline/data/settings/cline_mcp_settings.json", "mcp.json",
			[]setting{{ours, entry}}, []setting{{ours, nil}}))
}
