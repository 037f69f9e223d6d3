package urdf_test

import (
	"encoding/json"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
	"github.com/curlfree/curlfree/scene/robot"
	"github.com/curlfree/curlfree/scene/urdf"
)

// pandaVectors are what another program computes for the Panda.
type pandaVectors struct {
	Ee      string
	Gravity r3.Vec
	Links   []struct {
		Name, Joint string
		Mass        float64
	}
	Cases []struct {
		Q, V, Cv, Vdot  []float64
		M               [][]float64
		TauG            []float64 `json:"tau_g"`
		InverseDynamics []float64 `json:"inverse_dynamics_no_gravity_no_damping"`
		KE, PE          float64
		EeQuat          r3.Quat     `json:"ee_quat_wxyz"`
		EePos           r3.Vec      `json:"ee_p"`
		EeV             []float64   `json:"ee_V_W"`
		EeJ             [][]float64 `json:"ee_J_W"`
	}
}

// findModel looks for a robot file below the folder that CURLFREE_MODELS names.
func findModel(t *testing.T, name string) string {
	t.Helper()
	root := os.Getenv("CURLFREE_MODELS")
	if root == "" {
		t.Skip("CURLFREE_MODELS names no folder of robots")
	}
	found := ""
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Name() == name && found == "" {
			found = path
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if found == "" {
		t.Skipf("no %s below CURLFREE_MODELS", name)
	}
	return found
}

// panda builds the arm, its base welded to the world, without the springs and
// dampers of joints.
func panda(t *testing.T, file string) (m *rigid.Model, arm *robot.Robot, links []int) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	arm, _, err = urdf.Parse(f, file)
	if err != nil {
		t.Fatal(err)
	}
	var b rigid.Builder
	links = make([]int, len(arm.Links))
	add := func(i int, s rigid.LinkSpec) {
		s.Name, s.X_BM = arm.Links[i].Name, r3.PoseIdentity()
		if in := arm.Links[i].Inertial; in != nil {
			s.Mass, s.Com_B, s.Inertia_B = in.Mass, in.Com, in.Inertia
		}
		if links[i], err = b.Add(s); err != nil {
			t.Fatal(err)
		}
	}
	add(arm.Root, rigid.LinkSpec{Parent: rigid.World, Joint: rigid.Weld{}, X_PF: r3.PoseIdentity()})
	for _, k := range arm.Order() {
		j := &arm.Joints[k]
		s := rigid.LinkSpec{Parent: links[j.Parent], X_PF: j.X_PF, RotorInertia: j.RotorInertia}
		switch j.Type {
		case robot.Fixed:
			s.Joint = rigid.Weld{}
		case robot.Prismatic:
			s.Joint = rigid.Prismatic{Axis: j.Axis}
		default:
			s.Joint = rigid.Revolute{Axis: j.Axis}
		}
		add(j.Child, s)
	}
	if m, err = b.Build(); err != nil {
		t.Fatal(err)
	}
	return m, arm, links
}

// open is a law without a cost, to open constraints with.
type open struct{}

func (open) Dim() int                              { return 6 }
func (open) Prepare(float64, []float64)            {}
func (open) Eval(_, _, _ []float64) (cost float64) { return 0 }

// The robot file, read here, gives mass matrix, bias, weight, energies,
// pose and Jacobian as Drake computes them from the same file.
func TestPandaMovesAsInDrake(t *testing.T) {
	text, err := os.ReadFile("../../rigid/testdata/panda.json")
	if err != nil {
		t.Fatal(err)
	}
	var want pandaVectors
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	m, arm, links := panda(t, findModel(t, "panda_arm_hand.urdf"))
	n := m.NumV()
	var dof []int // of each joint of the vectors
	ee := -1
	for _, l := range want.Links {
		i := slices.IndexFunc(arm.Links, func(r robot.Link) bool { return r.Name == l.Name })
		if i < 0 {
			t.Fatalf("no link %q", l.Name)
		}
		if l.Joint != "fixed" {
			dof = append(dof, m.VStart(links[i]))
		}
		if l.Name == want.Ee {
			ee = links[i]
		}
		if x := m.Link(links[i]).Mass; x != l.Mass {
			t.Errorf("%s has a mass of %g kg, want %g", l.Name, x, l.Mass)
		}
	}
	if n != len(dof) {
		t.Fatalf("%d velocities, want %d", n, len(dof))
	}

	d := m.NewData()
	var p cliques.Problem
	worst := 0.0
	near := func(what string, got, want, scale float64) {
		t.Helper()
		e := math.Abs(got-want) / (1e-3 + scale)
		worst = math.Max(worst, e)
		if !(e < 1e-11) {
			t.Errorf("%s: %.15g, want %.15g", what, got, want)
		}
	}
	for _, c := range want.Cases {
		q, v, vdot, zero := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
		for i, k := range dof {
			q[k], v[k], vdot[k] = c.Q[i], c.V[i], c.Vdot[i]
		}
		d.Place(0, 1e-3, q, v)
		p.Reset(0, 1e-3)
		d.FreeMotion(r3.Vec{}, nil, &p)
		bias, tau, tauG := make([]float64, n), make([]float64, n), make([]float64, n)
		d.InverseDynamics(r3.Vec{}, zero, bias)
		d.InverseDynamics(r3.Vec{}, vdot, tau)
		d.InverseDynamics(want.Gravity, zero, tauG)
		p.AddConstraint(open{})
		X := d.Pose(ee)
		for k, e := range []r3.Vec{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}} {
			d.AngularRow(&p, k, ee, e, 1)
			d.PointRow(&p, 3+k, ee, X.P, e, 1)
		}
		A, J := p.Cliques[0].A, p.Block(0)
		for i, a := range dof {
			near("Cv", bias[a], c.Cv[i], largest(c.Cv))
			near("inverse dynamics", tau[a], c.InverseDynamics[i], largest(c.InverseDynamics))
			near("tau_g", bias[a]-tauG[a], c.TauG[i], largest(c.TauG))
			for j, b := range dof {
				near("M", A[a*n+b], c.M[i][j], math.Sqrt(c.M[i][i]*c.M[j][j]))
			}
			for k := range 6 {
				near("J", J[k*n+a], c.EeJ[k][i], 1)
			}
		}
		near("kinetic energy", d.KineticEnergy(), c.KE, c.KE)
		near("potential energy", d.PotentialEnergy(want.Gravity), c.PE, c.PE)
		R := c.EeQuat.Mat()
		for k := range R {
			near("R", X.R[k], R[k], 1)
		}
		w, u := d.Velocity(ee)
		for k := range 3 {
			near("p", X.P[k], c.EePos[k], 1)
			near("ω", w[k], c.EeV[k], 1)
			near("v", u[k], c.EeV[3+k], 1)
		}
	}
	t.Logf("worst relative difference %.2g", worst)
}

func largest(x []float64) float64 {
	s := 0.0
	for _, a := range x {
		s = math.Max(s, math.Abs(a))
	}
	return s
}
