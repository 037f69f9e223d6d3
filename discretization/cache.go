package discretization

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"io"
	"math"
	"sync"

	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/r3"
)

// Estimates are kept for the life of the process by what they depend on, for a scene is often loaded
// several times and has several bodies of one mesh: elements, Poisson's ratio, fixed vertices, and the
// mesh up to a motion, a reflection or a scale, by the lengths of edges.

// keptEstimates is the number of estimates that are kept.
const keptEstimates = 1000

// kept are the estimates so far.
var kept struct {
	sync.Mutex
	estimates map[[sha256.Size]byte]*keptEstimate
}

// keptEstimate is an estimate that is made once.
type keptEstimate struct {
	once sync.Once
	e    Error
	err  error
}

// lookup returns the estimate of a body, which make computes the first time; others that need it
// then wait.
func lookup(m *fem.Model, held []int32, make func() (Error, error)) (Error, error) {
	key := keyOf(m, held)
	kept.Lock()
	// estimates are cheap to make again: no order is kept in which they would be dropped
	if kept.estimates == nil || len(kept.estimates) >= keptEstimates {
		kept.estimates = map[[sha256.Size]byte]*keptEstimate{}
	}
	k := kept.estimates[key]
	if k == nil {
		k = new(keptEstimate)
		kept.estimates[key] = k
	}
	kept.Unlock()
	k.once.Do(func() { k.e, k.err = make() })
	return k.e, k.err
}

// keyOf returns the digest of what an estimate depends on.
func keyOf(m *fem.Model, held []int32) (key [sha256.Size]byte) {
	h := sha256.New()
	io.WriteString(h, m.Elements().String())
	mu, lambda := m.Spec().Law.Lame()
	mesh := m.Mesh()
	number(h, math.Float64bits(lambda/mu), uint64(len(held)), uint64(len(mesh.Verts)), uint64(len(mesh.Tets)))
	for _, v := range held {
		number(h, uint64(v))
	}
	// lengths to six digits, which motions change by round-off
	scale := longestEdge(mesh.Verts, mesh.Tets)
	for _, t := range mesh.Tets {
		for i, a := range t {
			number(h, uint64(a))
			for _, b := range t[:i] {
				number(h, uint64(math.Round(1e6*mesh.Verts[a].Sub(mesh.Verts[b]).Norm()/scale)))
			}
		}
	}
	if c := mesh.Cells; c != nil {
		for i := range c.Len() {
			for _, v := range c.Cell(i) {
				number(h, uint64(v))
			}
		}
	}
	h.Sum(key[:0])
	return key
}

// longestEdge returns the length of the longest edge of tets.
func longestEdge(x []r3.Vec, tets [][4]int32) (l float64) {
	for _, t := range tets {
		for i, a := range t {
			for _, b := range t[:i] {
				l = max(l, x[a].Sub(x[b]).Norm())
			}
		}
	}
	return l
}

// number adds numbers to a digest.
func number(h hash.Hash, n ...uint64) {
	var b [8]byte
	for _, x := range n {
		binary.LittleEndian.PutUint64(b[:], x)
		h.Write(b[:])
	}
}
