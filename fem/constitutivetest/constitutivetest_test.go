package constitutivetest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/r3"
)

func must[M fem.ConstitutiveLaw](m M, err error) M {
	if err != nil {
		panic(err)
	}
	return m
}

func TestRegisteredLawsKeepTheirContract(t *testing.T) {
	if err := kinds.Check(fem.ConstitutiveLaws); err != nil {
		t.Error(err)
	}
	for _, k := range fem.ConstitutiveLaws.Entries() {
		for i, s := range append(k.Samples(), k.New()) {
			t.Run(fmt.Sprint(k.Name, i), func(t *testing.T) {
				for _, err := range kinds.Validate(s) {
					t.Error(err)
				}
				Check(t, must(s.Make()))
			})
		}
	}
}

// spoilt is a right law with one fault.
type spoilt struct {
	fem.NeoHookean
	energy, stress, tangent, projected, lame, rotation, garbage float64
}

func (s spoilt) Energy(F, R r3.Mat) float64 {
	return s.NeoHookean.Energy(F, R)*(1+s.energy) + s.rotation*F[1]*F[1]
}

func (s spoilt) Stress(F, R r3.Mat) r3.Mat {
	P := s.NeoHookean.Stress(F, R).Scale(1 + s.energy)
	P[1] += 2 * s.rotation * F[1]
	P[2] *= 1 + s.stress
	return P
}

func (s spoilt) Tangent(F, R r3.Mat, project bool, dPdF *[81]float64) {
	kept := dPdF[7]
	s.NeoHookean.Tangent(F, R, project, dPdF)
	if project {
		dPdF[3] *= 1 + s.projected
	} else {
		dPdF[4] *= 1 + s.tangent
	}
	if s.garbage != 0 {
		dPdF[7] = kept
	}
}

func (s spoilt) Lame() (mu, lambda float64) {
	mu, lambda = s.NeoHookean.Lame()
	return mu * (1 + s.lame), lambda
}

// recorder collects failures instead of failing.
type recorder struct {
	testing.TB
	log []string
}

func (r *recorder) Helper()                           {}
func (r *recorder) Failed() bool                      { return len(r.log) > 0 }
func (r *recorder) Errorf(format string, args ...any) { r.log = append(r.log, format) }

func TestCheckCatchesEachFault(t *testing.T) {
	law := must(fem.NewNeoHookean(1e5, 0.4))
	for want, m := range map[string]spoilt{
		"":                         {},
		"small strain: energy":     {energy: 1e-3},
		"small strain: stress":     {lame: 1e-3},
		"stress is no gradient":    {stress: 1e-3},
		"energy feels a rotation":  {rotation: 1e-3},
		"projected differences":    {projected: 1e-3},
		"the stress's difference":  {tangent: 1e-3},
		"tangent [%d][%d] is %g, ": {garbage: 1},
	} {
		m.NeoHookean = law
		if m.rotation != 0 {
			m.rotation *= 1e5
		}
		var r recorder
		Check(&r, m)
		if got := strings.Join(r.log, "\n"); want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%+v: want a failure with %q, got:\n%s", m, want, got)
		}
	}
}
