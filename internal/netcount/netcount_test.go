package netcount

import (
	"net/http"
	"testing"
)

// A request is counted, and what is not asked for is not.
func TestRequestsAreCounted(t *testing.T) {
	Test(t, func(t *testing.T, connections func() int) {
		if n := connections(); n != 0 {
			t.Errorf("%d connections before any", n)
		}
		if resp, err := http.Get(Endpoint); err == nil {
			resp.Body.Close()
			t.Error("an endpoint that is none has answered")
		}
		if n := connections(); n == 0 {
			t.Error("a request is not counted")
		}
	})
}
