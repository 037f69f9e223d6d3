package constraints

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/constraints/lawtest"
	"github.com/curlfree/curlfree/convex"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

// steepest returns the largest −p'/h² over velocities, the stiffness of a normal
// law without dissipation.
func steepest(n NormalLaw, h float64) float64 {
	most := 0.0
	for v := -2.0; v < 2; v += 1e-3 {
		_, _, dp := n.Eval(v)
		most = math.Max(most, -dp/(h*h))
	}
	return most
}

func TestSofteningCapsTheStiffness(t *testing.T) {
	const h, k = 1e-3, 1e7
	for _, m := range []NormalModel{HuntCrossley{}, IPC{}, LogBarrier{}} {
		var p cliques.Problem
		p.Reset(0, h)
		n := m.New(&geometry.Contact{Phi: 1e-4}, &Pair{Stiffness: k}, &p)
		own := steepest(n, h)
		for _, kappa := range []float64{1e2, 1e4, 1e6} {
			if !n.(slopeCapper).capSlope(kappa) {
				t.Errorf("%T: not capped to %g", m, kappa)
			}
			if got := steepest(n, h); math.Abs(got/kappa-1) > 1e-9 {
				t.Errorf("%T: stiffness %g, want %g", m, got, kappa)
			}
		}
		for _, kappa := range []float64{2 * own, math.Inf(1)} {
			if n.(slopeCapper).capSlope(kappa) || steepest(n, h) != own {
				t.Errorf("%T: %g changes a stiffness of %g", m, kappa, own)
			}
		}
	}
	// Hertz's is capped as the pair's: at the overlap δ the force is κ δ.
	const delta = 1e-5
	var p cliques.Problem
	p.Reset(0, h)
	n := Hertz{Overlap: delta}.New(&geometry.Contact{Phi: -delta}, &Pair{Stiffness: k}, &p)
	if _, f, _ := n.Eval(0); n.(slopeCapper).capSlope(2*k) || math.Abs(f/(h*k*delta)-1) > 1e-12 {
		t.Errorf("force %g", f/h)
	}
	n.(slopeCapper).capSlope(1e4)
	if _, f, _ := n.Eval(0); math.Abs(f/(h*1e4*delta)-1) > 1e-12 {
		t.Errorf("capped force %g", f/h)
	}
}

// Stages are in units of what moves the effective mass within a step, so that the
// cap on a contact's stiffness is ratio/(h² w) and one on a contact surface's applies to the
// sum of its faces.
func TestSofteningIsInUnitsOfTheStep(t *testing.T) {
	const h, w, ratio = 2e-3, 0.25, 7
	var p cliques.Problem
	f := scene()
	f.begin(&p, 0, h)
	c := contactBetween(geometry.MaterialPoint{Body: 0}, geometry.MaterialPoint{Body: 1}, r3.Vec{}, r3.Vec{0, 0, 1}, -1e-3)
	one := Pair{Stiffness: 1e9}
	AppendContact(Similar{}, c, &one, f, &p)
	r := rand.New(rand.NewPCG(5, 5))
	pt := contactSurfaceOf(r, 0, 1, 20)
	AppendHydroelasticContact(Similar{}, pt, &Pair{}, f, &p)

	law := p.Constraints[0].Law.(*similar)
	law.Prepare(h, []float64{1, 1, w})
	if !law.CapSlope(ratio) {
		t.Fatal("not capped")
	}
	if got, want := law.normal.(*huntCrossley).k, ratio/(h*h*w); math.Abs(got/want-1) > 1e-12 {
		t.Errorf("stiffness %g, want %g", got, want)
	}
	if law.CapSlope(math.Inf(1)) || law.normal.(*huntCrossley).k != 1e9 {
		t.Error("not restored")
	}

	faces := p.Constraints[1].Law.(*surfaceLaw)
	faces.Prepare(h, []float64{0, 0, 0, w, w, w})
	if !faces.CapSlope(1e-3) {
		t.Fatal("contact surface not capped")
	}
	sum := 0.0
	for f := faces.faces; f != nil; f = f.next {
		sum += f.law.(*similar).normal.(*huntCrossley).k
	}
	if want := 1e-3 / (h * h * w); math.Abs(sum/want-1) > 1e-9 {
		t.Errorf("contact surface of stiffness %g, want %g", sum, want)
	}
	if faces.CapSlope(math.Inf(1)) {
		t.Error("contact surface not restored")
	}
	for i := range pt.Surface.Faces[:1] {
		if got, want := faces.faces.law.(*similar).normal.(*huntCrossley).k, pt.Surface.Faces[i].Area*pt.Surface.Faces[i].PressureGradient; got != want {
			t.Errorf("face restored to %g, want %g", got, want)
		}
	}
	law.Prepare(h, []float64{0, 0, 0}) // nothing moves
	if law.CapSlope(1) {
		t.Error("capped where nothing moves")
	}
}

