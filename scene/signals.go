package scene

import (
	"math"
	"slices"
	"strings"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/sim"
)

// Signals are a scene's recorded numbers: immutable, shared by any number of
// runs. What those that measure from a moment remember is a run's own memory.
type Signals struct {
	names  []string
	items  []sim.Signal
	since  []float64 // +Inf: no reference
	forces []bool    // 0 at the initial state
	scale  []float64
}

// Names returns the signals' names in the order of Evaluate.
func (s *Signals) Names() []string { return s.names }

// NewMemory returns the memory of a run that begins: for every signal the value
// that it measures from, NaN until it is known. Checkpoints keep it.
func (s *Signals) NewMemory() []float64 {
	m := make([]float64, len(s.items))
	for i := range m {
		m[i] = math.NaN()
	}
	return m
}

// Evaluate appends the signals' values at the state x, at which the stepper's
// scene is placed, and notes references in the run's memory.
func (s *Signals) Evaluate(st *sim.Stepper, x *sim.State, memory, dst []float64) []float64 {
	for i, item := range s.items {
		v := 0.0
		if !s.forces[i] || x.Step > 0 {
			v = item.Value(st, x)
		}
		if !math.IsInf(s.since[i], 1) {
			if math.IsNaN(memory[i]) && x.Time >= s.since[i]-1e-9 {
				memory[i] = v
			}
			if math.IsNaN(memory[i]) {
				v = 0
			} else {
				v -= memory[i]
			}
		}
		dst = append(dst, v*s.scale[i])
	}
	return dst
}

func (b *builder) buildSignals() *Signals {
	s := new(Signals)
	for _, name := range b.f.Signals.Keys {
		spec := b.f.Signals.Get(name)
		item, force := b.signal(name, spec)
		if item == nil {
			continue
		}
		if name == "" || strings.ContainsAny(name, ",\"\n\r") {
			b.fail(spec.Pos, "signals: %q cannot be the name of a column: leave out commas, quotes and line breaks", name)
		}
		if name == "time_s" {
			b.fail(spec.Pos, "signals.time_s: this column is there already")
		}
		s.names, s.items = append(s.names, name), append(s.items, item)
		s.forces = append(s.forces, force)
		s.since = append(s.since, value(spec.Since, math.Inf(1)))
		s.scale = append(s.scale, value(spec.Scale, 1))
	}
	return s
}

var components = map[string]sim.Component{"x": sim.X, "y": sim.Y, "z": sim.Z, "norm": sim.Norm, "angle": sim.Norm}

func (b *builder) component(p Pos, s string) sim.Component {
	c, ok := components[s]
	if !ok {
		b.fail(p, "unknown component %q: x, y, z and norm are known (of a rotation, angle)", s)
	}
	return c
}

