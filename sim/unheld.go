package sim

// Missing static equilibrium: the search for a body that has a free rigid motion (mechanism), which
// nothing supports. The rows of constraints and contacts with impulses and stiffness support a body against
// its six rigid motions, or against the velocities of a tree, as far as they span these; what is left
// is free. A body is named where the residual drives it along a free motion. With the unit motions
// m_k of a body (columns of N) and the rows j of its loaded constraints and contacts,
//
//	a_j = Nᵀ J_jᵀ                       what row j holds of the unit motions            (1)
//	f   = (I − Q Qᵀ) Nᵀ r,  r = p/h + q                                                 (2)
//
// Q is an orthonormal basis of the a_j, r the residual (2) of equilibrium.go (N, N m), and f what no row
// carries of it. Source: this program.

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/r3"
)

// rigidMotions are the names of unit motions of a free body, translations first.
var rigidMotions = [6]string{"move along x", "move along y", "move along z", "turn about x", "turn about y", "turn about z"}

// unheld returns why the bodies find no rest, empty if nothing is found: a body without any row
// that the residual drives for some steps, or where bodies went far, one with a free motion.
func (s *Stepper) unheld(far bool) string {
	e := &s.rest
	trees := s.numTrees()
	loose := ""
	for i := range s.Problem.Cliques {
		rows, force, names, held := s.holds(i)
		// a body that may move but that nothing drives rests as it is
		if held || force == 0 {
			continue
		}
		// A tree without rows may be a pendulum, which its weight brings back. A body with rows may be
		// supported by contacts that open and close, or by geometric stiffness. Both count only far away.
		if far || rows == 0 && !(i < trees && s.rigid.model.HasJoints(i)) {
			body := s.Model.Geometry.NumRigid + i - trees // cliques of deformables follow those of trees
			if i < trees {
				body = s.rigid.model.RootOfTree(i)
			}
			loose = fmt.Sprintf("%s is not supported: it is free to %s; attach it, fix it by a joint or constraint, or give it something to rest on", s.BodyName(body), strings.Join(names, ", "))
			break
		}
	}
	if loose == "" {
		// what supports a body may go along with it: its rows carry load and no free motion is found
		e.loose = 0
		if far {
			return fmt.Sprintf("%s moves away without end: the bodies that touch or support it move along or let it slide; attach one of them, or give them something to rest on", s.fastest())
		}
		return ""
	}
	// A body that falls onto another has no row before it touches: it gets four pseudo-steps.
	if e.loose++; e.loose > 4 || far {
		return loose
	}
	return ""
}

// fastest names the body that the last pseudo-step moved farthest, for which m/s and rad/s count
// alike: it serves a message only.
func (s *Stepper) fastest() string {
	most, body := -1.0, 0
	for i := range s.Problem.Cliques {
		c := &s.Problem.Cliques[i]
		for _, v := range s.vNext[c.Offset : c.Offset+c.Size] {
			if math.Abs(v) <= most {
				continue
			}
			most, body = math.Abs(v), s.Model.Geometry.NumRigid+i-s.numTrees()
			if i < s.numTrees() {
				body = s.rigid.model.RootOfTree(i)
			}
		}
	}
	return s.BodyName(body)
}