func TestCappedLawsKeepTheContract(t *testing.T) {
	for _, m := range []NormalModel{HuntCrossley{}, Hertz{}, IPC{}, LogBarrier{}} {
		lawtest.Check(t, 20, func(r *rand.Rand) lawtest.Sample {
			f, p := scene(), new(cliques.Problem)
			f.begin(p, 0, 1e-3)
			c := contactBetween(geometry.MaterialPoint{Body: 0}, geometry.MaterialPoint{Body: 1}, r3.Vec{}, r3.Vec{0, 0, 1}, -1e-3*r.Float64())
			h := AppendContact(Similar{Normal: m, Sigma: DefaultSigma}, c, &Pair{Stiffness: 1e9, Dissipation: 10, Friction: r.Float64()}, f, p)
			law := p.Constraints[h].Law.(*similar)
			law.Prepare(p.H, []float64{1, 1, 1})
			law.CapSlope(math.Pow(10, -2*r.Float64()))
			return lawtest.Sample{Law: law, Scale: []float64{1, 1, 1}, Name: fmt.Sprintf("%T", m)}
		})
	}
}

// Between bodies of prescribed motion nothing can be solved for: what is rigid
// transmits nothing, what is compliant what its compliance says.
func TestBetweenPrescribedBodiesEffortIsThatOfCompliance(t *testing.T) {
	const h = 1e-3
	f := scene()
	f.given = []bool{true, true, true}
	var p cliques.Problem
	f.begin(&p, 0, h)
	rigid := &Ball{A: Anchor{Body: 0}, B: Anchor{Body: 1}}
	spring := &Ball{A: Anchor{Body: 0}, B: Anchor{Body: 1}, Spring: Spring{Stiffness: 100}}
	rigid.Append(f, &p)
	(&Weld{A: 0, B: 1, X_AP: r3.PoseIdentity(), X_BQ: r3.PoseIdentity()}).Append(f, &p)
	spring.Append(f, &p)
	const k, phi, tau = 1e4, -0.02, 1e-3
	c := contactBetween(geometry.MaterialPoint{Body: 0}, geometry.MaterialPoint{Body: 1}, r3.Vec{}, r3.Vec{0, 0, 1}, phi)
	one := Pair{Stiffness: k, Friction: 0.5, RelaxationTime: tau}
	var contacts []cliques.Handle
	for _, m := range []ContactModel{Lagged{}, Lagged{Sigma: DefaultSigma}, Similar{}, SAP{Beta: 1}} {
		contacts = append(contacts, AppendContact(m, c, &one, f, &p))
	}
	if _, err := new(convex.Solver).Solve(&p, slices.Clone(p.V0)); err != nil {
		t.Fatal(err)
	}
	for i := range 2 {
		for _, x := range p.Impulse(cliques.Handle(i)) {
			if x != 0 {
				t.Errorf("rigid constraint %d transmits %v", i, p.Impulse(cliques.Handle(i)))
			}
		}
	}
	vc, p_PQ := p.Velocity(2), anchorOffset(f, &spring.A, &spring.B)
	for i, x := range p.Impulse(2) {
		if want := -h * 100 * (p_PQ[i] + h*vc[i]); math.Abs(x-want) > 1e-12*math.Abs(want) {
			t.Errorf("spring carries %g, want %g", x, want)
		}
	}
	for i, at := range contacts {
		g, vc := p.Impulse(at), p.Velocity(at)
		slip := math.Hypot(vc[0], vc[1])
		if !(slip > 0.1) {
			t.Fatalf("slip %g: the test does not test", slip)
		}
		x, bound := -phi-h*vc[2], g[2]
		switch i {
		case 0, 1: // friction of the start of the step
			bound = -h * k * phi
		case 2: // sliding counts as closing
			x += h * 0.5 * slip
		case 3:
			x = -phi - (h+tau)*(vc[2]-0.5*slip)
		}
		// SAP's regularization makes it softer by 1 + σ μ².
		if math.Abs(g[2]/(h*k*x)-1) > 1e-3 {
			t.Errorf("contact %d carries %g, want %g", i, g[2], h*k*x)
		}
		if math.Abs(math.Hypot(g[0], g[1])/(0.5*bound)-1) > 1e-3 {
			t.Errorf("contact %d: friction of %v, want %g", i, g, 0.5*bound)
		}
	}
}
