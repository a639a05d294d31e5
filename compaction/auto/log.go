package auto

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"
	"unicode/utf8"

	"palimpsest/compaction"
	"palimpsest/compaction/summarize"
)

// event is one line of the log, in both languages. Fields have
// the same names in each.
type event struct {
	level            slog.Level
	chinese, english string
}

var (
	triggered     = event{slog.LevelInfo, "触发自动压缩", "automatic compaction triggered"}
	applied       = event{slog.LevelInfo, "自动压缩完成", "automatic compaction done"}
	failed        = event{slog.LevelWarn, "自动压缩失败，忽略本次压缩", "automatic compaction failed, nothing is changed by it"}
	panicked      = event{slog.LevelError, "自动压缩异常", "automatic compaction broke off"}
	truncating    = event{slog.LevelWarn, "tokens 超过硬性限制，开始截断消息历史", "tokens above the hard limit, the history is truncated"}
	truncated     = event{slog.LevelWarn, "消息历史截断完成", "history truncated"}
	truncateError = event{slog.LevelError, "截断消息历史失败", "truncating the history failed"}
	rejected      = event{slog.LevelWarn, "截断后仍超过硬性限制，拒绝调用", "still above the hard limit, the call is refused"}
	inactive      = event{slog.LevelWarn, "未配置摘要模型，自动压缩不生效", "no summary model is configured, automatic compaction is inactive"}

	checked = event{slog.LevelDebug, "已检查是否需要压缩", "checked whether to compact"}
	taking  = event{slog.LevelDebug, "已确定压缩范围", "range to compact chosen"}
	made    = event{slog.LevelDebug, "摘要已生成", "summary made"}
)

// eventLog writes what a compactor does, whose lock is held.
type eventLog struct {
	out    *slog.Logger
	cfg    *Config
	mem    *memory
	warned bool // that there is no model
}

// compat reports whether the log is that of the first authors, and holds no
// event that theirs does not.
func (l *eventLog) compat() bool { return l.cfg.CountCompat.any() || l.cfg.ShareCompat.any() }

func (l *eventLog) chinese() bool { return l.compat() || l.cfg.lang() == summarize.Chinese }

// write writes an event of the agent.
func (l *eventLog) write(e event, fields ...any) {
	text := e.english
	if l.chinese() {
		text = e.chinese
	}
	l.line(e.level, text, append([]any{"agentId", l.mem.agent}, fields...)...)
}

// line writes a line. A log that panics breaks nothing else.
func (l *eventLog) line(level slog.Level, text string, fields ...any) {
	defer func() { _ = recover() }()
	l.out.Log(context.Background(), level, text, fields...)
}

// detail writes how a compaction comes about: places, sizes and durations, never
// content. The first authors' log and the sentences have no such lines.
func (l *eventLog) detail(d *Decision, e event, fields ...any) {
	if !l.compat() && !l.sentences(d) {
		l.write(e, fields...)
	}
}

func (l *eventLog) checked(d Decision) {
	l.detail(&d, checked, "why", string(d.Why),
		"usedTokens", d.Usage.Used, "usagePercent", d.Usage.Percent(), "messageCount", d.Usage.Messages)
}

func (l *eventLog) taking(j *job) {
	l.detail(&j.decision, taking, "from", j.decision.take.From, "to", j.decision.take.To, "keptCount", len(j.decision.kept),
		"takenCount", len(j.taken), "takenTokens", countTokens(j.taken), "byHand", j.manual)
}

func (l *eventLog) made(j *job, r *Result, took time.Duration) {
	l.detail(&j.decision, made, "summaryTokens", j.count(r.Summary), "takenTokens", countTokens(j.taken),
		"took", took.String(), "instead", string(r.Instead))
}

// sentences reports whether the events of a decision are the sentences of
// message-count compaction, which hold their numbers themselves.
func (l *eventLog) sentences(d *Decision) bool { return d.byCountAlone() && l.chinese() }

func (l *eventLog) triggered(d Decision) {
	if l.sentences(&d) {
		l.line(slog.LevelInfo, fmt.Sprintf("history 达到 %d 条，触发压缩（窗口: %d 条）", d.Usage.Messages, l.cfg.Batch))
		return
	}
	fields := []any{
		"usedTokens", d.Usage.Used, "usagePercent", d.Usage.Percent(), "messageCount", d.Usage.Messages,
		"threshold", share100(l.cfg.Threshold),
	}
	if d.ByCount {
		fields = append(fields, "countThreshold", l.cfg.MaxCount)
	}
	l.write(triggered, fields...)
}

func (l *eventLog) applied(j *job, r *Result) {
	n := utf8.RuneCountInString(r.Summary)
	if !l.sentences(&j.decision) {
		l.write(applied, "beforeCount", r.OriginalCount, "afterCount", r.NewCount, "compressed", true, "summaryLength", n)
		return
	}
	if l.cfg.CountCompat.Bytes {
		n = len(r.Summary)
	}
	l.line(slog.LevelDebug, fmt.Sprintf("摘要生成成功（%d字符）", n))
	l.line(slog.LevelInfo, fmt.Sprintf("history 压缩完成: %d 条 → %d 条", r.OriginalCount, r.NewCount))
}

func (l *eventLog) failed(j *job, err error) {
	_, broke := errors.AsType[*compaction.PanicError](err)
	switch {
	case l.sentences(&j.decision):
		l.line(slog.LevelWarn, "摘要生成失败，回退到硬截断: "+l.errorText(err))
	case broke:
		l.write(panicked, "error", l.errorText(err), "willContinue", true)
	default:
		l.write(failed, "reason", l.errorText(err), "willWaitForHardLimit", true)
	}
}

// errorText is an error as the log may hold it. Only the first authors' program
// logs foreign errors word for word: a provider's may repeat what it was sent.
// One that implements [slog.LogValuer] decides itself what may
// be logged of it.
func (l *eventLog) errorText(err error) string {
	if l.compat() {
		return err.Error()
	}
	for _, ours := range []error{
		ErrTimeout, ErrCancelled, compaction.ErrStillAsked, ErrNotSmaller, ErrChanged, ErrInactive,
		summarize.ErrBlank, summarize.ErrEmpty,
	} {
		if errors.Is(err, ours) {
			return ours.Error()
		}
	}
	var v slog.LogValuer
	if errors.As(err, &v) {
		return v.LogValue().Resolve().String()
	}
	if broke, ok := errors.AsType[*compaction.PanicError](err); ok {
		return fmt.Sprintf("panic (%T)", broke.Value)
	}
	return fmt.Sprintf("%T", err)
}

func (l *eventLog) truncated(before, after, gone, short int) {
	if l.cfg.CountCompat.Trim {
		return // theirs has no such event
	}
	fields := []any{"beforeCount", before, "afterCount", after, "removedCount", gone}
	if short > 0 {
		fields = append(fields, "shortenedCount", short)
	}
	l.write(truncated, fields...)
}

func (l *eventLog) rejected(limit int64) {
	if !l.compat() { // theirs leaves that to the caller
		l.write(rejected, "usedTokens", l.mem.used(), "maxTokens", limit)
	}
}

// inactive says once that nothing will happen without a model, unless it is active.
func (l *eventLog) inactive(active bool) {
	if !active && l.cfg.Enabled && !l.warned && !l.compat() {
		l.warned = true
		l.write(inactive)
	}
}