// holds counts the rows with impulses on clique i, and returns the part of the residual along its
// free motions, |f| of (2), and their names. held: it has none. It allocates, which only a search for
// rest that fails or takes long pays.
func (s *Stepper) holds(i int) (rows int, force float64, names []string, held bool) {
	p, c := &s.Problem, &s.Problem.Cliques[i]
	motions, names := s.unitMotions(i)
	if motions == nil {
		return 0, 0, nil, true
	}
	// Q: motions are of unit velocity, so that less than 1e-6 of a row beyond its span is round-off
	var basis [][]float64
	add := func(row []float64) {
		if r := reduce(row, basis); r > 1e-6 {
			basis = append(basis, row)
		}
	}
	for h := range p.Constraints {
		// An open contact has no impulse. A load has an impulse but no stiffness G = ∂²ℓ/∂c², and holds nothing.
		gamma := slices.Clone(p.Impulse(cliques.Handle(h)))
		G := make([]float64, len(gamma)*len(gamma))
		p.Constraints[h].Law.Eval(p.Velocity(cliques.Handle(h)), gamma, G)
		for r, y := range gamma {
			if y == 0 || G[r*len(gamma)+r] == 0 {
				continue
			}
			// a_j, (1)
			row, touched := make([]float64, len(motions)), false
			for _, b := range p.Blocks(cliques.Handle(h)) {
				if b.Node < c.First || int(b.Node) >= int(c.First)+c.Nodes {
					continue
				}
				touched = true
				n, o := p.NodeSize[b.Node], p.NodeOffset[b.Node]-c.Offset
				for k, m := range motions {
					for j := range n {
						row[k] += b.J[r*n+j] * m[o+j]
					}
				}
			}
			if touched {
				rows++
				add(row)
			}
		}
	}
	// (2): the residual along the motions, less what rows carry
	drive := make([]float64, len(motions))
	for k, m := range motions {
		for j, x := range m {
			f := p.P[c.Offset+j] / p.H
			// q is missing, or of other bodies' nodes, before the first pseudo-step has been solved
			if len(s.rest.force) == p.Size() {
				f += s.rest.force[c.Offset+j]
			}
			drive[k] += x * f
		}
	}
	if f := reduce(drive, basis); f > 1e-6*s.rest.scale {
		force = f
	}
	// a unit motion is free where at least a tenth of it lies outside the span of the rows
	var free []string
	for k := range motions {
		unit := make([]float64, len(motions))
		unit[k] = 1
		if reduce(unit, basis) > 0.1 {
			free = append(free, names[k])
		}
	}
	return rows, force, free, len(free) == 0
}

// unitMotions returns velocities of clique i for its unit motions, and their names: the six of
// a rigid motion of a body, or the velocities of a tree with joints (each m/s or rad/s, size of the
// clique); nil for a deformable with
// fixed vertices.
func (s *Stepper) unitMotions(i int) (motions [][]float64, names []string) {
	c, trees := &s.Problem.Cliques[i], s.numTrees()
	if i < trees {
		first, _ := s.rigid.model.DofsOfTree(i)
		for k := range c.Size {
			// the velocities of a tree are its unit motions already, those of mimic joints with their leaders
			if _, _, follows := s.rigid.model.Leader(first + k); follows {
				continue
			}
			m := make([]float64, c.Size)
			m[k] = 1
			for j := range m {
				if leader, ratio, _ := s.rigid.model.Leader(first + j); leader == first+k {
					m[j] = ratio
				}
			}
			motions = append(motions, m)
			if !s.rigid.model.HasJoints(i) && c.Size == 6 {
				names = append(names, rigidMotions[(k+3)%6]) // rotations first
			} else {
				names = append(names, "move by the joint of "+s.BodyName(s.rigid.model.LinkOfDof(first+k)))
			}
		}
		return motions, names
	}
	d := s.deformables[i-trees]
	// fixed vertices are not in the problem: those that are left hang on them by elastic forces
	if 3*d.model.NumVerts() > c.Size {
		return nil, nil
	}
	center, x := d.CenterOfMass(), d.Positions()
	// Rotations about the centre of mass have 1 m/s at the vertex farthest from it, so that the
	// thresholds of rows and of free motions mean the same for translations and rotations.
	size := 0.0
	for _, p := range x {
		size = math.Max(size, p.Sub(center).Norm())
	}
	for k := range 6 {
		m := make([]float64, c.Size)
		for v, p := range x {
			u := r3.Vec{}
			u[k%3] = 1 // along, or about, an axis of the world
			if k >= 3 {
				u = u.Cross(p.Sub(center)).Scale(1 / size)
			}
			copy(m[3*v:], u[:])
		}
		motions = append(motions, m)
	}
	return motions, rigidMotions[:]
}

// reduce subtracts from a row its parts along an orthonormal basis and normalizes the rest, of
// which it returns the length: modified Gram-Schmidt. A second pass removes the round-off of the first
// where the row nearly lies in the span, and a third gains nothing. Source: Parlett, "The symmetric
// eigenvalue problem", section 6.9.
func reduce(row []float64, basis [][]float64) float64 {
	for range 2 { // twice is enough
		for _, b := range basis {
			dot := 0.0
			for k := range row {
				dot += row[k] * b[k]
			}
			for k := range row {
				row[k] -= dot * b[k]
			}
		}
	}
	sum := 0.0
	for _, x := range row {
		sum += x * x
	}
	length := math.Sqrt(sum)
	// zeros have no direction
	if length > 0 {
		for k := range row {
			row[k] /= length
		}
	}
	return length
}
