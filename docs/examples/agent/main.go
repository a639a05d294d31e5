// Command agent talks to a model over any server that speaks OpenAI's protocol,
// a line of input a turn. Its history stays within the context window; the folder
// agents holds it, and opens in Palimpsest.
//
//	agent --url http://localhost:11434/v1 --model small-model
package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"os"

	"github.com/sashabaranov/go-openai"

	"palimpsest/compaction/auto"
	"palimpsest/compaction/summarize/remote/agent"
)

func main() {
	url := flag.String("url", "https://api.openai.com/v1", "the server")
	model := flag.String("model", "gpt-4o", "the model")
	folder := flag.String("agents", "agents", "where the history is kept")
	flag.Parse()
	conf := openai.DefaultConfig(os.Getenv("OPENAI_API_KEY"))
	conf.BaseURL = *url
	client, err := open(conf, *model, *folder)
	if err == nil {
		err = talk(context.Background(), client, *model, os.Stdin, os.Stdout)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// open goes on with the conversation that the folder holds.
func open(conf openai.ClientConfig, model, folder string) (*agent.OpenAI, error) {
	return agent.ForOpenAI(openai.NewClientWithConfig(conf), model, agent.Folder(folder),
		agent.Configured(func(c *auto.Config) {
			c.KeepFirstUser = true              // what the person asked for first stays word for word
			c.OnFailure = "extract"             // while the model is down, summaries are made without it
			c.MaxCount, c.KeepRecent = 40, 10   // also compact at 40 messages
			c.Threshold, c.KeepShare = 0.8, 0.3 // or when 80 % of the window is full
		}))
}

// talk answers each line that is read.
func talk(ctx context.Context, client *agent.OpenAI, model string, in io.Reader, out io.Writer) error {
	var list []openai.ChatCompletionMessage
	for _, m := range client.History() {
		known, err := agent.ToOpenAI(m)
		if err != nil {
			return err
		}
		list = append(list, known)
	}
	if len(list) == 0 {
		list = append(list, openai.ChatCompletionMessage{Role: "system", Content: "You are a careful assistant."})
	}
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		list = append(list, openai.ChatCompletionMessage{Role: "user", Content: lines.Text()})
		answer, err := client.CreateChatCompletion(ctx, openai.ChatCompletionRequest{Model: model, Messages: list})
		if err != nil {
			return err
		}
		list = append(list, answer.Choices[0].Message)
		fmt.Fprintf(out, "%s\n[%d messages said, %d sent, %d compactions]\n", answer.Choices[0].Message.Content,
			len(list), len(client.Messages()), len(client.Records()))
	}
	return lines.Err()
}
