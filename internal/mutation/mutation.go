// Package mutation feeds readers of files with files that are damaged at random. It is for tests.
//
// Go's own fuzzer makes few inputs a second: it passes each between processes, counts the code that
// each reaches, and shortens what it finds in a time that grows with the square of the length. Fuzz
// runs it all the same, for the code that it finds; but with CURLFREE_FUZZ_N=n it makes n inputs in a
// loop of its own, by tens of thousands a second. Inputs with a new outcome, by the words that the
// reader has for it, become seeds of further ones: they have passed the checks of the reader so far.
package mutation

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/metrics"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/curlfree/curlfree/internal/cputime"
)

// Limits of one input.
const (
	// MaxTime is how long a reader may take, of processor time where that is known.
	MaxTime = 10 * time.Second
	// MaxBytes is how much memory a reader may require, in total.
	MaxBytes = 1 << 30
	// maxSeeds and maxSeed bound the number and the length of inputs that others are made of.
	maxSeeds, maxSeed = 4096, 1 << 13
)

// Try reads an input, fails the test where a promise is broken, and returns in words what became
// of the input, such as the error. Words in quotes and digits do not count.
type Try func(t testing.TB, data []byte) (outcome string)

// Fuzz is the body of a fuzz target. It tries the seeds, what Go's fuzzer makes of them where it
// runs, and with CURLFREE_FUZZ_N as many mutated inputs; CURLFREE_SEED repeats them.
func Fuzz(f *testing.F, seeds [][]byte, try Try) {
	for _, s := range seeds {
		f.Add(s)
	}
	if n, err := strconv.ParseFloat(os.Getenv("CURLFREE_FUZZ_N"), 64); err == nil {
		seed, err := strconv.ParseUint(os.Getenv("CURLFREE_SEED"), 10, 64)
		if err != nil {
			seed = rand.Uint64()
		}
		newLoop(f, seeds, seed, try).run(int(n))
	}
	f.Fuzz(func(t *testing.T, data []byte) { try(t, data) })
}

// loop makes inputs and tries them.
type loop struct {
	t    testing.TB
	seed uint64
	try  Try
	maker

	limit    uint64            // of memory that one input may require, bytes
	longer   time.Duration     // than which one input may not take
	hangs    func(path string) // ends the test of a reader that takes longer
	watch    *time.Timer       // looks at the clock while an input is tried
	begin    atomic.Int64      // of that input, on the clock
	data     atomic.Pointer[[]byte]
	outcomes map[uint64]bool
	longest  time.Duration // of one input
	largest  uint64        // memory that one input asked for, bytes
	sample   []metrics.Sample
}

// newLoop prepares a loop over seeds; equal seeds of random numbers make equal inputs.
func newLoop(t testing.TB, seeds [][]byte, seed uint64, try Try) *loop {
	l := &loop{
		t: t, seed: seed, try: try, maker: newMaker(seeds, rand.New(rand.NewPCG(seed, 14))),
		limit: MaxBytes, longer: MaxTime, outcomes: map[uint64]bool{}, sample: []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}},
		hangs: func(path string) { panic(fmt.Sprintf("after %v the reader still works on %s", MaxTime, path)) },
	}
	l.begin.Store(resting)
	l.watch = time.AfterFunc(time.Hour, l.look)
	l.watch.Stop()
	return l
}

// resting is where the clock begins while no input is tried: it never gets there.
const resting = 1 << 62

// clock is the processor time of the process: on a machine that others use, or at a low priority, a sound reader may
// stand still for long.
func clock() time.Duration {
	if cputime.Known {
		return cputime.Used()
	}
	return time.Since(started)
}

// started is the beginning of the clock where processor time is not known.
var started = time.Now()

