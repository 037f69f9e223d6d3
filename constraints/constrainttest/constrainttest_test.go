package constrainttest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/r3"
)

// samples calls f with each sample of each kind of a registry.
func samples[S any](t *testing.T, r *kinds.Registry[S], f func(t *testing.T, s S)) {
	t.Helper()
	if err := kinds.Check(r); err != nil {
		t.Error(err)
	}
	for _, k := range r.Entries() {
		for i, s := range k.Samples() {
			t.Run(fmt.Sprint(k.Name, i), func(t *testing.T) {
				for _, err := range kinds.Validate(s) {
					t.Error(err)
				}
				f(t, s)
			})
		}
	}
}

func TestRegisteredConstraintsKeepTheirContract(t *testing.T) {
	samples(t, constraints.Constraints, func(t *testing.T, s constraints.Spec) {
		w := NewWorld()
		c, err := s.Make(w)
		if err != nil {
			t.Fatal(err)
		}
		if d, ok := c.(*constraints.Distance); ok {
			d.Length = w.Pose(d.B.Body).Point(d.B.Pos_B).Sub(w.Pose(d.A.Body).Point(d.A.Pos_B)).Norm()
		}
		if c, ok := c.(*constraints.Cable); ok {
			c.Length = c.PathLength(w)
		}
		if c, ok := c.(*constraints.Coupler); ok {
			w.Q[0] = c.Ratio*w.Q[1] + c.Offset
		}
		Check(t, c, w)
	})
}

func TestAttachmentsKeepTheContract(t *testing.T) {
	w := NewWorld()
	c, err := constraints.NewFixed(w.Deformable(), []int32{1, 3}, []r3.Vec{w.Verts[1], w.Verts[3]}, 2, w.Pose(2))
	if err != nil {
		t.Fatal(err)
	}
	Check(t, c, w)
}

func TestRegisteredNormalLawsKeepTheirContract(t *testing.T) {
	samples(t, constraints.NormalModels, func(t *testing.T, s constraints.NormalSpec) {
		m, err := s.Make()
		if err != nil {
			t.Fatal(err)
		}
		CheckNormal(t, m)
		for _, name := range constraints.ContactModels.Names() {
			spec, _ := constraints.ContactModels.New(name)
			if c, err := spec.Make(m); err == nil {
				CheckContact(t, c)
			}
		}
	})
}

func TestRegisteredContactLawsKeepTheirContract(t *testing.T) {
	samples(t, constraints.ContactModels, func(t *testing.T, s constraints.ContactSpec) {
		m, err := s.Make(nil)
		if err != nil {
			t.Fatal(err)
		}
		CheckContact(t, m)
	})
}

// faulty is a ball constraint with one fault: a reaction on the second body only, an error
// of another point, no force, or a description of fewer rows.
type faulty struct {
	constraints.Ball
	half, other, weak, short bool
}

func (f *faulty) Describe() constraints.Description {
	d := f.Ball.Describe()
	if f.short {
		d.Rows = d.Rows[:1]
	}
	return d
}

func (f *faulty) Append(k constraints.Kinematics, p *cliques.Problem) int {
	b := f.Ball
	if f.half {
		b.A = constraints.Anchor{Body: f.B.Body, Pos_B: r3.Vec{0.3, 0, 0}}
	}
	if f.weak {
		b.Spring = constraints.Spring{Damping: 1}
	}
	return b.Append(k, p)
}

func (f *faulty) Violation(k constraints.Kinematics) constraints.Violation {
	b := f.Ball
	if f.other {
		b.A.Pos_B[0] += 0.1
	}
	return b.Violation(k)
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
	for want, f := range map[string]faulty{
		"":                    {},
		"rate: ":              {other: true},
		"load: ":              {weak: true},
		"rows":                {half: true},
		"describe: its terms": {short: true},
	} {
		w := NewWorld()
		X := w.Pose(0).Inv().Mul(w.Pose(1))
		f.A, f.B = constraints.Anchor{Body: 0, Pos_B: X.P}, constraints.Anchor{Body: 1}
		var r recorder
		Check(&r, &f, w)
		if got := strings.Join(r.log, "\n"); want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%+v: want a failure with %q, got:\n%s", f, want, got)
		}
	}
}

// stiffer is Hunt and Crossley's law with a wrong fact.
type stiffer struct{ constraints.HuntCrossley }

func (stiffer) StaticForce(k, overlap float64) (force, slope float64) {
	return constraints.HuntCrossley{}.StaticForce(1.01*k, overlap)
}

func (stiffer) StaticDepth(k, load float64) float64 { return load / (1.01 * k) }

// early is Hunt and Crossley's law that acts ahead of its range.
type early struct{ constraints.HuntCrossley }

func (early) New(c *geometry.Contact, pair *constraints.Pair, p *cliques.Problem) constraints.NormalLaw {
	near := *c
	near.Phi -= 1e-3
	return constraints.HuntCrossley{}.New(&near, pair, p)
}

func TestCheckNormalCatchesWrongFacts(t *testing.T) {
	for want, m := range map[string]constraints.NormalModel{"static force": stiffer{}, "range": early{}} {
		var r recorder
		CheckNormal(&r, m)
		if got := strings.Join(r.log, "\n"); !strings.Contains(got, want) {
			t.Errorf("%T: want a failure with %q, got:\n%s", m, want, got)
		}
	}
}
