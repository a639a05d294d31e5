// Package auto compacts the history of a running agent before its calls, as a
// policy says: by number of messages or by share of the context window.
//
//	agent          Compactor
//	Append ──────▶ memory: full history, runtime list
//	BeforeCall ──▶ decider: measure usage, does a clause fire, what goes?
//	                 │ it acts
//	                 ▼
//	               job: a snapshot of what goes ──▶ summary model, else a fallback
//	                 │                              (the lock is not held)
//	                 ▼
//	               apply: the summary replaces it in the runtime list
//	                 │
//	                 ▼
//	               hold the limit: leave out, shorten, or refuse
//	◀── Messages ────┘
//	ReportUsage ─▶ memory: what the provider counted
//
// A [Compactor] may be used by any number of goroutines. It starts one for each
// question to a summary model, which lives until that model returns, and one for
// a summary made in the background. Its clock, its model and its journal are handed
// in.
//
// A whole program, whose summaries need no model:
//
//	package main
//
//	import (
//		"context"
//		"fmt"
//		"log"
//
//		"palimpsest/compaction/auto"
//		"palimpsest/compaction/summarize/remote/agent"
//		"palimpsest/model"
//	)
//
//	func main() {
//		cfg := auto.DefaultConfig()
//		cfg.Strategy, cfg.AgentName = model.NoteText, "gpt-4o"
//		a, err := auto.New(cfg, auto.Options{Agent: "deployer", Clock: agent.SystemClock{}})
//		if err != nil {
//			log.Fatal(err)
//		}
//		a.Append(auto.ChatMessage{Role: "user", Content: "Deploy it."})
//		call := a.BeforeCall(context.Background())
//		if call.Refused {
//			log.Fatal(call.Err)
//		}
//		fmt.Println(len(call.Messages), "messages to send")
//	}
package auto