// run tries the seeds and n mutations.
func (l *loop) run(n int) {
	l.t.Helper()
	l.t.Logf("%d inputs, CURLFREE_SEED=%d", n, l.seed)
	begin := time.Now()
	// the seeds first, for their outcomes
	for _, s := range l.pool {
		l.one(s)
	}
	for range n {
		if data := l.make(); l.one(data) {
			l.keep(data)
		}
	}
	took := time.Since(begin)
	l.t.Logf("%d inputs in %.0f s, %.0f per second: %d outcomes; one took %v at most, one %d bytes of memory",
		n, took.Seconds(), float64(n)/took.Seconds(), len(l.outcomes), l.longest, l.largest)
}

// one tries an input, and reports whether its outcome is new. An input that fails is written where
// Go looks for seeds, so that the fault is tried again in each test.
func (l *loop) one(data []byte) (fresh bool) {
	l.t.Helper()
	sound := false
	defer func() {
		if !sound { // the test ends here, or panics
			l.t.Logf("CURLFREE_SEED=%d: the input is %s", l.seed, l.save(data))
		}
	}()
	// a reader that hangs says nothing by itself
	begin := clock()
	l.data.Store(&data)
	l.begin.Store(int64(begin))
	l.watch.Reset(l.longer)
	defer func() {
		l.watch.Stop()
		l.begin.Store(resting) // it may look once more
	}()
	before := l.allocated()
	outcome := l.try(l.t, data)
	l.longest = max(l.longest, clock()-begin)
	bytes := l.allocated() - before
	if l.largest = max(l.largest, bytes); bytes > l.limit {
		l.t.Fatalf("the reader asked for %d bytes of memory", bytes)
	}
	sound = !l.t.Failed()
	if !sound {
		l.t.FailNow()
	}
	h := digest(outcome)
	fresh = !l.outcomes[h]
	l.outcomes[h] = true
	return fresh
}

// look ends the test when the clock is far beyond the beginning of an input, and looks again later when it is not.
func (l *loop) look() {
	if left := l.longer - (clock() - time.Duration(l.begin.Load())); left > 0 {
		l.watch.Reset(left)
		return
	}
	l.hangs(l.save(*l.data.Load()))
}

// allocated returns how many bytes of memory the program has asked for so far.
func (l *loop) allocated() uint64 {
	metrics.Read(l.sample)
	return l.sample[0].Value.Uint64()
}

// save writes an input as a seed of Go's fuzzer and returns its path, or the input where that fails.
func (l *loop) save(data []byte) string {
	path := filepath.Join("testdata", "fuzz", l.t.Name(), fmt.Sprintf("%016x", digest(string(data))))
	text := fmt.Sprintf("go test fuzz v1\n[]byte(%q)\n", data)
	if os.MkdirAll(filepath.Dir(path), 0o777) != nil || os.WriteFile(path, []byte(text), 0o666) != nil {
		return fmt.Sprintf("%q", data)
	}
	return path
}

// digest hashes the words of an outcome: digits and what stands in quotes differ from input to input.
func digest(s string) uint64 {
	const offset, prime = 14695981039346656037, 1099511628211 // FNV-1a
	h := uint64(offset)
	var quote byte
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quote == '"' && c == '\\':
			i++ // what follows is quoted
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '`':
			quote = c
		case '0' <= c && c <= '9':
		default:
			h = (h ^ uint64(c)) * prime
		}
	}
	return h
}

// Texts returns seeds of texts.
func Texts(texts ...string) [][]byte {
	seeds := make([][]byte, len(texts))
	for i, s := range texts {
		seeds[i] = []byte(s)
	}
	return seeds
}

// keep makes an input one that others are made of.
func (m *maker) keep(data []byte) {
	switch {
	case len(data) > maxSeed:
	case len(m.pool) < maxSeeds:
		m.pool = append(m.pool, bytes.Clone(data))
	default: // not one of the seeds of the test
		m.pool[m.given+m.random.IntN(maxSeeds-m.given)] = bytes.Clone(data)
	}
}
