package auto

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"palimpsest/compaction/summarize"
	"palimpsest/model"
)

// AnnounceOnly is a [model.OnFailure] of automatic compaction: when no summary
// can be made, the range is replaced by a message that says only what went and
// that the originals are kept.
const AnnounceOnly model.OnFailure = "default-summary"

// SummaryTemperature is the temperature of the summary model, whatever the
// agent's own is.
const SummaryTemperature = 0.3

// Milliseconds is a duration in a configuration file.
type Milliseconds int64

// Duration is the time as a [time.Duration].
func (m Milliseconds) Duration() time.Duration { return time.Duration(m) * time.Millisecond }

// Config says when a [Compactor] acts and what it may spend. Its JSON
// form is the configuration of token-share compaction, extended.
type Config struct {
	Enabled bool `json:"enabled"`

	// Threshold is the share of the model limit, 0–1, at which it compacts.
	// Off when NoShare is set or the window is not known.
	Threshold float64 `json:"threshold"`
	NoShare   bool    `json:"noShare,omitempty"`
	// MaxCount (COMPACT_THRESHOLD) is the number of messages at which it compacts; 0: off.
	MaxCount int `json:"compactThreshold"`

	KeepRecent int `json:"keepRecentCount"` // messages that stay word for word; the cut moves earlier to a legal one
	// KeepShare is the recent part as a share of the context window, 0–1, in place of
	// KeepRecent where the window is known; 0: off.
	KeepShare float64 `json:"keepRecentShare,omitempty"`
	// KeepFirstUser keeps the first message of the person word for word, a standing
	// order for instance, whatever is compacted or left out; see also [Compactor.Pin].
	KeepFirstUser bool `json:"keepFirstUser,omitempty"`

	// Strategy makes the summaries: "" or model asks SummaryModel; model+ledger lists
	// literal facts behind its words; extract, structured, table and ledger ask
	// nobody.
	Strategy model.Strategy `json:"strategy,omitempty"`
	// Batch (COMPACT_WINDOW) is the most messages one pass takes when only the count fires;
	// 0: everything before the recent messages.
	Batch int `json:"compactWindow"`

	Window  int `json:"maxTokens,omitempty"` // the model limit; 0: reported, or known from AgentName, or unknown
	Reserve int `json:"reserve,omitempty"`   // tokens of the window kept free for the answer
	// HardCount (MAX_HISTORY_SIZE) is for OnFailure truncate: a longer list is cut to so many messages
	// once the trigger is reached and gave no summary; 0: no limit.
	HardCount int    `json:"maxHistorySize"`
	Fixed     int    `json:"fixedTokens,omitempty"` // tokens in no message (tools), until usage is reported; 0: unknown
	AgentName string `json:"agentModel,omitempty"`  // model the agent itself talks to

	SummaryModel     string       `json:"summaryModel"`            // "": none, see UseAgentModel
	UseAgentModel    bool         `json:"useAgentModel,omitempty"` // summaries by AgentName
	SummaryMaxTokens int          `json:"summaryMaxTokens"`        // 0: no limit
	SummaryMaxChars  int          `json:"compactSummaryMaxChars"`  // COMPACT_SUMMARY_MAX_CHARS, in code points; 0: no limit
	SummaryTimeout   Milliseconds `json:"summaryTimeout"`
	// SummaryFromUser gives the summary message the role user, for providers that
	// take one system message.
	SummaryFromUser bool `json:"summaryFromUser,omitempty"`
	// SummaryLanguage is "en" or "zh"; "": the summary is in that of the history, and the
	// log in English.
	SummaryLanguage string `json:"language,omitempty"`

	OnFailure  model.OnFailure `json:"onFailure"`  // keep, extract, default-summary, truncate
	BackOff    int             `json:"backOff"`    // messages to wait for after a failure, doubling; 0: none
	RetryAfter Milliseconds    `json:"retryAfter"` // a failure is old enough to try again, whatever has grown
	BreakAfter int             `json:"breakAfter"` // failures in a row after which both waits must be over; 0: never

	// BackgroundMargin below Threshold, a summary is made in the background, so that
	// the next call need not wait; 0: never.
	BackgroundMargin float64 `json:"backgroundMargin,omitempty"`

	CountCompat CountCompat `json:"countCompat,omitzero"`
	ShareCompat ShareCompat `json:"shareCompat,omitzero"`
}

// CountCompat makes message-count compaction do exactly what its first authors'
// program does, for comparison only.
type CountCompat struct {
	Cut   bool `json:"cut,omitempty"`      // after the last chat message of the batch, 0 allowed; no minimum gain
	Text  bool `json:"text,omitempty"`     // their prompt: former summaries skipped; their answer check
	Bytes bool `json:"bytes,omitempty"`    // limits of the transcript count UTF-8 bytes
	Trim  bool `json:"fallback,omitempty"` // the fallback drops all but the last HardCount messages, through groups
}

