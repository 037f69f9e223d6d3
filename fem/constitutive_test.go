package fem

import (
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/r3"
)

// A stretch along x with free sides: σ = E ε and the sides shrink by ν ε.
func TestLameGivesYoungsModulusAndPoissonsRatio(t *testing.T) {
	for _, c := range [][2]float64{{1e5, 0}, {2.5e6, 0.49}, {1, -0.5}, {3e9, 0.3}} {
		E, nu := c[0], c[1]
		mu, lambda, err := Lame(E, nu)
		if err != nil {
			t.Fatal(err)
		}
		tr := 1 - 2*nu
		if s := 2*mu + lambda*tr; math.Abs(s-E) > 1e-12*E {
			t.Errorf("E = %g, ν = %g: axial stress %g", E, nu, s)
		}
		if s := -2*mu*nu + lambda*tr; math.Abs(s) > 1e-12*E {
			t.Errorf("E = %g, ν = %g: lateral stress %g", E, nu, s)
		}
	}
}

func TestImpossibleModuliAreErrors(t *testing.T) {
	for _, c := range [][2]float64{{0, 0.3}, {-1, 0.3}, {math.NaN(), 0.3}, {math.Inf(1), 0.3}, {1, 0.5}, {1, 0.6}, {1, -1}, {1, math.NaN()}} {
		if _, err := NewLinear(c[0], c[1]); err == nil {
			t.Errorf("NewLinear(%g, %g) is no error", c[0], c[1])
		}
		if _, err := NewCorotational(c[0], c[1]); err == nil {
			t.Errorf("NewCorotational(%g, %g) is no error", c[0], c[1])
		}
		_, err := NewNeoHookean(c[0], c[1])
		if err == nil || !strings.Contains(err.Error(), "must") {
			t.Errorf("NewNeoHookean(%g, %g): %v does not say what is possible", c[0], c[1], err)
		}
	}
}

type mat3 [3][3]float64

func (m mat3) mat() (r r3.Mat) {
	for i := range 3 {
		copy(r[3*i:], m[i][:])
	}
	return r
}

// See testdata/README.md.
func TestLawsAgreeWithReferenceVectors(t *testing.T) {
	data, err := os.ReadFile("testdata/constitutive.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Cases []struct {
			Model string
			E, Nu float64
			F0, F mat3
			Psi   float64
			P     mat3
			DPdF  [9][9]float64 `json:"dPdF"`
		}
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Cases) < 12 {
		t.Fatalf("%d cases", len(file.Cases))
	}
	for i, c := range file.Cases {
		var law ConstitutiveLaw
		R := r3.Identity()
		if c.Model == "linear" {
			law, err = NewLinear(c.E, c.Nu)
		} else {
			law, err = NewCorotational(c.E, c.Nu)
			R = r3.Polar(c.F0.mat())
		}
		if err != nil {
			t.Fatal(err)
		}
		F, P := c.F.mat(), c.P.mat()
		mu, lambda := law.Lame()
		stiff := 2*mu + math.Abs(lambda)
		if e := law.Energy(F, R); math.Abs(e-c.Psi) > 1e-11*math.Abs(c.Psi) {
			t.Errorf("case %d %s: energy %g, want %g", i, c.Model, e, c.Psi)
		}
		for k, got := range law.Stress(F, R) {
			if math.Abs(got-P[k]) > 1e-13*stiff {
				t.Errorf("case %d %s: P[%d] = %g, want %g", i, c.Model, k, got, P[k])
			}
		}
		var C [81]float64
		law.Tangent(F, R, true, &C)
		for k := range 81 {
			i3, j3, k3, l3 := k/27, k/9%3, k/3%3, k%3
			if want := c.DPdF[3*j3+i3][3*l3+k3]; math.Abs(C[k]-want) > 1e-13*stiff {
				t.Errorf("case %d %s: dPdF[%d] = %g, want %g", i, c.Model, k, C[k], want)
			}
		}
	}
}

// Energy and nodal forces of one tet in a frame that is not its own, computed
// elsewhere in double precision.
func TestCorotatedTetMatchesGoldenNumbers(t *testing.T) {
	law := Corotational{hooke{1.3, 2.1}}
	m := mustModel(t, Spec{Mesh: unitTet(), Law: law, Density: 1})
	e := &m.elements[0]
	x := append([]r3.Vec(nil), m.Mesh().Verts...)
	for i, u := range []r3.Vec{{}, {0.1, 0.02, 0}, {-0.03, 0.05, 0.01}, {0, 0.04, -0.02}} {
		x[i] = x[i].Add(u)
	}
	F, R := e.gradient(x), r3.RotExp(r3.Vec{0, 0, math.Pi / 6})
	if got, want := e.volume*law.Energy(F, R), 0.00510966307689; math.Abs(got-want) > 1e-13 {
		t.Errorf("energy %.15g, want %.15g", got, want)
	}
	want := []r3.Vec{
		{0.0507056088952, 0.037696191528, -0.00433333333333},
		{-0.0333628581946, 0.0723722755619, -0.00967222016613},
		{0.00108333333333, -0.0105430550415, 0.0552325503189},
	}
	T, P := m.piola(F, R, -e.volume), law.Stress(F, R).Scale(-e.volume)
	for a := range want {
		for _, f := range []r3.Vec{T.MulVec(e.grad[a]), P.MulVec(e.grad[a])} {
			if f.Sub(want[a]).Norm() > 1e-13 {
				t.Errorf("force on vertex %d is %.13v, want %.13v", a+1, f, want[a])
			}
		}
	}
}
