package sdf

import (
	"math"
	"testing"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/meshes/repair"
)

// A cone of radius r and height h has the volume π r² h/3, its centre h/4 above its base and, of unit
// density, the moments m (3/20 r² + 3/80 h²) and 3/10 m r².
func TestConesHaveVolumeAndMomentsOfTheClosedForm(t *testing.T) {
	m := one(t, shape("<cone><radius>0.3</radius><length>0.8</length></cone>"))
	c := m.Links[0].Collisions[0].Mesh
	if err := repair.Watertight(c.Triangles); err != nil || !c.ConvexHull {
		t.Errorf("%v, hull %t", err, c.ConvexHull)
	}
	got, err := geometry.MassOfSurface(c.Triangles)
	hull, _ := geometry.MassOfHull(c.Triangles)
	mass := math.Pi * 0.09 * 0.8 / 3
	if err != nil || math.Abs(got.Mass/mass-1) > 1e-12 || math.Abs(hull.Mass/mass-1) > 1e-12 || math.Abs(got.Com[2]+0.2) > 1e-12 {
		t.Errorf("%+v, hull %+v, %v", got, hull, err)
	}
	xx, zz := mass*(0.15*0.09+0.0375*0.64), mass*0.3*0.09
	if I := got.Inertia; math.Abs(I[0]/xx-1) > 1e-5 || math.Abs(I[8]/zz-1) > 1e-5 {
		t.Errorf("moments %g and %g, want %g and %g", I[0], I[8], xx, zz)
	}
}

// A square of 2 m with a hole of 1 m, of which the corners run either way and one closes its polygon.
const frame2 = "<polyline><point>-1 -1</point><point>1 -1</point><point>1 1</point><point>-1 1</point><point>-1 -1</point><height>0.5</height></polyline>" +
	"<polyline><point>-0.5 -0.5</point><point>-0.5 0.5</point><point>0.5 0.5</point><point>0.5 -0.5</point><height>0.5</height></polyline>"

func TestPolylinesAreExtrudedWithTheirHoles(t *testing.T) {
	m := one(t, shape(frame2))
	got, err := geometry.MassOfSurface(m.Links[0].Collisions[0].Mesh.Triangles)
	if err != nil || math.Abs(got.Mass-1.5) > 1e-12 || math.Abs(got.Com[2]-0.25) > 1e-12 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestPolylinesThatEncloseNothingAreLeftOut(t *testing.T) {
	for points, want := range map[string]string{
		"<point>0 0</point><point>1 0</point>":                                     "has 2 corners",
		"<point>0 0</point><point>2 2</point><point>2 0</point><point>0 1</point>": "cross",
		"<point>0 0</point><point>1 1</point><point>2 2</point><height>0</height>": "with a size of 0",
		"<point>0 0</point><point>1 1</point><point>2 2</point><point>0 0</point>": "encloses no area",
	} {
		if m := mended(t, shape("<polyline>"+points+"<height>1</height></polyline>"), 3, want); len(m.Links[0].Collisions) != 0 {
			t.Errorf("%s: %+v", points, m.Links[0].Collisions)
		}
	}
	refused(t, []fault{
		{"corner of three numbers", shape("<polyline>\n<point>1 2 3</point><height>1</height></polyline>"), 4, "2 numbers are required"},
		{"corner far away", shape("<polyline><point>1e300 2</point><height>1</height></polyline>"), 3, "is too far away"},
		{"no height", shape("<polyline><point>1 2</point></polyline>"), 3, "<polyline> has no <height>"},
	})
}
