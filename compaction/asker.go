package compaction

import (
	"context"
	"errors"
	"fmt"
)

// Asker asks a summary model, whose code is handed in and not trusted. The
// model runs in a goroutine of its own, so
//
//   - a panic of it is a [*PanicError];
//   - a model that ignores its context is waited for only until that ends;
//   - while it has not returned nobody else is asked, so never more than one
//     goroutine is left behind.
type Asker chan struct{} // holds one while a model has not returned

// NewAsker returns an asker that is free.
func NewAsker() Asker { return make(Asker, 1) }

// ErrStillAsked says that an earlier call of the model has not returned.
var ErrStillAsked = errors.New("an earlier summariser has not returned yet")

// PanicError is a panic of code that was handed in.
type PanicError struct{ Value any }

func (e *PanicError) Error() string { return fmt.Sprint(e.Value) }

// Ask returns what model returns, or the error of ctx if that ends first. While
// an earlier call has not returned it is [ErrStillAsked]: at once, or with wait
// when ctx ends.
func (a Asker) Ask(ctx context.Context, wait bool, model func(context.Context) (string, error)) (string, error) {
	if !a.take(ctx, wait) {
		return "", ErrStillAsked
	}
	type reply struct {
		text string
		err  error
	}
	replies := make(chan reply, 1)
	go func() {
		var r reply
		defer func() {
			if v := recover(); v != nil {
				r = reply{err: &PanicError{v}}
			}
			<-a
			replies <- r
		}()
		r.text, r.err = model(ctx)
	}()
	select {
	case r := <-replies:
		return r.text, r.err
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

func (a Asker) take(ctx context.Context, wait bool) bool {
	select {
	case a <- struct{}{}:
		return true
	default:
		if !wait {
			return false
		}
	}
	select {
	case a <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}
