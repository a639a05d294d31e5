// Package agent keeps the history of an agent that talks to a model through
// go-openai within its context window: it puts automatic compaction (package
// auto) between the agent and its client.
//
//	program            OpenAI                     openai.Client
//	CreateChatCompletion(req) ──▶ what is new ──▶ history
//	                              compact, hold the limit
//	                              the shorter list ───────▶ request
//	answer ◀── usage, answer ──── history, saved ◀──────── response
//
// A whole program:
//
//	package main
//
//	import (
//		"context"
//		"fmt"
//		"log"
//		"os"
//
//		"github.com/sashabaranov/go-openai"
//
//		"palimpsest/compaction/summarize/remote/agent"
//	)
//
//	func main() {
//		client, err := agent.ForOpenAI(openai.NewClient(os.Getenv("OPENAI_API_KEY")), "gpt-4o", agent.Folder("agents"))
//		if err != nil {
//			log.Fatal(err)
//		}
//		req := openai.ChatCompletionRequest{Model: "gpt-4o", Messages: []openai.ChatCompletionMessage{
//			{Role: "system", Content: "You are careful."}, {Role: "user", Content: "Hello."},
//		}}
//		answer, err := client.CreateChatCompletion(context.Background(), req)
//		if err != nil {
//			log.Fatal(err)
//		}
//		fmt.Println(answer.Choices[0].Message.Content)
//	}
//
// The folder then holds agents/agent.json, a file of the format agent-state,
// which the window and the verbs open: the full history, the list that is sent,
// and every compaction with its originals.
package agent
