package sim
import ("testing";"fmt";"math"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3")
func TestZZ(t *testing.T) {
	for _, h := range []float64{1e-3, 5e-4, 2e-4} {
	w := newScaffold(t)
	mat := w.material(1e6, 20, 0.9)
	w.ground(mat)
	const radius, half, lean = 0.05, 0.0005, 20 * math.Pi / 180
	spin := math.Sqrt(4 * 9.81 / (radius * math.Sin(lean)))
	R := r3.RotRPY(0, lean, 0)
	X := r3.Pose{R: R, P: r3.Vec{0, 0, radius*math.Sin(lean) + half*math.Cos(lean)}}
	w.body("disc", must(geometry.NewCylinder(radius, 2*half)), 0.4, X, R.MulVec(r3.Vec{-spin * math.Sin(lean), 0, 0}), r3.Vec{}, mat)
	s, x := w.build()
	sum, least, rise := 0.0, 1., 0.
	for k := range int(1/h) {
		if err := s.Step(x, h); err != nil { t.Fatal(err) }
		sum += s.Report.EnergyGained.Energy
		e := s.stateEnergy(x, h)
		least = min(least, e); rise = max(rise, e-least)
		if k % int(0.05/h) < 3 { fmt.Printf("h %g k %d E %.6g  gained %.3g S %.3g R %.4g rise %.4g\n", h, k, e, sum, x.EnergyReference[1], x.EnergyReference[0], rise) }
	}
	}
}
