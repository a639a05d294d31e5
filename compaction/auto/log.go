package auto

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"palimpsest/compaction/summarize"
)

// logEvents are the words of the log (spec C13, D20). Fields have the same
// names in every language.
type logEvents struct {
	triggered, done, failed, panicked    string
	truncating, truncated, truncateError string
	rejected, inactive                   string
}

var chineseEvents = &logEvents{
	triggered: "触发自动压缩", done: "自动压缩完成", failed: "自动压缩失败，忽略本次压缩", panicked: "自动压缩异常",
	truncating: "tokens 超过硬性限制，开始截断消息历史", truncated: "消息历史截断完成", truncateError: "截断消息历史失败",
	rejected: "截断后仍超过硬性限制，拒绝调用", inactive: "未配置摘要模型，自动压缩不生效",
}

var englishEvents = &logEvents{
	triggered: "automatic compaction triggered", done: "automatic compaction done", failed: "automatic compaction failed, nothing is changed by it",
	panicked:   "automatic compaction broke off",
	truncating: "tokens above the hard limit, the history is truncated", truncated: "history truncated", truncateError: "truncating the history failed",
	rejected: "still above the hard limit, the call is refused", inactive: "no summary model is configured, automatic compaction is inactive",
}

// compat reports whether the log is that of the first authors, and holds no
// event that theirs does not.
func (a *Compactor) compat() bool { return a.cfg.CountCompat.any() || a.cfg.ShareCompat.any() }

// chinese reports whether the log speaks Chinese.
func (a *Compactor) chinese() bool { return a.compat() || a.cfg.lang() == summarize.Chinese }

func (a *Compactor) events() *logEvents {
	if a.chinese() {
		return chineseEvents
	}
	return englishEvents
}

// write is called with the lock held. A log that breaks breaks nothing else.
func (a *Compactor) write(l slog.Level, text string, fields ...any) {
	defer func() { _ = recover() }()
	a.log.Log(context.Background(), l, text, fields...)
}

// agentField goes before the fields of an event.
func (a *Compactor) agentField(fields ...any) []any {
	return append([]any{"agentId", a.agent}, fields...)
}

// sentences reports whether the events of a decision are the sentences of
// message-count compaction (spec C13), which hold their numbers themselves.
func (a *Compactor) sentences(d *Decision) bool { return d.byCountAlone() && a.chinese() }

func (a *Compactor) logTriggered(d Decision) {
	if a.sentences(&d) {
		a.write(slog.LevelInfo, fmt.Sprintf("history 达到 %d 条，触发压缩（窗口: %d 条）", d.Usage.Messages, a.cfg.Batch))
		return
	}
	fields := []any{"usedTokens", d.Usage.Used, "usagePercent", d.Usage.Percent(), "messageCount", d.Usage.Messages, "threshold", share100(a.cfg.Threshold)}
	if d.ByCount {
		fields = append(fields, "countThreshold", a.cfg.MaxCount)
	}
	a.write(slog.LevelInfo, a.events().triggered, a.agentField(fields...)...)
}

func (a *Compactor) logDone(j *job, r *Result) {
	if a.sentences(&j.decision) {
		n := runes(r.Summary)
		if a.cfg.CountCompat.Bytes {
			n = len(r.Summary)
		}
		a.write(slog.LevelDebug, fmt.Sprintf("摘要生成成功（%d字符）", n))
		a.write(slog.LevelInfo, fmt.Sprintf("history 压缩完成: %d 条 → %d 条", r.OriginalCount, r.NewCount))
		return
	}
	a.write(slog.LevelInfo, a.events().done, a.agentField(
		"beforeCount", r.OriginalCount, "afterCount", r.NewCount, "compressed", true, "summaryLength", runes(r.Summary))...)
}

func (a *Compactor) logFailed(j *job, err error) {
	var broke *panicError
	switch {
	case a.sentences(&j.decision):
		a.write(slog.LevelWarn, "摘要生成失败，回退到硬截断: "+a.errorText(err))
	case errors.As(err, &broke):
		a.write(slog.LevelError, a.events().panicked, a.agentField("error", a.errorText(err), "willContinue", true)...)
	default:
		a.write(slog.LevelWarn, a.events().failed, a.agentField("reason", a.errorText(err), "willWaitForHardLimit", true)...)
	}
}

// errorText is an error as the log may hold it. Only the first authors' program
// logs foreign errors word for word: a provider's may repeat what it was sent
// (spec D18, F65). One that implements [slog.LogValuer] says itself what may be
// logged of it.
func (a *Compactor) errorText(err error) string {
	if a.compat() {
		return err.Error()
	}
	for _, own := range []error{
		ErrTimeout, ErrCancelled, ErrStillAsked, ErrNotSmaller, ErrChanged, ErrInactive,
		summarize.ErrBlank, summarize.ErrEmpty,
	} {
		if errors.Is(err, own) {
			return own.Error()
		}
	}
	var speaks slog.LogValuer
	if errors.As(err, &speaks) {
		return speaks.LogValue().Resolve().String()
	}
	var broke *panicError
	if errors.As(err, &broke) {
		return fmt.Sprintf("panic (%T)", broke.value)
	}
	return fmt.Sprintf("%T", err)
}

func (a *Compactor) logTruncating(used, limit int64) {
	a.write(slog.LevelWarn, a.events().truncating, a.agentField("messageCount", len(a.mem.runtime), "usedTokens", used, "maxTokens", limit)...)
}

func (a *Compactor) logTruncated(before, after, short int) {
	if a.cfg.CountCompat.Trim {
		return // theirs says nothing of it
	}
	fields := []any{"beforeCount", before, "afterCount", after, "removedCount", before - after}
	if short > 0 {
		fields = append(fields, "shortenedCount", short)
	}
	a.write(slog.LevelWarn, a.events().truncated, a.agentField(fields...)...)
}

func (a *Compactor) logTruncateFailed(err error) {
	a.write(slog.LevelError, a.events().truncateError, a.agentField("error", a.errorText(err))...)
}

func (a *Compactor) logRejected(used, limit int64) {
	if a.compat() {
		return // theirs leaves that to the caller
	}
	a.write(slog.LevelWarn, a.events().rejected, a.agentField("usedTokens", used, "maxTokens", limit)...)
}

// warnInactive says once that nothing will happen without a model (spec K8).
func (a *Compactor) warnInactive() {
	if a.cfg.Enabled && !a.active() && !a.warned && !a.compat() {
		a.warned = true
		a.write(slog.LevelWarn, a.events().inactive, a.agentField()...)
	}
}
