package sim

// A step that is divided into parts (substeps) reports means over the step. With h_k the length of part k
// and h = Σ h_k, a contact c of part k counts with
//
//	f = f_kc h_k/h        force: its impulse over the whole step                  (1)
//	S = S_kc h_k/h        area                                                    (2)
//
// so that sums of forces, moments and areas over the contacts are those of the whole step,
// while the pressure f/S is that of the part. Efforts of constraints are Σ h_k e_k/h (3).
//
// Parts follow each other in time, so that a contact of the first part need not exist in the
// second. Contacts are not merged across parts: a point that is there in both is there twice, each
// with its share of the force. Lists are sorted at the end, so that readers find all contacts of
// two bodies next to each other, as after a step that was taken as a whole.

import (
	"cmp"
	"slices"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

// dividedStep collects what the parts of a step report.
type dividedStep struct {
	contacts []ContactReport                // points and faces of deformables, (1) and (2) times h
	faces    []ContactReport                // of pressure fields, likewise
	surfaces []geometry.HydroelasticContact // with the faces of all parts
	efforts  []float64                      // of each constraint of the model, (3) times h
	wrenches [][2]r3.Vec                    // moment and force of those that transmit a wrench, likewise
	// numbers of steps: the largest of the parts, and means over time, times h
	penetration         float64
	relativePenetration RelativePenetration
	meanPenetration     float64
	stiction            float64
}

// reset begins a step that is divided.
func (d *dividedStep) reset(numConstraints int) {
	// memory is kept from step to step: also a divided step allocates nothing after the first ones
	d.contacts, d.faces, d.surfaces = d.contacts[:0], d.faces[:0], d.surfaces[:0]
	d.efforts = slices.Grow(d.efforts[:0], numConstraints)[:numConstraints]
	clear(d.efforts)
	d.wrenches = slices.Grow(d.wrenches[:0], numConstraints)[:numConstraints]
	clear(d.wrenches)
	d.penetration, d.meanPenetration, d.stiction = 0, 0, 0
	d.relativePenetration = RelativePenetration{}
}

// addPart adds the report of a part of h, which was taken as a whole.
func (s *Stepper) addPart(h float64) {
	d, r := &s.divided, &s.Report
	r.Parts++
	// (1) and (2)
	// the report is read now, before the next part overwrites the solution that it is read from
	contacts := r.Contacts()
	for i := range contacts {
		c := contacts[i]
		c.Force_W, c.Normal, c.Area = c.Force_W.Scale(h), h*c.Normal, h*c.Area
		if i < r.FirstFace {
			d.contacts = append(d.contacts, c)
		} else {
			d.faces = append(d.faces, c)
		}
	}
	for i := range s.surfaces {
		d.addSurface(&s.surfaces[i])
	}
	// (3), of constraints of one equation: others have no effort
	for i := range s.modelTerms {
		d.efforts[i] += h * s.partEffort(i)
		if c, ok := s.Model.Constraints[i].(wrenchConstraint); ok {
			M, F := c.partWrench(s)
			sum := &d.wrenches[i]
			sum[0], sum[1] = sum[0].AddScaled(h, M), sum[1].AddScaled(h, F)
		}
	}
	// depths are those at the start of the parts: the largest of any of them counts
	d.penetration = max(d.penetration, r.Penetration)
	if r.RelativePenetration.Ratio > d.relativePenetration.Ratio {
		d.relativePenetration = r.RelativePenetration
	}
	d.meanPenetration += h * r.MeanPenetration
	d.stiction += h * r.EffectiveStiction
}

// addSurface appends the faces of a contact surface of a part to those of the same geoms.
func (d *dividedStep) addSurface(c *geometry.HydroelasticContact) {
	i := slices.IndexFunc(d.surfaces, func(o geometry.HydroelasticContact) bool {
		return o.A == c.A && o.B == c.B && o.Elem == c.Elem
	})
	if i < 0 {
		// an earlier step may have left memory behind the end of the list
		i = len(d.surfaces)
		d.surfaces = slices.Grow(d.surfaces, 1)[:i+1]
		d.surfaces[i].Surface.Reset()
		surface := d.surfaces[i].Surface
		d.surfaces[i] = *c
		d.surfaces[i].Surface = surface
	}
	// corners of faces follow those of earlier parts
	// faces name their corners by an interval of Verts_W, which shifts by those before
	to, from := &d.surfaces[i].Surface, &c.Surface
	first := int32(len(to.Verts_W))
	for _, f := range from.Faces {
		f.Lo, f.Hi = f.Lo+first, f.Hi+first
		to.Faces = append(to.Faces, f)
	}
	to.Verts_W = append(to.Verts_W, from.Verts_W...)
	to.Pressures = append(to.Pressures, from.Pressures...)
}

// reportParts writes the report of a step of h from those of its parts.
func (s *Stepper) reportParts(h float64) {
	d, r := &s.divided, &s.Report
	r.unread = nil
	// contacts of the same bodies follow each other, and faces follow their surfaces
	// stable, so that contacts of two bodies stay in the order of time
	slices.SortStableFunc(d.contacts, s.comparePairs)
	slices.SortStableFunc(d.faces, func(c, e ContactReport) int { return d.surfaceOf(&c) - d.surfaceOf(&e) })
	r.contacts = append(append(r.contacts[:0], d.contacts...), d.faces...)
	for i := range r.contacts {
		c := &r.contacts[i]
		c.Force_W, c.Normal, c.Area = c.Force_W.Scale(1/h), c.Normal/h, c.Area/h
	}
	r.FirstFace, r.NumContacts = len(d.contacts), len(r.contacts)
	for i := range d.efforts {
		d.efforts[i] /= h
	}
	for i := range d.wrenches {
		mean := &d.wrenches[i]
		mean[0], mean[1] = mean[0].Scale(1/h), mean[1].Scale(1/h)
	}
	s.surfaces = d.surfaces
	r.surfaces = r.surfaces[:0]
	r.collectSurfaces(s)
	r.Penetration, r.RelativePenetration = d.penetration, d.relativePenetration
	r.MeanPenetration, r.EffectiveStiction = d.meanPenetration/h, d.stiction/h
}

// comparePairs orders contacts by their bodies and geoms, those of points first.
func (s *Stepper) comparePairs(c, e ContactReport) int {
	kind := func(c *ContactReport) int {
		if c.Area > 0 {
			return 1
		}
		return 0
	}
	g, o := s.surfaceGeoms(&c), s.surfaceGeoms(&e)
	return cmp.Or(kind(&c)-kind(&e), cmp.Compare(c.A.Body, e.A.Body), cmp.Compare(c.B.Body, e.B.Body),
		cmp.Compare(g[0], o[0]), cmp.Compare(g[1], o[1]))
}

// surfaceOf returns the index of the contact surface of a face.
func (d *dividedStep) surfaceOf(c *ContactReport) int {
	return slices.IndexFunc(d.surfaces, func(o geometry.HydroelasticContact) bool {
		return o.A == c.A.Body && o.B == c.B.Body && o.Elem == c.Elem
	})
}
