// Package agents keeps the conversation of a person with several agents that
// may call each other: one shared history, and a context for each agent.
//
//	journal   1 called "" | 2 called A | 3 tool-called A | 4 called B | 5 responded B | …
//	            │            │            │               └───────────┴─ context of B
//	            │            └────────────┴─ context of A
//	            └─ shared history
//
// A [Conversation] decides each change on the state it has and writes it as
// numbered events to a [model.Journal]; only then does the change become the state.
// Writers that are behind the journal write nothing, read what they missed and
// decide again, so goroutines and processes lose nothing.
//
// A whole program:
//
//	package main
//
//	import (
//		"context"
//		"fmt"
//		"log"
//		"time"
//
//		"palimpsest/compaction/agents"
//	)
//
//	func main() {
//		ctx := context.Background()
//		c, err := agents.Open(ctx, "weather", agents.Options{Now: time.Now}) // with a Journal it is kept
//		if err != nil {
//			log.Fatal(err)
//		}
//		err = c.Execute(ctx, agents.Task{ID: "1", Agent: "A", Input: "Will it rain?"},
//			func(ctx context.Context, respond func(agents.Response) error) error {
//				return respond(agents.Response{Final: "No."})
//			}, nil)
//		if err != nil {
//			log.Fatal(err)
//		}
//		fmt.Println(c.History().Stats().Messages, "messages")
//	}
package agents
