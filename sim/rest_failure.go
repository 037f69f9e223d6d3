package sim

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/r3"
)

// unbalanced names the body, the vertex of a deformable, at which the residual of the forces of the state at hand is largest, with its place.
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

// movedMost names the body that the state x has farthest from where its contacts were detected.
func (s *Stepper) movedMost(x *State) string {
	then := State{Q: s.rest.held.sides[s.rest.held.farthest].q}
	return s.snapBetween(&then, x).Where
}