// signal returns what a specification measures and whether it is a force.
func (b *builder) signal(name string, g *Signal) (item sim.Signal, force bool) {
	if !b.signalKeys(name, g) {
		return nil, false
	}
	switch {
	case g.Position != "":
		if pt, ref, ok := b.signalPoint(g); ok {
			return sim.Position{Point: pt, Of: b.component(g.Pos, g.Position), Ref: ref}, false
		}
	case g.Velocity != "":
		if pt, ref, ok := b.signalPoint(g); ok {
			return sim.Velocity{Point: pt, Of: b.component(g.Pos, g.Velocity), Ref: ref}, false
		}
	case g.Rotation != "":
		body, ok1 := b.rigidBody(g.Pos, g.Body)
		ref, ok2 := b.rigidBody(g.Pos, g.RelativeTo)
		if ok1 && ok2 {
			return sim.Rotation{Body: body, Ref: ref, Of: b.component(g.Pos, g.Rotation)}, false
		}
	case g.AngularVelocity != "":
		body, ok := b.rigidBody(g.Pos, g.Body)
		if ok && body == geometry.World {
			b.fail(g.Pos, "signals.%s: the world does not turn", name)
		} else if ok {
			return sim.AngularVelocity{Body: body, Of: b.component(g.Pos, g.AngularVelocity)}, false
		}
	case g.Force != "":
		if f, ok := b.forceSignal(g); ok {
			return f, true
		}
	case g.Moment != "":
		if body, ok := b.rigidBody(g.Pos, g.Body); ok {
			f := sim.ContactForce{On: body, Kind: sim.Moment, Of: b.component(g.Pos, g.Moment), InBodyAxes: body != geometry.World}
			if g.Point != nil {
				f.About_B = r3.Vec(*g.Point)
			}
			if f.From, ok = b.anyBodies(g.Pos, g.From); ok {
				return f, true
			}
		}
	case g.ContactSurface != "":
		if f, ok := b.patchSignal(name, g); ok {
			return f, f.Kind != sim.ContactSurfaceCenter // which is nowhere, not at 0
		}
	case g.Nearest != "":
		if n, ok := b.nearestSignal(name, g); ok {
			return n, false
		}
	case g.Of != "":
		if d, ok := b.dof(g.Pos, g.Joint); ok {
			switch g.Of {
			case "position":
				return sim.JointPosition{Dof: d}, false
			case "velocity":
				return sim.JointVelocity{Dof: d}, false
			}
			b.fail(g.Pos, "signals.%s.of: position or velocity, not %q", name, g.Of)
		}
	case g.Drive != "":
		if i, ok := b.drives[g.Drive]; ok {
			return sim.Effort{Constraint: i}, true
		}
		b.fail(g.Pos, "signals.%s.drive_effort: no drive of a joint is called %q%s", name, g.Drive, kinds.Suggest(g.Drive, keysOf(b.drives)))
	case g.Energy != "":
		kind, ok := map[string]sim.EnergyKind{"kinetic": sim.Kinetic, "potential": sim.Potential, "elastic": sim.Elastic, "total": sim.Total}[g.Energy]
		if !ok {
			b.fail(g.Pos, "signals.%s.energy: kinetic, potential, elastic or total, not %q", name, g.Energy)
		}
		return sim.Energy{Kind: kind}, false
	case g.Momentum != "":
		return sim.Momentum{Of: b.component(g.Pos, g.Momentum)}, false
	case g.Stress != "":
		if i, ok := b.softs[g.Stress]; ok {
			return sim.VonMises{Deformable: i}, false
		}
		b.fail(g.Pos, "signals.%s.von_mises: no deformable is called %q%s", name, g.Stress, kinds.Suggest(g.Stress, keysOf(b.softs)))
	case g.Count != "":
		if g.Count != "contacts" {
			b.fail(g.Pos, "signals.%s.count: contacts, not %q", name, g.Count)
		}
		return sim.ContactCount{}, true
	case g.Penetration != "":
		if g.Penetration != "max" {
			b.fail(g.Pos, "signals.%s.penetration: max, not %q", name, g.Penetration)
		}
		return sim.Penetration{}, true
	case g.Speed != "":
		if g.Speed != "max" {
			b.fail(g.Pos, "signals.%s.speed: max, not %q", name, g.Speed)
		}
		return sim.Speed{}, false
	}
	return nil, false
}

// signalKeys checks that a signal is one quantity with the keys that go with it.
func (b *builder) signalKeys(name string, g *Signal) bool {
	kinds := 0
	for _, k := range []string{g.Position, g.Velocity, g.Rotation, g.AngularVelocity, g.Force, g.Moment, g.ContactSurface, g.Nearest, g.Of, g.Drive, g.Energy, g.Momentum, g.Stress, g.Count, g.Penetration, g.Speed} {
		if k != "" {
			kinds++
		}
	}
	if kinds != 1 {
		b.fail(g.Pos, "signals.%s: exactly one of position, velocity, rotation, angular_velocity, contact_force, contact_moment, contact_surface, nearest (each with body), of (with joint), drive_effort, energy, momentum, von_mises, count, penetration and speed is wanted, not %d", name, kinds)
		return false
	}
	point := g.Position != "" || g.Velocity != ""
	pose := point || g.Rotation != ""
	body := pose || g.AngularVelocity != "" || g.Force != "" || g.Moment != "" || g.ContactSurface != "" || g.Nearest != ""
	ok := true
	for _, k := range []struct {
		key           string
		given, wanted bool // wanted: the quantity takes this key
		must          bool // and does not do without
	}{
		{"body", g.Body != "", body, true},
		{"joint", g.Joint != "", g.Of != "", true},
		{"point", g.Point != nil, point || g.Moment != "", false},
		{"relative_to", g.RelativeTo != "", pose, false},
		{"from", g.From != nil, g.Force != "" || g.Moment != "" || g.ContactSurface != "" || g.Nearest != "", g.Nearest != ""},
	} {
		switch {
		case k.wanted && k.must && !k.given:
			b.fail(g.Pos, "signals.%s: %s is wanted with this quantity", name, k.key)
			ok = false
		case k.given && !k.wanted:
			b.fail(g.Pos, "signals.%s: %s has no meaning for this quantity: leave it out", name, k.key)
			ok = false
		}
	}
	return ok
}

func (b *builder) signalPoint(g *Signal) (pt sim.Point, ref int, ok bool) {
	body, ok := b.anyBody(g.Pos, g.Body)
	if !ok {
		return pt, 0, false
	}
	if ref, ok = b.rigidBody(g.Pos, g.RelativeTo); !ok {
		return pt, 0, false
	}
	pt.Body = body
	if g.Point != nil {
		pt.Pos_B = r3.Vec(*g.Point)
	}
	if i := body - b.model.Geometry.NumRigid; body != geometry.World && i >= 0 {
		if g.Point == nil {
			b.fail(g.Pos, "a point of deformable %s is wanted: point: [x, y, z] in the frame of its mesh selects the nearest vertex", g.Body)
			return pt, 0, false
		}
		pt.Vert = nearestVertex(b.model.Deformables[i].Mesh(), r3.Vec(*g.Point))
	}
	return pt, ref, true
}

