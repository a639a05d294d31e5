package auto

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"palimpsest/compaction"
	"palimpsest/model"
)

// ToolName is the name of the tool by which a model compacts its own context.
const ToolName = "compress_context"

// ToolDescription says to a model when to call it.
const ToolDescription = "Replaces the older part of this conversation by a summary, so that the context window has room again. " +
	"Call it when a piece of work is finished and its details are no longer needed. The recent messages stay word for word."

// ToolParameters is the JSON schema of the tool's arguments.
func ToolParameters() json.RawMessage {
	return json.RawMessage(`{
	"type": "object",
	"properties": {"reason": {"type": "string", "description": "Why now, in one sentence."}},
	"additionalProperties": false
}`)
}

// HandleTool carries out a call of the tool and returns its result for the model.
// It is [Compactor.CompactNow]. A call whose result is still missing stays in the
// list, this one among them. The error is that of arguments that are no JSON
// object; the error of a compaction that fails is returned to the model.
func HandleTool(ctx context.Context, a *Compactor, arguments string) (string, error) {
	var in struct {
		Reason string `json:"reason"`
	}
	if arguments != "" {
		if err := json.Unmarshal([]byte(arguments), &in); err != nil {
			return "", fmt.Errorf("%s: %w", ToolName, err)
		}
	}
	r := a.CompactNow(ctx)
	if !r.Compressed {
		return fmt.Sprintf("Nothing was compacted: %v.", r.Err), nil
	}
	return fmt.Sprintf("Compacted: %d messages became %d; about %d tokens are in use.", r.OriginalCount, r.NewCount, r.After.Used), nil
}

// ReadConfig reads the configuration from the JSON of an application, where it is
// the object conversation.autoCompression, or from that object itself.
// What it does not name has its default, but if it names one threshold alone it has no
// other: a share without a number of messages, or the other way round. Values that are
// not valid are an error.
func ReadConfig(app []byte) (Config, error) {
	c := DefaultConfig()
	var outer struct {
		Conversation *struct {
			Auto json.RawMessage `json:"autoCompression"`
		} `json:"conversation"`
	}
	if err := json.Unmarshal(app, &outer); err != nil {
		return c, fmt.Errorf("automatic compaction: read the configuration: %w", err)
	}
	if outer.Conversation != nil {
		if app = outer.Conversation.Auto; app == nil {
			return c, nil
		}
	}
	var named struct {
		Share *json.RawMessage `json:"threshold"`
		Count *json.RawMessage `json:"compactThreshold"`
	}
	err := json.Unmarshal(app, &named)
	switch {
	case named.Share != nil && named.Count == nil:
		c = TokenShareConfig("")
	case named.Count != nil && named.Share == nil:
		c.NoShare = true
	}
	if err = errors.Join(err, json.Unmarshal(app, &c)); err != nil {
		return c, fmt.Errorf("automatic compaction: read the configuration: %w", err)
	}
	return c, c.Validate()
}

// Retuned is a configuration that [ReadConfig] takes with the values of a policy, as
// [Config.Policy] describes one. What a policy does not say stays, also members that are not
// known. nil: it is none, or has these values.
func Retuned(config []byte, p model.Policy) []byte {
	c, err := ReadConfig(config)
	was, members := c, map[string]json.RawMessage{}
	if c.tune(p); err != nil || c == was || json.Unmarshal(config, &members) != nil || members["conversation"] != nil {
		return nil
	}
	for name := range strings.FieldsSeq("noShare keepRecentShare keepFirstUser strategy maxTokens reserve") {
		delete(members, name) // which are left out where they are empty
	}
	b, err := json.Marshal(c)
	if errors.Join(c.Validate(), err, json.Unmarshal(b, &members)) != nil {
		return nil
	}
	b, _ = model.PlainJSON(members)
	return b
}

// tune takes the values of a policy over.
func (c *Config) tune(p model.Policy) {
	c.NoShare, c.MaxCount, c.KeepShare = true, 0, 0
	for _, t := range p.Triggers {
		switch g := compaction.GaugeOf(t, p.Window); {
		case t.Share > 0:
			c.Threshold, c.NoShare = t.Share, false
		case g.Unit == model.Messages:
			c.MaxCount = t.At.N
		case g.Unit == model.Tokens && p.Window > 0:
			c.Threshold, c.NoShare = min(1, float64(g.At)/float64(p.Window)), false
		}
	}
	switch tail := p.TailInForce(); {
	case tail.Unit == model.Messages:
		c.KeepRecent = tail.N
	case tail.Unit == model.Tokens && p.Window > 0:
		c.KeepShare = float64(tail.N) / float64(p.Window)
	}
	if p.Batch.N == 0 || p.Batch.Unit == model.Messages {
		c.Batch = p.Batch.N
	}
	if budget := p.BudgetInForce(); budget.Unit == model.Tokens {
		c.SummaryMaxTokens = budget.N
	} else {
		c.SummaryMaxTokens, c.SummaryMaxChars = 0, budget.N
	}
	if c.described(model.Policy{}).Strategy != p.Strategy {
		c.Strategy = p.Strategy
	}
	if c.Window > 0 {
		c.Window = p.Window
	}
	c.Reserve, c.OnFailure, c.HardCount, c.KeepFirstUser = p.Reserve, p.OnFailure, p.MaxMessages, p.KeepFirstUser
}
