package render

import (
	"math"
	"slices"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/record"
)

// A field is a number at each vertex of a deformable that pictures show in colours. With the positions
// x_i of the vertices in a frame, x_i(0) in the first frame and X_i in the undeformed body,
//
// 	displacement   |x_i − x_i(0)|
// 	deformation    |x_i − (R X_i + p)|, with the rotation R and translation p that fit best
// 	von_mises      from the recorded stresses, see record.VertexStress
// 	contact_pressure  from the recorded contact forces, see record.ContactPressure
// 	slip           from the recorded contacts, see slip
//
// The scale of colours is from 0 to a round number that applies to the whole recording, so that pictures
// of one film can be compared.

// field is a scalar on the vertices of deformables, which pictures show in colours.
type field struct {
	// name is that of Options.Field, label the words beside the scale, unit the SI unit.
	name, label, unit string
	// eval returns the value at each vertex of deformable i; nil: nothing to show
	eval func(rec *record.Recording, f *record.Frame, i int) []float64
}

// fields are all fields, in the order in which FieldNames lists them.
var fields = []field{
	{"von_mises", "von Mises stress", "Pa", record.VertexStress},
	{"displacement", "displacement", "m", displacement},
	{"deformation", "deformation", "m", deformation},
	{contactPressure, "contact pressure", "Pa", record.ContactPressure},
	{"slip", "sliding speed", "m/s", slip},
	{"none", "", "", func(*record.Recording, *record.Frame, int) []float64 { return nil }},
}

// fieldByName returns a field; nil for an unknown name.
func fieldByName(name string) *field {
	for i := range fields {
		if fields[i].name == name {
			return &fields[i]
		}
	}
	return nil
}

// displacement returns the distance of each vertex from its place in the first frame, m.
func displacement(rec *record.Recording, f *record.Frame, i int) []float64 {
	// from the first recorded frame, which need not be undeformed
	u, start := make([]float64, len(f.Verts[i])), rec.At(0).Verts[i]
	for j, p := range f.Verts[i] {
		u[j] = p.Sub(start[j]).Norm()
	}
	return u
}

// deformation returns the distance of each vertex from its place in the undeformed body
// after the rigid motion that fits best, m. A rigid motion has none.
func deformation(rec *record.Recording, f *record.Frame, i int) []float64 {
	x, rest := f.Verts[i], rec.Static.Deformables[i].Rest
	X := bestFit(rest, x)
	u := make([]float64, len(x))
	for j := range u {
		u[j] = x[j].Sub(X.Point(rest[j])).Norm()
	}
	return u
}

// bestFit returns the rigid transform X that minimizes Σ |b_i − X a_i|²: the rotation is
// the polar factor of Σ (b_i − b̄)(a_i − ā)ᵀ, and it maps the mean ā to b̄ (Kabsch, A
// Solution for the Best Rotation to Relate Two Sets of Vectors, 1976).
func bestFit(a, b []r3.Vec) r3.Pose {
	// a body without vertices stays where it is
	if len(a) == 0 {
		return r3.PoseIdentity()
	}
	// means
	var ca, cb r3.Vec
	for i := range a {
		ca, cb = ca.Add(a[i]), cb.Add(b[i])
	}
	ca, cb = ca.Scale(1/float64(len(a))), cb.Scale(1/float64(len(a)))
	// cross covariance
	var m r3.Mat
	for i := range a {
		m = m.Add(r3.Outer(b[i].Sub(cb), a[i].Sub(ca)))
	}
	R := r3.Polar(m)
	return r3.Pose{R: R, P: cb.Sub(R.MulVec(ca))}
}

// fieldTop chooses the top of the colour scale: a round number that 99 % of each
// body's vertices stay below at all times, so that a singular corner does not
// wash out the rest; with faces, of the faces of contact surfaces too.
func fieldTop(rec *record.Recording, fd *field, faces bool) float64 {
	top := 0.0
	// at most about 200 frames of a long recording are read
	stride := max(1, rec.Len()/200)
	for k := 0; k < rec.Len(); k += stride {
		f := rec.At(k)
		for i := range f.Verts {
			top = max(top, mostBelow(fd.eval(rec, f, i)))
		}
		if faces {
			top = max(top, mostBelow(facePressures(f)))
		}
	}
	return roundUp(top)
}

// mostBelow returns the 99th percentile of the positive values, 0 for none.
func mostBelow(v []float64) float64 {
	// vertices without a value would lower the percentile of a small loaded part
	v = slices.DeleteFunc(v, func(x float64) bool { return !(x > 0) })
	if len(v) == 0 {
		return 0
	}
	slices.Sort(v)
	// the least value that at least 99 % of the values do not exceed
	return v[(99*len(v)+99)/100-1]
}

// fieldPeak is the largest value of the field in a frame.
func fieldPeak(values [][]float64) float64 {
	peak := 0.0
	for _, v := range values {
		for _, x := range v {
			peak = max(peak, x)
		}
	}
	return peak
}

// roundUp returns the next number of one of few round forms, 1 for 0.
func roundUp(x float64) float64 {
	if !(x > 0) || math.IsInf(x, 0) {
		return 1
	}
	// at most a third more than x, in numbers that five ticks divide well
	p := math.Pow(10, math.Floor(math.Log10(x)))
	for _, m := range []float64{1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8} {
		if x <= m*p*(1+1e-9) {
			return m * p
		}
	}
	return 10 * p
}
