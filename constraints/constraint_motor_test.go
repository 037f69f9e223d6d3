package constraints

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/constraints/lawtest"
)

// The law of a motor is convex with exact derivatives on all pieces and where they meet.
func TestMotorsKeepTheLawContract(t *testing.T) {
	lawtest.Check(t, 600, func(r *rand.Rand) lawtest.Sample {
		l := &motorLaw{stall: logUniform(r, -2, 1), noLoad: logUniform(r, -1, 2), lo: math.Inf(-1), hi: math.Inf(1)}
		if r.IntN(2) == 0 {
			l.hi = l.stall * logUniform(r, -1, 1)
			l.lo = -l.hi
		}
		h := 0.01
		switch r.IntN(3) {
		case 0: // a feed forward alone
			l.row = row{f: l.stall / h * 2 * r.NormFloat64(), single: true}
		case 1: // a damper
			l.row = row{d: l.stall / l.noLoad / h * logUniform(r, -1, 2), vd: l.noLoad * r.NormFloat64(), single: true}
		default:
			k := l.stall / l.noLoad / h / h * logUniform(r, -2, 2)
			l.row = row{k: k, d: k * h * r.Float64(), g0: l.noLoad * h * 3 * r.NormFloat64(), vd: l.noLoad * r.NormFloat64(), f: l.stall / h * r.NormFloat64(), single: true}
		}
		l.row.lo, l.row.hi, l.row.vmax = math.Inf(-1), math.Inf(1), math.Inf(1)
		l.Prepare(h, []float64{1})
		var at [][]float64
		for _, end := range l.ends {
			if !math.IsInf(end, 0) && math.Abs(end) < 100*l.noLoad {
				at = append(at, []float64{end})
			}
		}
		return lawtest.Sample{Law: l, Scale: []float64{l.noLoad}, At: at, Name: fmt.Sprintf("%+v", *l)}
	})
}
