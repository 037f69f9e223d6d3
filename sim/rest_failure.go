package sim

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/r3"
)

// unbalanced names the body, the vertex of a deformable, at which the residual of the forces of the state at hand is
// largest, with its place.
func (s *Stepper) unbalanced() string {
	most, at := 0.0, -1
	for i, f := range s.rest.now.total {
		if math.Abs(f) > most {
			most, at = math.Abs(f), i
		}
	}
	if at < 0 {
		return "nowhere"
	}
	unit := "N"
	k, i := 0, at
	for ; i >= s.solved[k]; k++ {
		i -= s.solved[k]
	}
	var place r3.Vec
	if d, ok := s.subsystems[k].(*deformableBody); ok {
		place = d.Positions()[d.vertexOf(int32(i/3))]
	} else {
		place = s.Geometry.X_WB[s.rigid.model.LinkOfDof(i)].P
		unit = "N or N m"
	}
	return fmt.Sprintf("%.2g %s at %s, near (%.4g, %.4g, %.4g) m", most, unit, s.ownerOfSolved(at), place[0], place[1], place[2])
}

// crushed is the error of a state at which the matrix of a vertex or a tree alone has no inverse.
func (s *Stepper) crushed(err error) error {
	return fmt.Errorf("%w: %w; apply loads and motions over more steps (time.step below time.duration), or refine the mesh where elements are crushed", errNoRest, s.attribute(err))
}

// contactsMove is the error of contacts that move the state x on wherever they are detected.
func (s *Stepper) contactsMove(x *State) error {
	return fmt.Errorf("%w: contacts that are detected again move the bodies by %.2g m from state to state, most %s; refine the mesh where bodies touch, or lower the stiffness of their contact", errNoRest, s.rest.held.moved, s.movedMost(x))
}

// noShorterStep is the error of pseudo-steps that fail however short they are.
func (s *Stepper) noShorterStep(failure error) error {
	return fmt.Errorf("%w: %w; the residual of the forces is largest, %s; apply loads and motions over more steps (time.step below time.duration), or soften contacts there", errNoRest, failure, s.unbalanced())
}

// noBalance is the error of a search that comes to no balance.
func (s *Stepper) noBalance() error {
	return fmt.Errorf("%w: the residual of the forces is still %.2g of the loads, largest %s; apply loads and motions over more steps (time.step below time.duration), or look for parts that buckle, slide or swing freely there", errNoRest, s.rest.relative(), s.unbalanced())
}

// movedMost names the body that the state x has farthest from where its contacts were detected.
func (s *Stepper) movedMost(x *State) string {
	then := State{Q: s.rest.held.sides[s.rest.held.farthest].q}
	return s.snapBetween(&then, x).Where
}
