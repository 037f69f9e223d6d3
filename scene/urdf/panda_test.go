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
	Cases []pandaCase
}

// pandaCase is one state with what follows from it.
type pandaCase struct {
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

// The file of the Panda gives mass matrix, bias, weight, energies, pose and Jacobian
// as Drake computes them from the same file.
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
	c := pandaCheck{T: t, d: m.NewData(), gravity: want.Gravity}
	for _, l := range want.Links {
		i := slices.IndexFunc(arm.Links, func(r robot.Link) bool { return r.Name == l.Name })
		if i < 0 {
			t.Fatalf("no link %q", l.Name)
		}
		if l.Joint != "fixed" {
			c.dof = append(c.dof, m.VStart(links[i]))
		}
		if l.Name == want.Ee {
			c.ee = links[i]
		}
		if x := m.Link(links[i]).Mass; x != l.Mass {
			t.Errorf("%s has a mass of %g kg, want %g", l.Name, x, l.Mass)
		}
	}
	if m.NumV() != len(c.dof) {
		t.Fatalf("%d velocities, want %d", m.NumV(), len(c.dof))
	}
	for i := range want.Cases {
		c.state(&want.Cases[i])
	}
	t.Logf("worst relative difference %.2g", c.worst)
}

// pandaCheck compares states of the arm with the other program's.
type pandaCheck struct {
	*testing.T
	d       *rigid.Data
	dof     []int // velocity of each joint of the vectors
	ee      int   // link of the end effector
	gravity r3.Vec
	worst   float64 // relative difference
}

func (c *pandaCheck) near(what string, got, want, scale float64) {
	c.Helper()
	e := math.Abs(got-want) / (1e-3 + scale)
	c.worst = math.Max(c.worst, e)
	if !(e < 1e-11) {
		c.Errorf("%s: %.15g, want %.15g", what, got, want)
	}
}

// state compares one state: forces and mass matrix, energies, the end effector.
func (c *pandaCheck) state(want *pandaCase) {
	n, d := len(c.dof), c.d
	q, v, vdot, zero := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	for i, k := range c.dof {
		q[k], v[k], vdot[k] = want.Q[i], want.V[i], want.Vdot[i]
	}
	var p cliques.Problem
	d.Place(0, 1e-3, q, v)
	p.Reset(0, 1e-3)
	d.FreeMotion(r3.Vec{}, nil, &p)
	bias, tau, tauG := make([]float64, n), make([]float64, n), make([]float64, n)
	d.InverseDynamics(r3.Vec{}, zero, bias)
	d.InverseDynamics(r3.Vec{}, vdot, tau)
	d.InverseDynamics(c.gravity, zero, tauG)
	A := p.Cliques[0].A
	for i, a := range c.dof {
		c.near("Cv", bias[a], want.Cv[i], largest(want.Cv))
		c.near("inverse dynamics", tau[a], want.InverseDynamics[i], largest(want.InverseDynamics))
		c.near("tau_g", bias[a]-tauG[a], want.TauG[i], largest(want.TauG))
		for j, b := range c.dof {
			c.near("M", A[a*n+b], want.M[i][j], math.Sqrt(want.M[i][i]*want.M[j][j]))
		}
	}
	c.near("kinetic energy", d.KineticEnergy(), want.KE, want.KE)
	c.near("potential energy", d.PotentialEnergy(c.gravity), want.PE, want.PE)
	c.endEffector(want, &p)
}

// endEffector compares pose, velocity and Jacobian of the last link.
func (c *pandaCheck) endEffector(want *pandaCase, p *cliques.Problem) {
	X := c.d.Pose(c.ee)
	p.AddConstraint(open{})
	for k, e := range []r3.Vec{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}} {
		c.d.AngularRow(p, k, c.ee, e, 1)
		c.d.PointRow(p, 3+k, c.ee, X.P, e, 1)
	}
	J, n := p.Block(0), len(c.dof)
	for i, a := range c.dof {
		for k := range 6 {
			c.near("J", J[k*n+a], want.EeJ[k][i], 1)
		}
	}
	R := want.EeQuat.Mat()
	for k := range R {
		c.near("R", X.R[k], R[k], 1)
	}
	w, u := c.d.Velocity(c.ee)
	for k := range 3 {
		c.near("p", X.P[k], want.EePos[k], 1)
		c.near("ω", w[k], want.EeV[k], 1)
		c.near("v", u[k], want.EeV[3+k], 1)
	}
}

func largest(x []float64) float64 {
	s := 0.0
	for _, a := range x {
		s = math.Max(s, math.Abs(a))
	}
	return s
}
