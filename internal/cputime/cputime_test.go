package cputime

import (
	"testing"
	"time"
)

// Work counts, and sleep does not.
func TestWorkCounts(t *testing.T) {
	if !Known {
		t.Skip("not known on this system")
	}
	begin := Used()
	time.Sleep(50 * time.Millisecond)
	slept := Used()
	for Used()-slept < 30*time.Millisecond {
	}
	if slept-begin > 40*time.Millisecond {
		t.Errorf("%v in a sleep of 50 ms", slept-begin)
	}
}
