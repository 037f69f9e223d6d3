package supernodal

// Estimate is what the factorization of matrices over a graph takes, from its symbolic factorization alone.
type Estimate struct {
	Flops float64 // multiplications and additions of one Factor
	Bytes float64 // of L and the fronts that are being factored
}

// EstimateOf plans a packed graph as Analyze does, on one thread and without memory for numbers.
func EstimateOf(g *Graph) Estimate {
	var c Cholesky
	c.search(g, dissectAbove)
	return Estimate{Flops: c.s.flops, Bytes: 8 * float64(c.s.lSize+c.s.cbSize)}
}
