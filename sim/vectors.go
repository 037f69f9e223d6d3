package sim

// Vectors of ℝⁿ as lists of numbers, and their memory.

// addScaled adds s x to y.
func addScaled(y []float64, s float64, x []float64) {
	for i, u := range x {
		y[i] += s * u
	}
}

// dot returns xᵀ y.
func dot(x, y []float64) float64 {
	sum := 0.0
	for i, a := range x {
		sum += a * y[i]
	}
	return sum
}

// sized returns x with length n.
func sized(x []float64, n int) []float64 {
	if cap(x) < n {
		return make([]float64, n)
	}
	return x[:n]
}

// push appends a copy of x to a list, in the memory of lists before.
func push(list [][]float64, x []float64) [][]float64 {
	n := len(list)
	if n < cap(list) {
		list = list[:n+1]
	} else {
		list = append(list, nil)
	}
	list[n] = append(list[n][:0], x...)
	return list
}
