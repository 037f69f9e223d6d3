package jointtest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

func TestRegisteredJointsKeepTheirContract(t *testing.T) {
	if err := kinds.Check(rigid.Joints); err != nil {
		t.Error(err)
	}
	for _, k := range rigid.Joints.Entries() {
		for i, s := range k.Samples() {
			t.Run(fmt.Sprint(k.Name, i), func(t *testing.T) {
				for _, err := range kinds.Validate(s) {
					t.Error(err)
				}
				j, err := s.Make()
				if err != nil {
					t.Fatal(err)
				}
				Check(t, j)
			})
		}
	}
}

func TestDefaultsOfJointsAreValidOrMissKeys(t *testing.T) {
	for _, k := range rigid.Joints.Kinds() {
		j, err := rigid.Joints.Entry(k.Name).New().Make()
		// a required parameter may have no valid default: the error names it
		missing := err != nil && slices.ContainsFunc(k.Params, func(p kinds.Param) bool {
			return p.Required && strings.Contains(err.Error(), p.Key)
		})
		if !missing && (err != nil || j.Check() != nil) {
			t.Errorf("%s: %v", k.Name, err)
		}
	}
}

// faulty is a gimbal with one fault.
type faulty struct {
	rigid.Gimbal
	zero, subspace, rate, bias, step, carried, tangent bool
}

func (f faulty) Zero(q []float64) {
	f.Gimbal.Zero(q)
	if f.zero {
		q[1] = 1e-3
	}
}

func (f faulty) Subspace_FM(q []float64, k int) (w, v r3.Vec) {
	w, v = f.Gimbal.Subspace_FM(q, k)
	if f.subspace && k == 2 {
		w[0] += 1e-3
	}
	return w, v
}

func (f faulty) AccelerationBias_FM(q, v []float64) (alpha, a r3.Vec) {
	if f.bias {
		return
	}
	return f.Gimbal.AccelerationBias_FM(q, v)
}

func (f faulty) Advance(h float64, q, v []float64) {
	f.Gimbal.Advance(h, q, v)
	if f.rate {
		q[0] += 1e-3 * h * v[0]
	}
}

func (f faulty) Step(h float64, q, v []float64) error {
	before := [3]float64(v)
	if f.step {
		f.Gimbal.Advance(h, q, v)
		return nil
	}
	err := f.Gimbal.Step(h, q, v)
	if f.carried {
		copy(v, before[:])
	}
	return err
}

func (f faulty) StepTangent(h float64, q, v, dst []float64) {
	f.Gimbal.StepTangent(h, q, v, dst)
	if f.tangent {
		dst[20] += 1e-3
	}
}

// recorder collects failures instead of failing.
type recorder struct {
	testing.TB
	log []string
}

func (r *recorder) Helper()                           {}
func (r *recorder) Errorf(format string, args ...any) { r.log = append(r.log, format) }
func (r *recorder) Fatalf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }

func TestCheckCatchesEachFault(t *testing.T) {
	for want, j := range map[string]faulty{
		"":              {},
		"zero: ":        {zero: true},
		"twist: ":       {subspace: true},
		"coordinates:":  {rate: true},
		"bias: ":        {bias: true},
		"power: ":       {bias: true},
		"step: in":      {step: true},
		"step: the vel": {carried: true},
		"step tangent":  {tangent: true},
		"parameters: ":  {Gimbal: rigid.Gimbal{Axes: [3]r3.Vec{{1, 0, 0}}}},
	} {
		var r recorder
		Check(&r, j)
		if got := strings.Join(r.log, "\n"); want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%+v: want a failure with %q, got:\n%s", j, want, got)
		}
	}
}
