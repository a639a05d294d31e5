package queue

import (
	"context"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"palimpsest/cli/batch"
	"palimpsest/internal/pgserver"
)

// put puts files into a queue and returns which jobs are new.
func put(t *testing.T, q batch.Queue, key string, list ...batch.File) (isNew []bool) {
	t.Helper()
	next := func() (batch.File, error) {
		if len(list) == 0 {
			return batch.File{}, io.EOF
		}
		f := list[0]
		list = list[1:]
		return f, nil
	}
	err := q.Put(t.Context(), batch.Call{Key: key, Text: []byte(`{"of":"` + key + `"}`)}, next, func(_ batch.File, fresh bool) { isNew = append(isNew, fresh) })
	if err != nil {
		t.Fatal(err)
	}
	return isNew
}

// The files of a batch are handed out once each, with their bytes and the call; a file that
// can't be done is named with the reason and tried no more; and files that no worker has begun
// can be taken out.
func TestJobsAreHandedOut(t *testing.T) {
	q, err := Open(t.Context(), pgserver.Start(t)+"/postgres")
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	a, b, bad := batch.File{Path: "a", SHA256: "1", Data: []byte("A")}, batch.File{Path: "b", SHA256: "2"}, batch.File{Path: "bad", SHA256: "3", Data: []byte("?")}
	if got := put(t, q, "k", a, b, a, bad); !slices.Equal(got, []bool{true, true, false, true}) {
		t.Errorf("new are %v", got)
	}
	if got := put(t, q, "other", a); !slices.Equal(got, []bool{true}) {
		t.Error("the same file is no job of another batch")
	}
	if c, err := q.Counts(t.Context()); err != nil || c.Waiting != 4 || c.Left() != 4 {
		t.Fatalf("%+v, %v", c, err)
	}
	if err := q.Drop(t.Context(), "other"); err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	did := map[string]string{}
	err = q.Work(t.Context(), batch.Worker{Jobs: 2, Limit: time.Minute, Do: func(_ context.Context, j batch.Job) (string, error) {
		mu.Lock()
		defer mu.Unlock()
		did[j.Path] += string(j.Data) + strings.ReplaceAll(string(j.Call), " ", "")
		if j.Path == "bad" {
			return "", batch.Bad{Err: errors.New("it holds nothing")}
		}
		return "applied", nil
	}}, true)
	if err != nil {
		t.Fatal(err)
	}
	if want := map[string]string{"a": `A{"of":"k"}`, "b": `{"of":"k"}`, "bad": `?{"of":"k"}`}; !maps.Equal(did, want) {
		t.Errorf("done: %v", did)
	}
	by, err := q.ByBatch(t.Context())
	if c := by["k"]; err != nil || len(by) != 1 || c.Done["applied"] != 2 || c.Failed != 1 || c.Left() != 0 {
		t.Errorf("%+v, %v", by, err)
	}
	list, err := q.Failures(t.Context(), "k", 5)
	if err != nil || len(list) != 1 || list[0].Path != "bad" || list[0].Why != "it holds nothing" {
		t.Errorf("failed: %+v, %v", list, err)
	}
	if got := put(t, q, "k", a, bad); !slices.Equal(got, []bool{false, true}) {
		t.Errorf("put in again, new are %v: what is done is not, what failed is", got)
	}
	if got := put(t, q, "other", a); !slices.Equal(got, []bool{true}) {
		t.Error("what was taken out can't be put in again")
	}
}
