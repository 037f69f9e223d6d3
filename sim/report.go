package sim

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"slices"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/convex"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

// Stage names the six calls of a step, in order.
type Stage int

// The stages of a step.
const (
	Place Stage = iota
	Collide
	FreeMotion
	Constrain
	Solve
	Advance
	numStages
)

// StageNames are the stages as reports write them.
var StageNames = [numStages]string{"place", "collide", "free_motion", "constrain", "solve", "advance"}

// ErrNotConverged marks a step whose solve reached its limit of iterations; the
// step was taken with the best velocities found.
var ErrNotConverged = convex.ErrNotConverged

// ContactReport is one contact of the last step with its force: a point, a face
// of a deformable, or a face of a patch, whose Elem are the geoms.
type ContactReport struct {
	geometry.Contact
	Force_W r3.Vec  // on B, mean over the step, N
	Normal  float64 // of the force, N
	Slip_W  r3.Vec  // tangential velocity of B seen from A at the end of the step, m/s
}

// Report tells what a step did. Contacts and Patches hold until the next step.
type Report struct {
	Step                  int // number of the step, from 1; 0: none was taken, or it failed
	Solver                convex.Stats
	Err                   error              // not converged
	Stages                [numStages]float64 // s
	NumContacts           int                // that Contacts returns
	FirstFace             int                // contacts from here on are faces of patches
	Penetration           float64            // deepest overlap at the start of the step, m
	FreeMotionUnconverged int                // deformables whose free motion was not found, see fem.Data.FreeMotionConverged

	MeanPenetration   float64                     // mean overlap of the contacts that overlap, m
	EffectiveStiction float64                     // slip below which friction was viscous, mean over the contacts that bore force, m/s
	Sliding           constraints.SlidingFriction // friction of contacts that slide, where it is lagged

	unread   *Stepper // whose forces nobody has asked for; nil: they were read, or there are none
	contacts []ContactReport
	patches  []ContactSurfaceReport
}

// Contacts returns the contacts of the step with their forces: points and faces of
// deformables, then the faces of patches. Like Patches it reads them when first asked,
// for a step needs none.
func (r *Report) Contacts() []ContactReport {
	r.read()
	return r.contacts
}

// ContactSurfaces returns sums over the faces of each pair, those of deformables first.
func (r *Report) ContactSurfaces() []ContactSurfaceReport {
	r.read()
	return r.patches
}

// read reads forces after the solve, before the scene collides again.
func (r *Report) read() {
	s := r.unread
	if s == nil {
		return
	}
	r.unread = nil
	r.contacts = slices.Grow(r.contacts, r.NumContacts)[:len(s.touched)]
	for i := range s.touched {
		c := &r.contacts[i]
		c.Contact = s.touched[i]
		c.Normal = constraints.ContactLoad(&s.Problem, s.handles[i], &c.Contact, &c.Force_W, &c.Slip_W)
	}
	for i := range s.patches {
		s.loads = constraints.HydroelasticLoads(&s.Problem, s.patchHandles[i], s.loads[:0])
		r.collectFaces(&s.patches[i], s.loads)
	}
	r.collectPatches(s)
}

func (r *Report) collectFaces(p *geometry.HydroelasticContact, loads []constraints.FaceLoad) {
	for k := range p.Surface.Faces {
		f := &p.Surface.Faces[k]
		r.contacts = append(r.contacts, ContactReport{
			Contact: geometry.Contact{
				A: geometry.MaterialPoint{Body: p.A, Pos_W: f.Pos_W}, B: geometry.MaterialPoint{Body: p.B, Pos_W: f.Pos_W},
				Materials: p.Materials, Pos_W: f.Pos_W, Normal_W: f.Normal_W, Phi: f.Phi, Area: f.Area, Elem: p.Elem,
			},
			Force_W: loads[k].Force_W, Normal: loads[k].Normal, Slip_W: loads[k].Slip_W,
		})
	}
}

// summarize takes stock of a solved step.
func (r *Report) summarize(s *Stepper) {
	r.unread = s
	r.FirstFace = len(s.touched)
	r.NumContacts = r.FirstFace
	overlapping, bearing := 0, 0
	overlap := func(depth float64) {
		r.Penetration = max(r.Penetration, depth)
		if depth > 0 {
			overlapping++
			r.MeanPenetration += (depth - r.MeanPenetration) / float64(overlapping)
		}
	}
	for i := range s.touched {
		overlap(-s.touched[i].Phi)
	}
	for i := range s.patches {
		faces := s.patches[i].Surface.Faces
		r.NumContacts += len(faces)
		for k := range faces {
			overlap(faces[k].Depth)
		}
	}
	for _, h := range s.handles {
		if slip, ok := constraints.EffectiveStiction(&s.Problem, h); ok {
			bearing++
			r.EffectiveStiction += (slip - r.EffectiveStiction) / float64(bearing)
		}
	}
	if constraints.IsLagged(s.Model.Contact) {
		r.Sliding = s.sliding()
	}
}

// Hash returns a digest of the state's bits.
func (x *State) Hash() string {
	h := sha256.New()
	var b [8]byte
	put := func(u uint64) {
		binary.LittleEndian.PutUint64(b[:], u)
		h.Write(b[:])
	}
	put(math.Float64bits(x.Time))
	put(uint64(x.Step))
	for _, s := range [][]float64{x.Q, x.V} {
		put(uint64(len(s)))
		for _, f := range s {
			put(math.Float64bits(f))
		}
	}
	for i := range x.LaggedContacts {
		b := &x.LaggedContacts[i]
		for _, k := range [4]int32{b.Body[0], b.Body[1], b.Elem[0], b.Elem[1]} {
			put(uint64(k))
		}
		for _, f := range [7]float64{b.P[0][0], b.P[0][1], b.P[0][2], b.P[1][0], b.P[1][1], b.P[1][2], b.Force} {
			put(math.Float64bits(f))
		}
	}
	return hex.EncodeToString(h.Sum(nil))[:32]
}
