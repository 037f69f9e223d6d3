package sdf

// Inertias that follow from shapes. A link with <inertial auto="true"> weighs what its collisions do:
//
//	m = Σ ρᵢ Vᵢ
//
// with the <density> ρᵢ of the collision, else that of the inertial, else that of water. A <mass> of the
// inertial scales the sum. Overlaps count twice. A mesh weighs as the volume that it encloses.

import (
	"bytes"
	"errors"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/formats"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/scene/robot"
)

// waterDensity is the density of collisions that give none, kg/m³.
const waterDensity = 1000

// shapesWeigh reports whether the inertia of an <inertial> follows from the shapes.
func shapesWeigh(inertial *robot.Element) bool {
	if inertial == nil {
		return false
	}
	auto, _ := inertial.Attr("auto")
	return auto == "true" || auto == "1"
}

// weighed returns the mass and inertia of a link from its collisions, of which each has a shape.
func (r *reader) weighed(e *robot.Element, l *robot.Link, collisions []*robot.Element) *robot.Inertial {
	// nothing moves a static model
	if r.now.static {
		e.MarkRead()
		return &robot.Inertial{Mass: 1, Inertia: r3.Identity()}
	}
	var sum geometry.MassProperties
	given := r.One(e, "mass") != nil
	common := r.density(e, waterDensity)
	for i, c := range collisions {
		if r.One(c, "density") == nil && r.One(e, "density") == nil && !given {
			r.Warn(c.Line, "link %q: a <collision> has no <density>: %d kg/m³, as the format says", l.Name, waterDensity)
		}
		sum = sum.Plus(r.massOf(&l.Collisions[i], l.Name).Scale(r.density(c, common)))
	}
	mass := r.number(e, "mass", sum.Mass)
	sum = sum.Scale(mass / sum.Mass)
	switch n := sum.Inertia.Norm2(); {
	case r.Err != nil:
	case len(collisions) == 0:
		r.Fail(e.Line, "link %q weighs what its collisions do, and has none of a shape with a volume: write <mass> and <inertia>", l.Name)
	case mass < 0:
		r.Fail(e.Line, "link %q: its mass is %g kg: it must not be negative", l.Name, mass)
	// huge sizes and densities overflow
	case !sum.Com.IsFinite() || math.IsNaN(n) || math.IsInf(n, 0):
		r.Fail(e.Line, "link %q: its mass cannot be computed from sizes and densities: write <mass> and <inertia>", l.Name)
	}
	return &robot.Inertial{Mass: sum.Mass, Com: sum.Com, Inertia: sum.Inertia}
}

// density returns the density in a child, kg/m³, or otherwise where there is none.
func (r *reader) density(e *robot.Element, otherwise float64) float64 {
	x := r.number(e, "density", otherwise)
	if !(x > 0) {
		r.Fail(e.Line, "<density> of <%s>: a positive number is required, kg/m³", e.Name)
	}
	return x
}

// massOf returns the mass properties of a shape of a link for a density of 1 kg/m³, in the link's frame.
func (r *reader) massOf(g *robot.Geometry, link string) (m geometry.MassProperties) {
	s, err := g.Primitive()
	switch {
	case r.Err != nil:
		return m
	case err == nil && g.Mesh != nil:
		m, err = r.massOfMesh(g, link)
	case err == nil:
		m, err = geometry.MassOf(s)
	}
	if err != nil {
		r.Fail(g.Line, "link %q weighs what its collisions do: %v: write <mass> and <inertia>", link, err)
	}
	return m.Transform(g.X_LG)
}

// massOfMesh returns the mass properties of a mesh for a density of 1 kg/m³.
func (r *reader) massOfMesh(g *robot.Geometry, link string) (m geometry.MassProperties, err error) {
	var tri *meshes.Tri
	switch t := g.Mesh.Triangles; {
	case t != nil:
		tri = &meshes.Tri{Verts: slices.Clone(t.Verts), Tris: slices.Clone(t.Tris)}
	case r.open == nil:
		return m, errors.New("files are not read here")
	default:
		text, err := r.open(g.Mesh.File)
		if err != nil {
			return m, err
		}
		// as the scene reads them
		if tri, err = formats.Solid(bytes.NewReader(text), strings.ToLower(path.Ext(g.Mesh.File)), formats.ReadOptions{Unit: "m"}); err != nil {
			return m, err
		}
	}
	robot.ScaleMesh(tri, g.Mesh.Scale)
	m, note, err := robot.MassOfMesh(tri)
	if note != "" {
		r.Warn(g.Line, "link %q: its mesh %s %s", link, g.Mesh.File, note)
	}
	return m, err
}
