package scene

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

// mujocoRobot is what MuJoCo 3.12.0 computes of a file; bench/peers/robots.mjs says how.
type mujocoRobot struct {
	File    string
	Dofs    int
	Gravity r3.Vec
	Joints  []struct {
		Name           string
		Q, V, Z, Mz, A float64
		Lower, Upper   *float64
	}
}

var equalities = regexp.MustCompile(`(?s)<equality>.*?</equality>`)

// ours are mass matrix and accelerations under weight alone of a robot at a state of MuJoCo's.
type ours struct {
	M            *mat.SymDense
	a            mat.VecDense
	dof          []int // of each joint of MuJoCo's
	lower, upper []float64
}

// compute loads a robot and computes what MuJoCo did.
func (r *mujocoRobot) compute(t *testing.T, path string) ours {
	t.Helper()
	path, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	// MuJoCo's mass matrix includes no equalities, which make mimic joints of joints
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if free := equalities.ReplaceAll(text, nil); len(free) < len(text) {
		path = filepath.Join(t.TempDir(), filepath.Base(path))
		if err := os.WriteFile(path, free, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	sc := mustLoad(t, t.TempDir(), "time: {step: 0.01, duration: 1}\nrobots: {r: {file: \""+filepath.ToSlash(path)+"\", missing_meshes: skip, visuals: false}}\n")
	m := sc.Model.Rigid
	q, v := m.Start()
	o := ours{dof: make([]int, len(r.Joints))}
	for i, j := range r.Joints {
		dof := sc.Model.Joint("r." + j.Name)
		link := m.LinkOfDof(dof)
		q[m.QStart(link)], v[dof], o.dof[i] = j.Q, j.V, dof
		lower, upper := math.Inf(-1), math.Inf(1)
		for _, c := range sc.Model.Constraints {
			if l, ok := c.(*constraints.Limit); ok && l.Dof == dof {
				lower, upper = l.Lower, l.Upper
			}
		}
		o.lower, o.upper = append(o.lower, lower), append(o.upper, upper)
	}
	if !consistent(m, q, v) {
		t.Skipf("%s: its state is not that of its mimic joints", r.File)
	}
	d := m.NewData()
	n := m.NumV()
	if n != r.Dofs {
		t.Fatalf("%s: %d degrees of freedom, MuJoCo has %d", r.File, n, r.Dofs)
	}
	zero, tau := make([]float64, n), make([]float64, n)
	d.Place(0, 0.01, q, v)
	d.InverseDynamics(r.Gravity, zero, tau)
	bias := mat.NewVecDense(n, append([]float64{}, tau...))
	// columns of M: efforts of unit accelerations, without weight, at rest
	d.Place(0, 0.01, q, zero)
	o.M = mat.NewSymDense(n, nil)
	for k := range n {
		unit := make([]float64, n)
		unit[k] = 1
		d.InverseDynamics(r3.Vec{}, unit, tau)
		for i := range k + 1 {
			o.M.SetSym(i, k, tau[i])
		}
	}
	var ch mat.Cholesky
	if !ch.Factorize(o.M) {
		t.Fatalf("%s: the mass matrix is not positive definite", r.File)
	}
	bias.ScaleVec(-1, bias)
	if err := ch.SolveVecTo(&o.a, bias); err != nil {
		t.Fatal(err)
	}
	return o
}

// diagonalized are files whose inertias are full matrices with products beside tiny moments, or
// those of meshes. MuJoCo turns such a matrix into principal moments by Jacobi rotations that end
// where products are below 1e-12 kg m², which moves its numbers by up to 1e-8. Package robot keeps
// the matrix as it is.
var diagonalized = []string{"crane.xml", "franka_emika_panda/panda.xml", "agility_cassie/cassie.xml"}

// agree compares with MuJoCo to 1e-9 of the largest number of its kind.
func (r *mujocoRobot) agree(t *testing.T, o ours) {
	t.Helper()
	tol := 1e-9
	if slices.Contains(diagonalized, r.File) {
		tol = 1e-8
	}
	var most, fastest float64
	for _, j := range r.Joints {
		most, fastest = max(most, math.Abs(j.Mz)), max(fastest, math.Abs(j.A))
	}
	for i, j := range r.Joints {
		var Mz float64
		for k := range r.Joints {
			Mz += o.M.At(o.dof[i], o.dof[k]) * r.Joints[k].Z
		}
		near(t, r.File+": M z of "+j.Name, Mz/most, j.Mz/most, tol)
		near(t, r.File+": acceleration of "+j.Name, o.a.AtVec(o.dof[i])/fastest, j.A/fastest, tol)
		lower, upper := math.Inf(-1), math.Inf(1)
		if j.Lower != nil {
			lower, upper = *j.Lower, *j.Upper
		}
		for _, c := range [][2]float64{{o.lower[i], lower}, {o.upper[i], upper}} {
			if c[0] != c[1] && !(math.Abs(c[0]-c[1]) <= 1e-9) {
				t.Errorf("%s: limits of %s are %g to %g, MuJoCo has %g to %g", r.File, j.Name, o.lower[i], o.upper[i], lower, upper)
			}
		}
	}
}

// mujocoRobots reads vectors of testdata.
func mujocoRobots(t *testing.T, name string) (robots []mujocoRobot) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &robots); err != nil {
		t.Fatal(err)
	}
	return robots
}

// Mass matrix, accelerations and limits of MJCF files are those of MuJoCo.
func TestRobotsMoveAsInMuJoCo(t *testing.T) {
	for _, r := range mujocoRobots(t, "mujoco.json") {
		path := filepath.Join("testdata", r.File)
		if r.File == "reference.xml" {
			path = "mjcf/reference.xml"
		}
		t.Run(r.File, func(t *testing.T) { r.agree(t, r.compute(t, path)) })
	}
}

// consistent reports whether joints of a state that follow others are where these put them: MuJoCo's own states leave
// equalities.
func consistent(m *rigid.Model, q, v []float64) bool {
	q1, v1 := slices.Clone(q), slices.Clone(v)
	m.Follow(q1, v1)
	return slices.Equal(q, q1) && slices.Equal(v, v1)
}

// The same of robots of MuJoCo's menagerie, below the folder that CURLFREE_MENAGERIE names.
func TestMenagerieMovesAsInMuJoCo(t *testing.T) {
	root := os.Getenv("CURLFREE_MENAGERIE")
	if root == "" {
		t.Skip("CURLFREE_MENAGERIE names no folder")
	}
	for _, r := range mujocoRobots(t, "menagerie.json") {
		path := filepath.Join(root, r.File)
		if _, err := os.Stat(path); err != nil {
			t.Logf("%s is not there", r.File)
			continue
		}
		t.Run(r.File, func(t *testing.T) { r.agree(t, r.compute(t, path)) })
	}
}
