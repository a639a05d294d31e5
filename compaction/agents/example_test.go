package agents

import (
	"context"
	"fmt"

	"palimpsest/compaction/summarize"
)

// A person asks agent A, which asks agent B. Each of them has a context of its
// own; the shared history holds what the person was told.
func ExampleConversation() {
	ctx := context.Background()
	c, err := Open(ctx, "weather", Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	task := Task{ID: "1", Agent: "A", Input: "帮我查北京天气"}
	err = c.Execute(ctx, task, func(ctx context.Context, respond func(Response) error) error {
		ask := Task{ID: "1.1", Agent: "B", Input: "查询北京天气", Caller: "A"}
		if err := c.Begin(ctx, ask); err != nil {
			return err
		}
		fmt.Println(c.Agents().State("A", summarize.Auto))
		if _, err := c.Finish(ctx, ask.ID, "晴，25°C"); err != nil {
			return err
		}
		return respond(Response{Final: "北京今天晴天，温度25°C"})
	}, nil)
	if err != nil {
		fmt.Println(err)
	}
	fmt.Println(c.Agents().State("A", summarize.Auto))
	fmt.Println(c.Agents().State("B", summarize.English))
	for _, it := range c.History().Context().Items {
		fmt.Println(it.Raw())
	}
	// Output:
	// 输入: 帮我查北京天气 | 调用工具: call_agent
	// 输入: 帮我查北京天气 | 输出: 北京今天晴天，温度25°C
	// Input: 查询北京天气 | Output: 晴，25°C
	// {"message": {"role": "user", "content": [{"text": "帮我查北京天气"}]}}
	// {"message": {"role": "assistant", "content": [{"text": "北京今天晴天，温度25°C"}]}}
}
