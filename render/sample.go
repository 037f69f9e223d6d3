package render

import (
	"math"
	"sort"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/record"
)

// Pictures of a film are at times k/rate, recorded frames at times of the run's own rate. Between two
// frames at t_a ≤ t ≤ t_b, with u = (t − t_a)/(t_b − t_a), the state that is drawn is
//
// 	p = (1 − u) p_a + u p_b                     origins, vertices, stresses
// 	R = R_a exp(u log(R_aᵀ R_b))                axes: one rotation at a constant rate
//
// which is exact for uniform motion along a line and about an axis. Contacts begin and end, and are
// not interpolated.

// NumFrames is the number of frames of an animation that shows every instant
// k/rate of the closed interval of the given length (s): floor(length·rate) + 1.
func NumFrames(length, rate float64) int {
	// a billionth of a frame of slack: lengths are sums of decimal steps
	return int(math.Floor(length*rate+1e-9)) + 1
}

// frameTime is the exact time of frame k.
func frameTime(rec *record.Recording, rate float64, k int) float64 {
	return rec.Time(0) + float64(k)/rate
}

// length is the recorded time, s.
func length(rec *record.Recording) float64 {
	return rec.Time(rec.Len()-1) - rec.Time(0)
}

// sample fills f with the state at time t: positions between two recorded frames
// are interpolated, rotations along the shortest arc; contacts are those of the
// nearer frame. Times outside the recording give its ends.
func sample(rec *record.Recording, t float64, f *record.Frame) {
	n := rec.Len()
	i := sort.Search(n, func(k int) bool { return rec.Time(k) >= t })
	if i == 0 || i == n || rec.Time(i) == t {
		*f = *rec.At(min(i, n-1))
		return
	}
	// the frames before and after; u from 0 to 1 between them
	a, b := rec.At(i-1), rec.At(i)
	u := (t - a.Time) / (b.Time - a.Time)
	f.Time = t
	// rigid bodies
	f.Poses = make([]r3.Pose, len(a.Poses))
	for k := range a.Poses {
		f.Poses[k] = interpolate(a.Poses[k], b.Poses[k], u)
	}
	interpolateDeformables(a, b, u, f)
	// contacts of the nearer frame
	f.Contacts, f.ContactSurfaces = a.Contacts, a.ContactSurfaces
	if u >= 0.5 {
		f.Contacts, f.ContactSurfaces = b.Contacts, b.ContactSurfaces
	}
}

// interpolateDeformables fills f with vertices, m, and von Mises stresses at vertices, Pa, at u on
// the way from frame a to frame b.
func interpolateDeformables(a, b *record.Frame, u float64, f *record.Frame) {
	f.Verts = make([][]r3.Vec, len(a.Verts))
	f.VonMises = make([][]float32, len(a.Verts))
	for k := range a.Verts {
		f.Verts[k] = make([]r3.Vec, len(a.Verts[k]))
		for j := range f.Verts[k] {
			f.Verts[k][j] = a.Verts[k][j].Lerp(b.Verts[k][j], u)
		}
		f.VonMises[k] = make([]float32, len(a.VonMises[k]))
		for j := range f.VonMises[k] {
			f.VonMises[k][j] = a.VonMises[k][j] + float32(u)*(b.VonMises[k][j]-a.VonMises[k][j])
		}
	}
}

// interpolate moves from a to b: origins on a line, axes by one rotation.
func interpolate(a, b r3.Pose, u float64) r3.Pose {
	R_AB := a.R.T().Mul(b.R)
	return r3.Pose{
		R: a.R.Mul(r3.RotExp(R_AB.Quat().Log().Scale(u))),
		P: a.P.Lerp(b.P, u),
	}
}