// ShareCompat does the same for token-share compaction.
type ShareCompat struct {
	Cut        bool `json:"cut,omitempty"`             // exactly len − KeepRecent; groups may be split
	Truncate   bool `json:"truncate,omitempty"`        // first message + last KeepRecent, duplicates included
	UsageAfter bool `json:"usageAfterClear,omitempty"` // usage is 0 after a change until it is reported again
}

func (c CountCompat) any() bool { return c != CountCompat{} }
func (c ShareCompat) any() bool { return c != ShareCompat{} }

// DefaultConfig has both triggers. It names no model, so
// nothing happens until one is set.
func DefaultConfig() Config {
	return Config{
		Enabled: true, Threshold: 0.8, MaxCount: 40, KeepRecent: 10, Batch: 30, HardCount: 50,
		SummaryMaxTokens: 1000, SummaryMaxChars: 1500, SummaryTimeout: 30_000,
		OnFailure: model.KeepEverything, BackOff: 5, RetryAfter: 600_000, BreakAfter: 3,
	}
}

// MessageCountConfig is compaction by number of messages alone: the
// agent's own model makes the summary, and when it fails the history is cut at
// the hard size.
func MessageCountConfig(agentModel string) Config {
	c := DefaultConfig()
	c.NoShare, c.SummaryMaxTokens = true, 0
	c.AgentName, c.UseAgentModel = agentModel, true
	c.OnFailure = model.TruncateAtHard
	return c
}

// TokenShareConfig is compaction by share of the context window alone.
func TokenShareConfig(summaryModel string) Config {
	c := DefaultConfig()
	c.MaxCount, c.Batch, c.HardCount, c.SummaryMaxChars = 0, 0, 0, 0
	c.SummaryModel = summaryModel
	return c
}

// model is the model that makes summaries; "": none.
func (c *Config) model() string {
	if c.SummaryModel == "" && c.UseAgentModel {
		return c.AgentName
	}
	return c.SummaryModel
}

// asks reports whether summaries are a model's.
func (c *Config) asks() bool { return c.Strategy == "" || c.Strategy.Asks() }

func (c *Config) lang() summarize.Lang { return summarize.Lang(c.SummaryLanguage) }

// Validate returns all that is wrong with the values. Contradictory but possible
// values (a batch above the threshold, nothing kept) are no error.
func (c *Config) Validate() error {
	var errs []error
	for f, v := range reflect.ValueOf(*c).Fields() {
		if v.CanInt() && v.Int() < 0 {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			errs = append(errs, fmt.Errorf("%s is negative: %d", name, v.Int()))
		}
	}
	if c.SummaryTimeout == 0 {
		errs = append(errs, errors.New("summaryTimeout must be positive"))
	}
	if !(c.Threshold >= 0 && (c.Threshold <= 1 || c.ShareCompat.any())) {
		errs = append(errs, fmt.Errorf("threshold is not between 0 and 1: %g", c.Threshold))
	}
	if !(c.KeepShare >= 0 && c.KeepShare < 1) {
		errs = append(errs, fmt.Errorf("keepRecentShare is not between 0 and 1: %g", c.KeepShare))
	}
	switch c.Strategy {
	case "", model.ModelText, model.ModelNote, model.Extract, model.StructuredJSON, model.StructuredTable, model.NoteText:
	default:
		errs = append(errs, fmt.Errorf("strategy %q is none of model, model+note, extract, structured, table, note", c.Strategy))
	}
	if !(c.BackgroundMargin >= 0 && c.BackgroundMargin <= 1) {
		errs = append(errs, fmt.Errorf("backgroundMargin is not between 0 and 1: %g", c.BackgroundMargin))
	}
	if c.Window > 0 && c.Reserve >= c.Window {
		errs = append(errs, fmt.Errorf("reserve (%d) leaves nothing of the window (%d)", c.Reserve, c.Window))
	}
	switch c.OnFailure {
	case model.KeepEverything, model.ExtractInstead, AnnounceOnly, model.TruncateAtHard:
	default:
		errs = append(errs, fmt.Errorf("onFailure %q is none of keep, extract, default-summary, truncate", c.OnFailure))
	}
	if !slices.Contains([]summarize.Lang{summarize.Auto, summarize.English, summarize.Chinese}, c.lang()) {
		errs = append(errs, fmt.Errorf("language %q is neither en nor zh", c.SummaryLanguage))
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("automatic compaction: %w", err)
	}
	return nil
}
