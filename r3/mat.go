package r3

// Mat is a 3×3 matrix, row-major: m[3*i+j] is row i, column j. It serves as rotation,
// inertia, deformation gradient and stress.
type Mat [9]float64

// Identity returns the identity matrix.
func Identity() Mat { return Mat{1, 0, 0, 0, 1, 0, 0, 0, 1} }

// Diag returns the diagonal matrix of d.
func Diag(d Vec) Mat { return Mat{d[0], 0, 0, 0, d[1], 0, 0, 0, d[2]} }

// Skew returns [a]×, so that Skew(a)·b = a×b.
func Skew(a Vec) Mat { return Mat{0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0} }

// Outer returns the outer product a bᵀ.
func Outer(a, b Vec) Mat {
	return Mat{
		a[0] * b[0], a[0] * b[1], a[0] * b[2],
		a[1] * b[0], a[1] * b[1], a[1] * b[2],
		a[2] * b[0], a[2] * b[1], a[2] * b[2],
	}
}

// FromColumns returns the matrix with the given columns.
func FromColumns(a, b, c Vec) Mat {
	return Mat{a[0], b[0], c[0], a[1], b[1], c[1], a[2], b[2], c[2]}
}

// Col returns column j.
func (m Mat) Col(j int) Vec { return Vec{m[j], m[3+j], m[6+j]} }

// Row returns row i.
func (m Mat) Row(i int) Vec { return Vec{m[3*i], m[3*i+1], m[3*i+2]} }

// Add returns a + b.
func (m Mat) Add(b Mat) Mat {
	for i := range m {
		m[i] += b[i]
	}
	return m
}

// Sub returns a − b.
func (m Mat) Sub(b Mat) Mat {
	for i := range m {
		m[i] -= b[i]
	}
	return m
}

// Scale returns s·m.
func (m Mat) Scale(s float64) Mat {
	for i := range m {
		m[i] *= s
	}
	return m
}

// Mul returns m·b.
func (m Mat) Mul(b Mat) Mat {
	return Mat{
		m[0]*b[0] + m[1]*b[3] + m[2]*b[6], m[0]*b[1] + m[1]*b[4] + m[2]*b[7], m[0]*b[2] + m[1]*b[5] + m[2]*b[8],
		m[3]*b[0] + m[4]*b[3] + m[5]*b[6], m[3]*b[1] + m[4]*b[4] + m[5]*b[7], m[3]*b[2] + m[4]*b[5] + m[5]*b[8],
		m[6]*b[0] + m[7]*b[3] + m[8]*b[6], m[6]*b[1] + m[7]*b[4] + m[8]*b[7], m[6]*b[2] + m[7]*b[5] + m[8]*b[8],
	}
}

// T returns the transpose.
func (m Mat) T() Mat { return Mat{m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8]} }

// MulVec returns m·v.
func (m Mat) MulVec(v Vec) Vec {
	return Vec{
		m[0]*v[0] + m[1]*v[1] + m[2]*v[2],
		m[3]*v[0] + m[4]*v[1] + m[5]*v[2],
		m[6]*v[0] + m[7]*v[1] + m[8]*v[2],
	}
}

// TMulVec returns mᵀ·v.
func (m Mat) TMulVec(v Vec) Vec {
	return Vec{
		m[0]*v[0] + m[3]*v[1] + m[6]*v[2],
		m[1]*v[0] + m[4]*v[1] + m[7]*v[2],
		m[2]*v[0] + m[5]*v[1] + m[8]*v[2],
	}
}

// Trace returns the sum of the diagonal.
func (m Mat) Trace() float64 { return m[0] + m[4] + m[8] }

// Det returns the determinant.
func (m Mat) Det() float64 { return m.Row(0).Dot(m.Row(1).Cross(m.Row(2))) }

// Cofactor returns cof(m) = det(m)·m⁻ᵀ, defined also for singular m: its rows are the cross
// products of the other two rows of m. It is the derivative of the determinant.
func (m Mat) Cofactor() Mat {
	a, b, c := m.Row(0), m.Row(1), m.Row(2)
	x, y, z := b.Cross(c), c.Cross(a), a.Cross(b)
	return Mat{x[0], x[1], x[2], y[0], y[1], y[2], z[0], z[1], z[2]}
}

// Inv returns the inverse and the determinant. For a zero determinant the
// inverse has infinities or NaN: check det first.
func (m Mat) Inv() (inv Mat, det float64) {
	c := m.Cofactor()
	det = m[0]*c[0] + m[1]*c[1] + m[2]*c[2]
	return c.T().Scale(1 / det), det
}

// Norm2 returns the squared Frobenius norm, Σ m_ij².
func (m Mat) Norm2() float64 {
	s := 0.0
	for _, x := range m {
		s += x * x
	}
	return s
}
