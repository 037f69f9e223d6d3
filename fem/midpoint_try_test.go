package fem

import (
	"fmt"
	"math"
	"testing"

	"github.com/curlfree/curlfree/r3"
)

func TestTrySpin(t *testing.T) {
	for _, E := range []float64{1e6, 1e5} {
		for _, angle := range []float64{0.05, 0.2, 0.5} {
			for _, most := range []int{1, 2, 4, 16} {
				law, _ := NewCorotational(E, 0.3)
				m := mustModel(t, Spec{Mesh: boxMesh(r3.Vec{0.3, 0.1, 0.1}, 3, 1, 1), Law: law, Density: 1000, Elements: Tet4})
				w := newMidWorld(m)
				w.most = most
				const h = 5e-3
				w.turn(r3.Vec{0, 0, angle / h})
				w.d.Place(w.x)
				about := w.d.CenterOfMass()
				e0, L0 := w.energy(), w.d.AngularMomentum(about, w.v)
				hi, lo, drift, Phi, bal := 0.0, 0.0, 0.0, 0.0, 0.0
				for range 300 {
					e := w.energy()
					w.step(h, r3.Vec{})
					hi, lo = math.Max(hi, w.energy()/e0-1), math.Min(lo, w.energy()/e0-1)
					Phi = math.Max(Phi, (w.energy()+w.ledger.End)/e0-1)
					bal = math.Max(bal, math.Abs(w.energy()+w.ledger.End-e-w.ledger.Start+w.ledger.Numerical+w.ledger.Viscous)/e0)
					drift = math.Max(drift, w.d.AngularMomentum(about, w.v).Sub(L0).Norm()/L0.Norm())
				}
				fmt.Printf("E %g angle %g most %d: passes %.2f E %.1e %.1e E+Pi %.1e L %.1e balance %.1e\n", E, angle, most, float64(w.total)/300, lo, hi, Phi, drift, bal)
			}
		}
	}
}
