package auto

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
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
