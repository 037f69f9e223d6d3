package mjcf

import (
	"gonum.org/v1/gonum/mat"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/scene/robot"
)

// dof is a degree of freedom of the robot in the file's position: the velocities that it gives to the links
// which it moves, per unit of speed.
type dof struct {
	joint int // −1: of the free root
	moves []bool
	turn  r3.Vec // angular velocity in the world
	slide r3.Vec // velocity of a point that the turn leaves where it is
	at    r3.Vec // that point, in the world
	rotor float64
}

// dofs returns all degrees of freedom, those of a free root first.
func (r *reader) dofs() (all []dof) {
	poses := r.linkPoses()
	// free adds turns about the axes of a frame, and motion along those of the world
	free := func(joint int, moves []bool, X_WM r3.Pose, rotor float64, slides bool) {
		for k := range 3 {
			all = append(all, dof{joint: joint, moves: moves, turn: X_WM.R.Col(k), at: X_WM.P, rotor: rotor})
		}
		for k := 0; slides && k < 3; k++ {
			d := dof{joint: joint, moves: moves}
			d.slide[k] = 1
			all = append(all, d)
		}
	}
	if r.m.Floating {
		free(-1, r.below(r.m.Root), poses[r.m.Root], 0, true)
	}
	for i := range r.m.Joints {
		j := &r.m.Joints[i]
		moves, X_WM := r.below(j.Child), poses[j.Child].Mul(j.X_CM)
		switch axis := X_WM.R.MulVec(j.Axis); j.Type {
		case robot.Revolute, robot.Continuous:
			all = append(all, dof{joint: i, moves: moves, turn: axis, at: X_WM.P, rotor: j.RotorInertia})
		case robot.Prismatic:
			all = append(all, dof{joint: i, moves: moves, slide: axis, rotor: j.RotorInertia})
		case robot.Ball:
			free(i, moves, X_WM, j.RotorInertia, false)
		case robot.Floating:
			free(i, moves, X_WM, 0, true)
		}
	}
	return all
}

// massMatrix returns the mass matrix of degrees of freedom in the file's position,
//
//	M_ij = Σ_l m_l v_il·v_jl + ω_i·I_l ω_j + δ_ij rotor_i
//
// over the links l that i and j move, with v_il the velocity of the centre of mass of l for unit speed of i.
func (r *reader) massMatrix(all []dof) *mat.SymDense {
	M := mat.NewSymDense(len(all), nil)
	poses := r.linkPoses()
	var movers []int
	var v, turned []r3.Vec // of the movers: velocity, and angular velocity in the link's axes
	for l := range r.m.Links {
		in := r.m.Links[l].Inertial
		if in == nil {
			continue
		}
		com := poses[l].Point(in.Com)
		movers, v, turned = movers[:0], v[:0], turned[:0]
		for i := range all {
			if d := &all[i]; d.moves[l] {
				movers = append(movers, i)
				v = append(v, d.slide.Add(d.turn.Cross(com.Sub(d.at))))
				turned = append(turned, poses[l].R.TMulVec(d.turn))
			}
		}
		for a, i := range movers {
			momentum, spin := v[a].Scale(in.Mass), in.Inertia.MulVec(turned[a])
			for b, k := range movers[:a+1] {
				M.SetSym(i, k, M.At(i, k)+momentum.Dot(v[b])+spin.Dot(turned[b]))
			}
		}
	}
	for i := range all {
		M.SetSym(i, i, M.At(i, i)+all[i].rotor)
	}
	return M
}
