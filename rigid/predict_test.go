package rigid

import "testing"

// PredictMotion at v gives the velocities that Place gives at v; for links that prescribed
// joints carry, those of the prescribed motion in this step are added.
func TestPredictedVelocitiesAreThoseOfPlacedLinks(t *testing.T) {
	for i := range 40 {
		r := newRand(i)
		kinds := 7 + i%2 // with prescribed joints in every other forest
		m, q, v := randForest(t, r, 8, kinds)
		d, e := m.NewData(), m.NewData()
		d.Place(0.3, 1e-3, q, v)
		for k := range v {
			v[k] = r.NormFloat64()
		}
		e.Place(0.3, 1e-3, q, v)
		d.PredictMotion(v)
		still := make([]float64, len(v))
		e.PredictMotion(still)
		for l := range m.NumLinks() {
			w, u := d.PredictedVelocity(l)
			if kinds == 7 {
				wantW, wantU := e.Velocity(l)
				if w.Sub(wantW).Norm() > 1e-12*(1+wantW.Norm()) || u.Sub(wantU).Norm() > 1e-12*(1+wantU.Norm()) {
					t.Fatalf("link %d: %v %v, want %v %v", l, w, u, wantW, wantU)
				}
			}
			w, u = e.PredictedVelocity(l)
			if w.Sub(e.prescribedVel[l].w).Norm() > 1e-12 || u.Sub(e.prescribedVel[l].v).Norm() > 1e-12 {
				t.Fatalf("link %d at rest: %v %v, want %v", l, w, u, e.prescribedVel[l])
			}
		}
	}
}
