package model

import (
	"testing"
	"time"
)

// When the trigger fires is estimated from the growth since the last compaction.
func TestLiveLeft(t *testing.T) {
	left := func(trigger int, course ...int) (int, bool) {
		s := &LiveSession{Trigger: trigger}
		for i, n := range course {
			s.Called(n, 2*(i+1))
		}
		return s.Left()
	}
	for _, c := range []struct {
		trigger, want int
		known         bool
		course        []int
	}{
		{100, 12, true, []int{20, 40, 40}}, {100, 0, false, []int{20, 40}}, {0, 0, false, []int{1, 2, 3}},
		{100, 0, true, []int{50, 70, 120}}, {100, 0, false, []int{20, 20, 20}}, {100, 0, false, []int{80, 90, 20, 30}},
		{100, 12, true, []int{80, 90, 20, 30, 40}},
	} {
		if n, known := left(c.trigger, c.course...); n != c.want || known != c.known {
			t.Errorf("%v: %d %v instead of %d %v", c.course, n, known, c.want, c.known)
		}
	}
	s := &LiveSession{}
	for i := range 100 {
		s.Called(i, i)
	}
	if len(s.Course) != LiveCourse || len(s.At) != LiveCourse || s.Course[LiveCourse-1] != 99 || s.Calls != 100 {
		t.Errorf("%+v", s)
	}
}

// A session that several see is one, and a silent one is none.
func TestRunning(t *testing.T) {
	now := time.Now()
	list := Running([]LiveSession{
		{ID: "a", Path: "/1", Source: LiveFolder, Changed: now},
		{ID: "b", Path: "/2", Source: LiveHook, Changed: now},
		{ID: "c", Path: "/1", Source: LiveGateway, Changed: now.Add(-time.Minute)},
		{ID: "d", Path: "/2", Source: LiveFolder, Changed: now},
		{ID: "e", Path: "/3", Source: LiveGateway, Changed: now.Add(-LiveFor - time.Second)},
	}, now)
	if len(list) != 2 || list[0].ID != "c" || list[1].ID != "b" {
		t.Errorf("%+v", list)
	}
}
