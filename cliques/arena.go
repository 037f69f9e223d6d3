package cliques

// arena hands out zeroed float slices whose addresses stay valid until reset:
// it grows by chunks that never move.
type arena struct {
	chunks [][]float64
	chunk  int // current
	used   int // of the current chunk
}

// chunkSize is the least size of a chunk, in floats: a contact needs some 50.
const chunkSize = 1 << 16

// reset makes all memory free.
func (a *arena) reset() { a.chunk, a.used = 0, 0 }

// floats returns n zeros.
func (a *arena) floats(n int) []float64 {
	for ; a.chunk < len(a.chunks); a.chunk, a.used = a.chunk+1, 0 {
		if c := a.chunks[a.chunk]; len(c)-a.used >= n {
			s := c[a.used : a.used+n : a.used+n]
			a.used += n
			clear(s)
			return s
		}
	}
	a.chunks = append(a.chunks, make([]float64, max(n, chunkSize)))
	a.used = n
	return a.chunks[a.chunk][:n:n]
}

// resetter is a pool of any type.
type resetter interface{ reset() }

// pool hands out values of one type at stable addresses until reset.
type pool[T any] struct {
	chunks  [][]T
	used    int // values handed out
	scratch T
}

// poolChunk is the number of values that are allocated at once.
const poolChunk = 256

// reset makes all values free.
func (q *pool[T]) reset() { q.used = 0 }

// New returns a zeroed T that is valid until the problem's next Reset. Laws of one
// step come from here, so that steps do not allocate.
func New[T any](p *Problem) *T {
	q := poolOf[T](p)
	i, j := q.used/poolChunk, q.used%poolChunk
	if i == len(q.chunks) {
		q.chunks = append(q.chunks, make([]T, poolChunk))
	}
	q.used++
	t := &q.chunks[i][j]
	var zero T
	*t = zero
	return t
}

// Scratch returns the problem's one T for work that must not allocate. It has what its
// last user left in it.
func Scratch[T any](p *Problem) *T { return &poolOf[T](p).scratch }

// poolOf returns the pool of a type.
func poolOf[T any](p *Problem) *pool[T] {
	for _, r := range p.pools {
		if q, ok := r.(*pool[T]); ok {
			return q
		}
	}
	q := new(pool[T])
	p.pools = append(p.pools, q)
	return q
}