func nearestVertex(m *meshes.Tet, p r3.Vec) int {
	best, d := 0, math.Inf(1)
	for i, v := range m.Verts {
		if e := v.Sub(p).Norm2(); e < d {
			best, d = i, e
		}
	}
	return best
}

func (b *builder) forceSignal(g *Signal) (f sim.ContactForce, ok bool) {
	if f.On, ok = b.anyBody(g.Pos, g.Body); !ok {
		return f, false
	}
	f.From, ok = b.anyBodies(g.Pos, g.From)
	switch g.Force {
	case "normal":
		f.Kind = sim.NormalSum
	case "friction":
		f.Kind = sim.FrictionSum
	default:
		f.Of = b.component(g.Pos, g.Force)
	}
	return f, ok
}

// patches are what contact surfaces have.
var patches = map[string]sim.ContactSurfaceSignal{
	"area": {Kind: sim.ContactSurfaceArea}, "count": {Kind: sim.ContactSurfaceCount},
	"max_pressure": {Kind: sim.ContactSurfaceMaxPressure}, "mean_pressure": {Kind: sim.ContactSurfaceMeanPressure},
	"slip": {Kind: sim.ContactSurfaceSlip}, "max_slip": {Kind: sim.ContactSurfaceMaxSlip},
	"center_x": {Kind: sim.ContactSurfaceCenter, Of: sim.X}, "center_y": {Kind: sim.ContactSurfaceCenter, Of: sim.Y}, "center_z": {Kind: sim.ContactSurfaceCenter, Of: sim.Z},
}

// patchSignal makes a signal of contact surfaces. Bodies that only ever touch at
// points have none.
func (b *builder) patchSignal(name string, g *Signal) (f sim.ContactSurfaceSignal, ok bool) {
	f, ok = patches[g.ContactSurface]
	if !ok {
		b.fail(g.Pos, "signals.%s.contact_surface: unknown %q%s", name, g.ContactSurface, kinds.Suggest(g.ContactSurface, keysOf(patches)))
		return f, false
	}
	if f.Body, ok = b.anyBody(g.Pos, g.Body); !ok {
		return f, false
	}
	if f.From, ok = b.anyBodies(g.Pos, g.From); !ok {
		return f, false
	}
	if !b.hasSurface(f.Body) {
		b.fail(g.Pos, "signals.%s.contact_surface: %s touches at points only: give its material a hydroelastic_modulus, or to what it touches", name, g.Body)
		return f, false
	}
	return f, true
}

// hasSurface reports whether a body may touch others over an area.
func (b *builder) hasSurface(body int) bool {
	m := b.model.Geometry
	if body >= m.NumRigid || len(m.Deformables) > 0 {
		return true
	}
	for i := range m.Geoms {
		if g := &m.Geoms[i]; g.Body == body && g.IsHydroelastic() {
			return true
		}
	}
	return false
}

// nearests are the quantities where a body is nearest to others.
var nearests = map[string]sim.Nearest{
	"gap": {Kind: sim.Gap},
	"x":   {Kind: sim.NearestPoint, Of: sim.X}, "y": {Kind: sim.NearestPoint, Of: sim.Y}, "z": {Kind: sim.NearestPoint, Of: sim.Z},
	"slip":   {Kind: sim.Slip},
	"slip_x": {Kind: sim.SlipComponent, Of: sim.X}, "slip_y": {Kind: sim.SlipComponent, Of: sim.Y}, "slip_z": {Kind: sim.SlipComponent, Of: sim.Z},
	"normal_velocity": {Kind: sim.SeparationVelocity},
}

func (b *builder) nearestSignal(name string, g *Signal) (n sim.Nearest, ok bool) {
	n, ok = nearests[g.Nearest]
	if !ok {
		b.fail(g.Pos, "signals.%s.nearest: unknown %q%s", name, g.Nearest, kinds.Suggest(g.Nearest, keysOf(nearests)))
		return n, false
	}
	if n.Body, ok = b.rigidBody(g.Pos, g.Body); !ok {
		return n, false
	}
	for _, other := range g.From {
		i, known := b.rigidBody(g.Pos, other)
		if ok = ok && known; !ok {
			return n, false
		}
		n.To = append(n.To, i)
	}
	shaped := func(bodies ...int) bool {
		return slices.ContainsFunc(b.geoms, func(g geometry.Geom) bool { return slices.Contains(bodies, g.Body) })
	}
	if ok = shaped(n.Body) && shaped(n.To...); !ok {
		b.fail(g.Pos, "signals.%s.nearest: %s, or what it is nearest to, has no shapes to touch with", name, g.Body)
	}
	return n, ok
}
