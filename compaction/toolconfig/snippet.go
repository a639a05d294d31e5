package toolconfig

import (
	"errors"
	"fmt"
	"strings"
)

// snippet is a piece of a program: it is written whole, into an empty file or
// over one that this package wrote, and read from any program that holds its call.
type snippet struct {
	head   string // first line, by which a file of ours is known
	render func(c config) string
	find   func(source string) map[string]any
}

func (s snippet) parse(text []byte) (config, error) { return tree(s.find(string(text))), nil }

func (s snippet) patch(old []byte, list []setting) ([]byte, error) {
	if t := strings.TrimSpace(string(old)); t != "" && !strings.HasPrefix(t, s.head) {
		return nil, errors.New("it is a program that was not written from here")
	}
	root := map[string]any{}
	for _, x := range list {
		put(root, x)
	}
	return []byte(s.head + "\n" + s.render(tree(root))), nil
}

const writtenBy = " Compaction policy, written by Palimpsest. Edits here are overwritten."

var langChain = snippet{
	head: "#" + writtenBy,
	render: func(c config) string {
		var b strings.Builder
		edit, summary := "", ""
		if trigger, ok := c.number("clear.trigger"); ok {
			keep, _ := c.number("clear.keep")
			least, _ := c.number("clear.least")
			edit = fmt.Sprintf("ClearToolUsesEdit(trigger=%.0f, keep=%.0f, clear_at_least=%.0f)", trigger, keep, least)
			edit = "        ContextEditingMiddleware(edits=[" + edit + "]),\n"
		}
		if triggers, ok := c("trigger"); ok {
			keep, _ := c("keep")
			summary = fmt.Sprintf("        SummarizationMiddleware(model=model, trigger=[%s], keep=%s),\n",
				pythonSizes(triggers.([]any)), pythonSize(keep))
		}
		var names []string
		if edit != "" {
			names = append(names, "ClearToolUsesEdit", "ContextEditingMiddleware")
		}
		if summary != "" {
			names = append(names, "SummarizationMiddleware")
		}
		if len(names) > 0 {
			fmt.Fprintf(&b, "from langchain.agents.middleware import %s\n\n\n", strings.Join(names, ", "))
		}
		b.WriteString("def compaction_middleware(model):\n")
		b.WriteString("    \"\"\"The middleware list for create_agent; model writes the summaries.\"\"\"\n")
		b.WriteString("    return [\n" + edit + summary + "    ]\n")
		return b.String()
	},
	find: func(source string) map[string]any {
		root := map[string]any{}
		if args, ok := call(source, "SummarizationMiddleware"); ok {
			root["summary"] = true
			if t, ok := args["trigger"].([]any); ok {
				if len(t) > 0 {
					if _, single := t[0].(string); single {
						t = []any{t}
					}
				}
				root["trigger"] = t
			}
			if k, ok := args["keep"].([]any); ok {
				root["keep"] = k
			}
		}
		if args, ok := call(source, "ClearToolUsesEdit"); ok {
			root["clear"] = map[string]any{"trigger": or(args["trigger"], 100000), "keep": or(args["keep"], 3),
				"least": or(args["clear_at_least"], 0)}
		}
		return root
	},
}

// or is a number, or another one where there is none.
func or(v any, other float64) any {
	if f, ok := v.(float64); ok {
		return f
	}
	return other
}

func pythonSizes(list []any) string {
	out := make([]string, len(list))
	for i, x := range list {
		out[i] = pythonSize(x)
	}
	return strings.Join(out, ", ")
}

func pythonSize(v any) string {
	pair, ok := v.([]any)
	if !ok || len(pair) != 2 {
		return `("messages", 20)`
	}
	n, _ := pair[1].(float64)
	return fmt.Sprintf("(%q, %s)", pair[0], decimal(n))
}

var vercelPrune = snippet{
	head: "//" + writtenBy,
	render: func(c config) string {
		n, _ := c.number("messages")
		when, _ := c.number("trigger")
		text := `import { pruneMessages, type PrepareStepFunction } from 'ai';

const TRIGGER = %.0f; // %s
%s
/** Pass as prepareStep to generateText, streamText or an agent. */
export const prepareStep: PrepareStepFunction<any> = ({ messages, steps }) => {
  const size = %s;
  if (size < TRIGGER) return {};
  return {
    messages: pruneMessages({
      messages,
      reasoning: 'before-last-message',
      toolCalls: %s,
      emptyMessages: 'remove',
    }),
  };
};
`
		tail, keeps := "", fmt.Sprintf("'before-last-%.0f-messages'", n)
		if size, ok := c.number("tail"); ok {
			tail, keeps = fmt.Sprintf(vercelTail, size), "`before-last-${newest(messages)}-messages`"
		}
		if unit, _ := c("unit"); unit == "messages" {
			return fmt.Sprintf(text, when, "messages", tail, "messages.length", keeps)
		}
		return fmt.Sprintf(text, when, "tokens", tail, "Math.max(0, ...steps.map((step) => step.usage.inputTokens ?? 0))", keeps)
	},
	find: func(source string) map[string]any {
		root := map[string]any{}
		args, ok := call(source, "pruneMessages")
		if !ok {
			return root
		}
		rule, _ := args["toolCalls"].(string)
		n := 0.0
		if tail, found := constant(source, "TAIL"); found && strings.Contains(source, "newest(messages)") {
			root["tail"] = tail
		}
		if rule == "before-last-message" {
			n, ok = 1, true
		} else {
			_, err := fmt.Sscanf(rule, "before-last-%f-messages", &n)
			ok = err == nil && n > 0 // of 0 the SDK makes all
		}
		if ok {
			root["messages"] = n
		}
		if t, found := constant(source, "TRIGGER"); found {
			root["trigger"], root["unit"] = t, "tokens"
			if strings.Contains(source, "const size = messages.length") {
				root["unit"] = "messages"
			}
		}
		return root
	},
}

// constant is a number that a program gives a name.
func constant(source, name string) (n float64, ok bool) {
	_, after, found := strings.Cut(source, "const "+name+" = ")
	if !found {
		return 0, false
	}
	_, err := fmt.Sscanf(after, "%f", &n)
	return n, err == nil
}

// vercelTail finds the tail where it is said in tokens, which the SDK does not count.
const vercelTail = `const TAIL = %.0f; // tokens; 4 characters are taken for one

/** How many of the newest messages have about TAIL tokens, and at least 2. */
const newest = (messages: unknown[]) => {
  let n = 0;
  let left = TAIL * 4;
  while (n < messages.length && (left -= JSON.stringify(messages[messages.length - 1 - n]).length) >= 0) n++;
  return Math.max(n, 2);
};
`
