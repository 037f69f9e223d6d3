package sim

// Derivatives of steps with mimic joints, (1) of mimic.go of package rigid. Parts of a step have derivatives by each
// joint as if it moved by itself, and parts that are differenced as the step has them: with Rᵀ in front of both rows
// are those of the step, and with R behind both columns, where R is the expansion by which all joints move as their
// leaders. Changes of the positions and velocities of a follower alone have no effect; the memory of the midpoint rule
// is read as it is.

import "errors"

// foldRows moves the rows of mimic joints in a right-hand side of H (n) to their leaders.
func (l *Linearization) foldRows(x []float64) {
	if m := l.s.Model.Rigid; m != nil {
		m.FoldEfforts(x[:m.NumV()])
	}
}

// foldCotangent moves the entries of mimic joints in a cotangent of a state (nx) to their leaders.
func (l *Linearization) foldCotangent(lambda []float64) {
	if m := l.s.Model.Rigid; m != nil {
		m.FoldEfforts(lambda[:m.NumV()])
		nv := len(l.place)
		m.FoldEfforts(lambda[nv : nv+m.NumV()])
	}
}

// foldColumns moves the columns of mimic joints in a derivative by the state, with rows of nx numbers, to their
// leaders.
func (l *Linearization) foldColumns(fx []float64, nx int) {
	if m := l.s.Model.Rigid; m == nil || !m.HasFollowers() {
		return
	}
	for i := 0; i < len(fx); i += nx {
		l.foldCotangent(fx[i : i+nx])
	}
}

// followLeaders returns a direction (nx) in which mimic joints move as their leaders, valid until the next call.
func (l *Linearization) followLeaders(dx []float64) []float64 {
	m := l.s.Model.Rigid
	if m == nil || !m.HasFollowers() {
		return dx
	}
	l.direction = append(l.direction[:0], dx...)
	m.FollowVelocities(l.direction[:m.NumV()])
	nv := len(l.place)
	m.FollowVelocities(l.direction[nv : nv+m.NumV()])
	return l.direction
}

// errMimic reports parameters that change how joints follow each other.
var errMimic = errors.New("sim: the parameter changes the ratio or the offset of a mimic joint, by which steps have no derivative: tie the joints by a constraint, coupler")
