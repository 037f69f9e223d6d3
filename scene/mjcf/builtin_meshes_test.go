package mjcf

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/meshes/repair"
	"github.com/curlfree/curlfree/r3"
)

// Mass, centre of mass and principal moments of built-in meshes, scaled by 1, 2 and 0.5, with 1000 kg/m³:
// MuJoCo 3.12.0, inertia="exact". It stores vertices in single precision.
func TestBuiltinMeshesWeighWhatTheyDoInMuJoCo(t *testing.T) {
	for _, c := range []struct {
		kind, params string
		mass, x, z   float64
		moments      [3]float64
	}{
		{"sphere", "2", 4047.0446616510244, 0, 0, [3]float64{988.855911118258, 3362.110109357102, 3955.4236603091067}},
		{"sphere", "3", 4152.740778128605, 0, 0, [3]float64{1032.2233826189304, 3509.5595074675025, 4128.8935489943515}},
		{"sphere", "4", 4179.738957796405, 0, 0, [3]float64{1043.4291229155244, 3547.6590047539394, 4173.716475586526}},
		{"hemisphere", "3", 1909.7436909829885, 0, 0.18130305369714825, [3]float64{386.4542735891728, 1464.6040447381263, 1796.9162852482552}},
		{"cone", "7 .5", 3192.4785189992135, 0, -0.10714285714285712, [3]float64{700.6327986867547, 2091.553235324585, 2318.200702874211}},
		{"supersphere", "20 .4 2", 2502.4949501132837, 0, 0, [3]float64{520.8714239857363, 1895.7985813473588, 2291.5452622693715}},
		{"supersphere", "9 1.7 .3", 4107.673075374643, -0.006064425406044892, 0, [3]float64{1010.2502911615555, 3109.200674899955, 3502.401270225466}},
		{"supersphere", "20 3 3", 382.49399577449947, 0, 0, [3]float64{24.493392995220304, 83.75525032201799, 98.76976221132945}},
		{"supertorus", "40 .3 1 1", 1761.96534910537, 0, 0, [3]float64{946.2168367684026, 3755.256204603825, 4681.732279725708}},
		{"supertorus", "9 .8 .4 2", 9054.757199371938, 0.012366709387212292, 0, [3]float64{5014.34427357654, 18747.23015430816, 22910.59812986839}},
	} {
		m, _ := model(t, fmt.Sprintf(`<asset><mesh name="s" scale="1 2 .5" builtin=%q params=%q/></asset>`, c.kind, c.params)+world(`<body name="b"><joint/><geom type="mesh" mesh="s"/></body>`))
		in := link(t, m, "b").Inertial
		_, p := r3.SymEigen(in.Inertia)
		moments := p[:]
		slices.Sort(moments)
		if r := math.Abs(in.Mass/c.mass - 1); !(r < 1e-6) || math.Abs(in.Com[0]-c.x) > 1e-6 || math.Abs(in.Com[2]-c.z) > 1e-6 {
			t.Errorf("%s %s: %.10g kg at %v, want %.10g", c.kind, c.params, in.Mass, in.Com, c.mass)
		}
		for k, want := range c.moments {
			if r := math.Abs(moments[k]/want - 1); !(r < 1e-6) {
				t.Errorf("%s %s: moments %v, want %v", c.kind, c.params, moments, c.moments)
			}
		}
	}
}

// Surfaces of all parameters are closed and face outwards.
func TestBuiltinMeshesAreClosed(t *testing.T) {
	for n := range 5 {
		for _, kind := range []string{"sphere 0", "hemisphere 0", "cone 3 0.7", "cone 3 0", "supersphere 3 0.7 1.3", "supertorus 3 0.4 0.8 1.2"} {
			f := strings.Fields(kind)
			var first float64
			_, _ = fmt.Sscan(f[1], &first)
			params := append([]string{fmt.Sprint(first + float64(n))}, f[2:]...)
			m, _ := model(t, fmt.Sprintf(`<asset><mesh name="s" builtin=%q params=%q/></asset>`, f[0], strings.Join(params, " "))+world(`<body name="b"><joint/><geom type="sdf" mesh="s"/></body>`))
			g := link(t, m, "b").Collisions[0]
			if err := repair.Watertight(g.Mesh.Triangles); err != nil || g.Mesh.ConvexHull {
				t.Errorf("%s %v: %v", f[0], params, err)
			}
			// 2 + 10·4ⁿ corners
			if f[0] == "sphere" && len(g.Mesh.Triangles.Verts) != 2+10<<(2*n) {
				t.Errorf("%d corners of a sphere divided %d times", len(g.Mesh.Triangles.Verts), n)
			}
		}
	}
}

func TestFaultyBuiltinMeshesAreRefused(t *testing.T) {
	for mesh, want := range map[string]string{
		`builtin="wedge" params="1 2"`:              "sphere, hemisphere, cone, supersphere and supertorus are read",
		`builtin="sphere"`:                          "has no params: 1 are required",
		`builtin="sphere" params="5"`:               "parameter 1 is 5: it must be from 0 to 4",
		`builtin="sphere" params="1.5"`:             "the first a whole number",
		`builtin="cone" params="3"`:                 "params",
		`builtin="cone" params="1e9 1"`:             "from 3 to 256",
		`builtin="supertorus" params="3 0 1 1"`:     "parameter 2 is 0",
		`builtin="supersphere" params="4 -1 1e300"`: "parameter 2 is -1",
	} {
		_, _, err := Parse(strings.NewReader(`<mujoco><asset><mesh name="s" `+mesh+`/></asset>`+world(`<body><joint/><geom type="mesh" mesh="s"/></body>`)+`</mujoco>`), "m.xml", nil)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", mesh, err, want)
		}
	}
}
