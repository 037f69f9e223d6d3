package parts

import (
	"math"
	"testing"

	"github.com/curlfree/curlfree/meshes/repair"
)

// FuzzMake changes a few parameters of any kind by a factor or to any number. A
// part that is made is a sound solid; nothing panics or hangs.
func FuzzMake(f *testing.F) {
	for kind := range len(kinds) {
		f.Add(uint8(kind), uint8(0), 1.3, uint8(1), 0.8, uint8(2), 1.1)
		f.Add(uint8(kind), uint8(3), -1.0, uint8(4), 2.0, uint8(5), 0.0)
		f.Add(uint8(kind), uint8(6), 1e9, uint8(7), math.Inf(1), uint8(8), 3.0)
		f.Add(uint8(kind), uint8(9), 0.5, uint8(10), 0.1, uint8(11), 1e-3)
	}
	f.Fuzz(func(t *testing.T, kind, i uint8, a float64, j uint8, b float64, k uint8, c float64) {
		d := kinds[int(kind)%len(kinds)]
		params := map[string][]float64{}
		for _, change := range []struct {
			at uint8
			by float64
		}{{i, a}, {j, b}, {k, c}} {
			p := d.Params[int(change.at)%len(d.Params)]
			for n, x := range p.Default {
				switch {
				case x == 0 && p.Unit == "m":
					x = 1e-5 * change.by
				case x == 0:
					x = change.by
				case n == int(change.at)%len(p.Default):
					x *= change.by
				}
				if p.Whole {
					x = math.Round(x)
				}
				params[p.Name] = append(params[p.Name], x)
			}
		}
		// Coarse enough to be quick.
		if chord, ok := params["chord"]; ok && math.Abs(chord[0]) < 1e-6 {
			delete(params, "chord")
		}
		p, err := Make(d.Name, params)
		if err != nil {
			return
		}
		m, err := p.Surface()
		if err != nil {
			t.Fatalf("%s %v: checked, but %v", d.Name, params, err)
		}
		if err := repair.Watertight(m); err != nil {
			t.Errorf("%s %v: %v", d.Name, params, err)
		}
		for _, fact := range p.Facts() {
			if math.IsNaN(fact.Value) {
				t.Errorf("%s %v: %s is NaN", d.Name, params, fact.Name)
			}
		}
		if len(m.Tris) > 20_000 {
			return
		}
		tets, err := p.Tets()
		if err != nil {
			return // a thread without a bore, or folded: an error, not a bad mesh
		}
		if rep := repair.CheckTet(tets); rep.Err() != nil {
			t.Errorf("%s %v: %v", d.Name, params, rep.Err())
		}
	})
}
