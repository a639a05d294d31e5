package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/sashabaranov/go-openai"
)

// Kind says what went wrong, for a program to act on.
type Kind string

const (
	Misconfigured Kind = "misconfigured" // no usable address, model or key
	Unreachable   Kind = "unreachable"   // no connection
	Unauthorised  Kind = "unauthorised"  // 401, 403
	NoModel       Kind = "no-model"      // 404: the model or the path
	TooLarge      Kind = "too-large"     // 413, or the context is exceeded
	Limited       Kind = "limited"       // 429
	ServerError   Kind = "server-error"  // 5xx
	BadRequest    Kind = "bad-request"   // any other 4xx
	TimedOut      Kind = "timed-out"     // the attempt's time was over
	Broken        Kind = "broken"        // reset or ended in the middle
	Garbled       Kind = "garbled"       // not what the protocol says
	NoAnswer      Kind = "no-answer"     // choices, but no text
	TooLong       Kind = "too-long"      // more text than any summary has
	Paused        Kind = "paused"        // the breaker is open
	Stopped       Kind = "cancelled"     // the caller's context is done
)

// Failure is an error of a call. Said is what the server said in its own
// words, at most saidRunes code points and without the key; it may be "".
type Failure struct {
	Kind   Kind
	Status int           // of the HTTP answer; 0: none came
	After  time.Duration // what the server asked to wait; 0: nothing
	Tries  int           // attempts made
	Said   string
	Err    error // the cause, for errors.Is; its text may hold addresses
}

const saidRunes = 300

func (f *Failure) Error() string {
	s := reasons[f.Kind]
	if f.Status != 0 {
		s += fmt.Sprintf(" (status %d)", f.Status)
	}
	if f.Said != "" {
		s += ": " + f.Said
	}
	if cause := f.Cause(); cause != nil {
		s += ": " + cause.Error()
	}
	return s
}

// written is how Error writes a failure.
var written = regexp.MustCompile(`(?s)^(?: \(status (\d+)\))?(?:: (.*))?$`)

// FailureIn reads a failure that was written down as Error writes it; nil: it is none.
func FailureIn(text string) *Failure {
	for kind, reason := range reasons {
		rest, ok := strings.CutPrefix(text, reason)
		m := written.FindStringSubmatch(rest)
		if !ok || m == nil {
			continue
		}
		f := &Failure{Kind: kind, Said: m[2]}
		f.Status, _ = strconv.Atoi(m[1])
		if cause := FailureIn(f.Said); kind == Paused && cause != nil {
			f.Said, f.Err = "", cause
		}
		return f
	}
	return nil
}

// Cause is the failure that a Paused one follows from; nil for any other.
func (f *Failure) Cause() *Failure {
	var cause *Failure
	if f.Kind != Paused || !errors.As(f.Err, &cause) {
		return nil
	}
	return cause
}

// LogValue is what a log keeps: the kind and the status. What a server says may
// hold words of the prompt.
func (f *Failure) LogValue() slog.Value {
	return slog.GroupValue(slog.String("kind", string(f.Kind)), slog.Int("status", f.Status))
}

func (f *Failure) Unwrap() error { return f.Err }

var reasons = map[Kind]string{
	Misconfigured: "the endpoint is not set up",
	Unreachable:   "the server did not answer",
	Unauthorised:  "the server did not accept the key",
	NoModel:       "the server does not know the model or the address",
	TooLarge:      "the request is larger than the model takes",
	Limited:       "the server says that there were too many requests",
	ServerError:   "the server failed",
	BadRequest:    "the server refused the request",
	TimedOut:      "no complete answer came in time",
	Broken:        "the connection broke before the answer was complete",
	Garbled:       "the server answered something that is no answer of this protocol",
	NoAnswer:      "the answer holds no text",
	TooLong:       "the answer did not end",
	Paused:        "the server failed several times in a row and is left alone for a while",
	Stopped:       "cancelled",
}

// again reports whether another attempt could end otherwise.
func (f *Failure) again() bool {
	switch f.Kind {
	case Limited, ServerError, TimedOut, Broken, Unreachable, Garbled, NoAnswer:
		return true
	}
	return false
}

// classify turns what the library, the network or we said into a Failure.
// outer is the caller's context: its end is not the server's fault.
func classify(outer context.Context, err error, seen *exchange) *Failure {
	var done *Failure
	switch {
	case outer.Err() != nil:
		return &Failure{Kind: Stopped, Err: context.Cause(outer)}
	case errors.As(err, &done):
		return done
	}
	f := &Failure{Kind: Broken, Status: seen.status, After: seen.after, Err: err}
	var api *openai.APIError
	var req *openai.RequestError
	var syntax *json.SyntaxError
	var wrongType *json.UnmarshalTypeError
	var netErr net.Error
	switch {
	case errors.As(err, &api):
		f.Said = api.Message
		f.Kind = kindOf(f.Status, fmt.Sprint(api.Code), api.Type)
	case errors.As(err, &req):
		f.Kind = kindOf(f.Status, "", "")
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &netErr) && netErr.Timeout():
		f.Kind = TimedOut
	case errors.As(err, &syntax), errors.As(err, &wrongType), errors.Is(err, openai.ErrTooManyEmptyStreamMessages):
		f.Kind = Garbled
	case seen.status == 0 && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, syscall.ECONNRESET) && !errors.Is(err, io.EOF):
		f.Kind = Unreachable
	case errors.Is(err, io.EOF) && seen.status == http.StatusOK && seen.read == 0:
		f.Kind = NoAnswer
	}
	return f
}

func kindOf(status int, code, typ string) Kind {
	switch {
	case code == "context_length_exceeded", status == http.StatusRequestEntityTooLarge:
		return TooLarge
	case code == "model_not_found", status == http.StatusNotFound:
		return NoModel
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return Unauthorised
	case status == http.StatusTooManyRequests:
		return Limited
	case status == http.StatusRequestTimeout:
		return TimedOut
	case status >= 500, typ == "server_error":
		return ServerError
	case status >= 400:
		return BadRequest
	case status == http.StatusOK: // an error event in the middle of a stream
		return ServerError
	}
	return Garbled
}
