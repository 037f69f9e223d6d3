package rigid

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/r3"
)

// panda is a robot with reference values of another program; see testdata/README.md.
type panda struct {
	Gravity r3.Vec
	EE      string `json:"ee"`
	Links   []struct {
		Name     string
		Parent   int
		Joint    string
		XYZ, RPY r3.Vec
		Axis     r3.Vec
		Mass     float64
		Com      r3.Vec
		ComRPY   r3.Vec `json:"com_rpy"`
		Inertia  [6]float64
		Rotor    float64
	}
	Cases []struct {
		Q, V    []float64
		M       [][]float64
		Cv      []float64
		TauG    []float64 `json:"tau_g"`
		Vdot    []float64
		Inverse []float64 `json:"inverse_dynamics_no_gravity_no_damping"`
		Com     r3.Vec
		KE, PE  float64
		Quat    r3.Quat     `json:"ee_quat_wxyz"`
		P       r3.Vec      `json:"ee_p"`
		Vel     [6]float64  `json:"ee_V_W"`
		J       [][]float64 `json:"ee_J_W"`
		Acc     [6]float64  `json:"ee_bias_accel_W"`
	}
}

func loadPanda(t *testing.T) (*panda, *Model, int) {
	t.Helper()
	text, err := os.ReadFile("testdata/panda.json")
	if err != nil {
		t.Fatal(err)
	}
	p := new(panda)
	if err := json.Unmarshal(text, p); err != nil {
		t.Fatal(err)
	}
	var links []LinkSpec
	ee := -1
	for i := range p.Links {
		l := &p.Links[i]
		s := LinkSpec{
			Name: l.Name, Parent: l.Parent, X_PF: r3.Pose{R: r3.RotRPY(l.RPY[0], l.RPY[1], l.RPY[2]), P: l.XYZ},
			Mass: l.Mass, Com_B: l.Com, RotorInertia: l.Rotor,
		}
		I, R := l.Inertia, r3.RotRPY(l.ComRPY[0], l.ComRPY[1], l.ComRPY[2])
		s.Inertia_B = R.Mul(r3.Mat{I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2]}).Mul(R.T())
		switch l.Joint {
		case "revolute":
			s.Joint = Revolute{Axis: l.Axis}
		case "prismatic":
			s.Joint = Prismatic{Axis: l.Axis}
		default:
			s.Joint = Weld{}
		}
		if l.Name == p.EE {
			ee = i
		}
		links = append(links, s)
	}
	return p, build(t, links...), ee
}

