package cli

import (
	"fmt"
	"time"

	"palimpsest/compaction/summarize/remote/trial"
)

// trialServerCmd starts a server that misbehaves on request, to drive the
// window and the verbs against by hand. It listens on this machine alone.
type trialServerCmd struct {
	Addr string        `default:"127.0.0.1:0" placeholder:"HOST:PORT" help:"Address of this machine to listen at; port 0 takes a free one."`
	Pace time.Duration `default:"30ms" help:"Time between two words of a slow stream."`
}

func (c *trialServerCmd) Run(a *app) error {
	s, err := trial.Listen(c.Addr)
	if err != nil {
		return usage("%s", sentence(err)+".")
	}
	defer s.Close()
	s.Pace = c.Pace
	fmt.Fprintln(a.out, s.URL())
	fmt.Fprintln(a.out, "Models, each a way to behave (name@2 misbehaves twice, then answers):")
	for _, b := range trial.Behaviours() {
		fmt.Fprintln(a.out, "  "+b)
	}
	<-a.ctx.Done()
	return nil
}
