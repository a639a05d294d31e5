// Package historyitem reads and writes Codex history items: what agents that
// keep their contexts as JSON lists put into them.
//
// An item is spelled in one of two forms. Wrapped, the form in which contexts
// are kept:
//
//	{"message": {"role": "user", "content": [{"text": "…"}]}}
//	{"function_call": {"call_id": "…", "name": "…", "arguments": "…"}}
//	{"function_call_output": {"call_id": "…", "output": "…"}}
//
// and flat, the form in which Codex itself and the Responses API spell them:
//
//	{"type":"message","role":"user","content":[{"type":"input_text","text":"…"}]}
//	{"type":"function_call","name":"…","arguments":"…","call_id":"…"}
//	{"type":"function_call_output","call_id":"…","output":"…"}
//
// An [Item] is its spelling: reading and writing never changes a byte of it, so
// that unknown kinds and members, number spellings and lone surrogates survive.
//
// The package is separate from transcript because contexts are also made and
// kept without any document: package compaction appends items, a database keeps
// them. It knows JSON spans and the statistics of package model.
package historyitem
