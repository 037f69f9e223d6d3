package memory

import (
	"math"
	"os"
	"runtime/debug"
	"sync/atomic"
	"time"
)

// ownLimit reports that Watch has set the limit of the Go runtime.
var ownLimit atomic.Bool

const (
	// collectShare is the share of the room at the start within which the garbage collector keeps the heap, as far as
	// it can.
	collectShare = 0.8
	// reserve is the room at which Watch calls, bytes: what may be taken between two looks.
	reserve = 48e6
	// period is the time between two looks.
	period = 20 * time.Millisecond
)

// Watch looks at the room of a process that has a limit of its own, and calls lacks when it is used up, as happens to
// work that no estimate was made for. Without such a limit it does nothing. The garbage collector then works as hard as
// the limit asks for.
func Watch(lacks func(Room)) {
	if !Limited() {
		return
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		if r := Available(); !math.IsInf(r.Free, 1) {
			_, total := heap()
			ownLimit.Store(true)
			debug.SetMemoryLimit(int64(total + collectShare*math.Max(0, r.Free)))
		}
	}
	go func() {
		for {
			if r := Available(); r.Free < math.Min(reserve, 0.05*r.Limit) {
				lacks(r)
			}
			time.Sleep(period)
		}
	}()
}