// Mass matrix, efforts, energies and the hand's kinematics are those of another
// program, to the round-off of both.
func TestPandaMovesAsElsewhere(t *testing.T) {
	robot, m, ee := loadPanda(t)
	d, n := m.NewData(), m.NumV()
	for i := range robot.Cases {
		c := &robot.Cases[i]
		same := func(what string, got, want []float64) {
			t.Helper()
			for k := range want {
				if math.Abs(got[k]-want[k]) > 1e-13*(1+largest(want...)) {
					t.Errorf("case %d: %s[%d] = %.16g, want %.16g", i, what, k, got[k], want[k])
				}
			}
		}
		var p cliques.Problem
		p.Reset(0, 1e-3)
		d.Place(0, 1e-3, c.Q, c.V)
		d.FreeMotion(r3.Vec{}, nil, &p)

		tau, weight, zero := make([]float64, n), make([]float64, n), make([]float64, n)
		for k, row := range d.mass() {
			same("M", row, c.M[k])
		}
		d.InverseDynamics(r3.Vec{}, c.Vdot, tau)
		same("inverse dynamics", tau, c.Inverse)
		d.InverseDynamics(robot.Gravity, zero, weight)
		d.InverseDynamics(r3.Vec{}, zero, tau)
		same("bias", tau, c.Cv)
		// a controller that includes all links, and one that takes those of the hand for a payload
		d.PlannedEfforts(0, allLinks(m), r3.Vec{}, c.V, c.Vdot, nil, tau)
		for k := range tau {
			tau[k] -= m.links[m.dofs[k]].Damping * c.V[k]
		}
		same("planned efforts", tau, c.Inverse)
		d.InverseDynamics(r3.Vec{}, zero, tau)
		a := d.acc[ee]
		same("hand's acceleration", append(a.w[:], a.v[:]...), c.Acc[:])
		for k := range weight {
			weight[k] = tau[k] - weight[k]
		}
		same("gravity", weight, c.TauG)

		same("energies", []float64{d.KineticEnergy(), d.PotentialEnergy(robot.Gravity)}, []float64{c.KE, c.PE})
		var com r3.Vec // of all links
		mass := 0.0
		for k := range d.bodyInertia {
			mass += d.bodyInertia[k].mass
			com = com.Add(d.x_WB[k].P.Scale(d.bodyInertia[k].mass)).Add(d.bodyInertia[k].mc)
		}
		com = com.Scale(1 / mass)
		same("centre of mass", com[:], c.Com[:])

		X := d.Pose(ee)
		R := c.Quat.Mat()
		same("hand's position", X.P[:], c.P[:])
		same("hand's rotation", X.R[:], R[:])
		w, v := d.Velocity(ee)
		same("hand's velocity", append(w[:], v[:]...), c.Vel[:])
		for row := range 6 {
			h := p.AddConstraint(open{})
			var axis r3.Vec
			axis[row%3] = 1
			if row < 3 {
				d.AngularRow(&p, 0, ee, axis, 1)
			} else {
				d.PointRow(&p, 0, ee, X.P, axis, 1)
			}
			same("Jacobian", p.Blocks(h)[0].J[:n], c.J[row])
		}
		// the same at once, without the second velocity
		columns, whole := make([]int, n), make([]float64, 6*(n-1))
		for k := range columns {
			columns[k] = k - min(1, k/2)
		}
		columns[1] = -1
		d.Jacobian(ee, X.P, columns, n-1, whole)
		for row := range 6 {
			same("chosen columns", whole[row*(n-1):(row+1)*(n-1)], append([]float64{c.J[row][0]}, c.J[row][2:]...))
		}
	}
}

// allLinks marks all links as known.
func allLinks(m *Model) []bool {
	known := make([]bool, m.NumLinks())
	for i := range known {
		known[i] = true
	}
	return known
}

// A payload has the efforts of a link with its mass that is welded to the hand.
func TestPayloadIsAWeldedMass(t *testing.T) {
	robot, m, ee := loadPanda(t)
	com := r3.Vec{0.02, -0.03, 0.11}
	var b Builder
	for i := range m.NumLinks() {
		if _, err := b.Add(m.Link(i)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := b.Add(LinkSpec{Name: "load", Parent: ee, Joint: Weld{}, X_PF: r3.Pose{R: r3.Identity(), P: com}, X_BM: r3.PoseIdentity(), Mass: 0.5}); err != nil {
		t.Fatal(err)
	}
	loaded, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	n := m.NumV()
	for i := range robot.Cases {
		c := &robot.Cases[i]
		d, want, tau := loaded.NewData(), make([]float64, n), make([]float64, n)
		d.Place(0, 1e-3, c.Q, c.V)
		d.InverseDynamics(robot.Gravity, c.Vdot, want)
		known := allLinks(loaded)
		known[loaded.NumLinks()-1] = false
		// the true velocities do not count
		d.Place(0, 1e-3, c.Q, make([]float64, n))
		var p cliques.Problem
		p.Reset(0, 1e-3)
		d.FreeMotion(robot.Gravity, nil, &p)
		d.PlannedEfforts(0, known, robot.Gravity, c.V, c.Vdot, &Payload{Link: ee, Mass: 0.5, Com_B: com}, tau)
		for k := range tau {
			tau[k] -= loaded.links[loaded.dofs[k]].Damping * c.V[k]
			if math.Abs(tau[k]-want[k]) > 1e-12*(1+math.Abs(want[k])) {
				t.Errorf("case %d: effort %d is %.15g, want %.15g", i, k, tau[k], want[k])
			}
		}
	}
}
