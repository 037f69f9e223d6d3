package geometry

import (
	"errors"
	"sync/atomic"
	"testing"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/workers"
)

// heapOfBoxes is a row of boxes of 1 m, each 0.9 m from its neighbours in a row: four contacts or more each two.
func heapOfBoxes(n int) *Data {
	m := &Model{NumRigid: n}
	for i := range n {
		m.Geoms = append(m.Geoms, Geom{Body: i, X_BG: r3.PoseIdentity(), Shape: &Box{Half: r3.Vec{0.5, 0.5, 0.5}}})
	}
	d := NewData(m)
	for i := range n {
		d.X_WB[i].P = r3.Vec{0.9 * float64(i), 0, 0}
	}
	return d
}

// A detection with more contacts than may be ends with the bodies at which it had too many, the same ones for any
// number of threads; with as many as may be it is whole.
func TestTooManyContactsEndADetection(t *testing.T) {
	all := len(heapOfBoxes(200).Collide())
	var want *TooManyError
	for _, threads := range []int{1, 3} {
		pool := workers.NewPool(threads)
		defer pool.Close()
		for _, most := range []int{all, all - 1, 5} {
			d := heapOfBoxes(200)
			d.Pool, d.manyItems = pool, most
			found := d.Collide()
			err := d.Err()
			if most == all {
				if err != nil || len(found) != all {
					t.Errorf("%d of %d: %v", len(found), all, err)
				}
				continue
			}
			var many *TooManyError
			if !errors.As(err, &many) || many.Limit != most || many.B != many.A+1 {
				t.Fatalf("%d threads, bound %d: %v", threads, most, err)
			}
			if most == 5 {
				if want == nil {
					want = many
				}
				if *many != *want {
					t.Errorf("%+v, on one thread %+v", many, want)
				}
			}
			// the next detection is as if there had been none
			d.halt.most = int64(all)
			if found := d.Collide(); d.Err() != nil || len(found) != all {
				t.Errorf("afterwards %d contacts of %d: %v", len(found), all, d.Err())
			}
		}
	}
}

// A detection that is interrupted anywhere says so, and leaves no trace in the next one.
func TestInterruptedDetections(t *testing.T) {
	d := heapOfBoxes(200)
	all := len(d.Collide())
	var asked, allowed atomic.Int64
	d.Interrupted = func() bool { return asked.Add(1) > allowed.Load() }
	for _, n := range []int64{0, 1, 17, 100} {
		asked.Store(0)
		allowed.Store(n)
		if d.Collide(); !errors.Is(d.Err(), ErrInterrupted) {
			t.Fatalf("asked %d times: %v", n, d.Err())
		}
		allowed.Store(1 << 60)
		if found := d.Collide(); d.Err() != nil || len(found) != all {
			t.Errorf("afterwards %d contacts of %d: %v", len(found), all, d.Err())
		}
	}
}
