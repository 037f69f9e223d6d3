package mjcf

import (
	"strings"
	"testing"
)

// A file that included parts name is looked for in the folders that MuJoCo 3.12.0 looks in: meshdir
// below the main file's folder, then the folder of the part itself, without meshdir.
func TestAssetsOfIncludedFilesLieBesideThem(t *testing.T) {
	const (
		cube    = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"
		meshdir = `<compiler meshdir="m"/>`
	)
	for _, c := range []struct{ compiler, part, file, want string }{
		{"", "p/q/part.xml", "p/q/a.obj", "p/q/a.obj"},
		{"", "p/q/part.xml", "a.obj", "a.obj"},
		{meshdir, "p/q/part.xml", "m/a.obj", "m/a.obj"},
		{meshdir, "p/q/part.xml", "p/q/a.obj", "p/q/a.obj"},
		// not found: the name in meshdir is what messages say
		{meshdir, "p/q/part.xml", "p/q/m/a.obj", "m/a.obj"},
		{meshdir, "p/q/part.xml", "a.obj", "m/a.obj"},
		{`<compiler strippath="true"/>`, "p/q/part.xml", "p/q/a.obj", "a.obj"},
	} {
		text := "<mujoco>" + c.compiler + `<include file="` + c.part + `"/>` + world(`<body><inertial mass="1" pos="0 0 0" diaginertia="1 1 1"/><geom type="mesh" mesh="a"/></body>`) + "</mujoco>"
		open := files(map[string]string{c.part: `<mujoco><asset><mesh name="a" file="a.obj"/></asset></mujoco>`, c.file: cube})
		m, _, err := Parse(strings.NewReader(text), "main.xml", open)
		if err != nil {
			t.Errorf("%s %s: %v", c.compiler, c.file, err)
		} else if got := m.Links[0].Collisions[0].Mesh.File; got != c.want {
			t.Errorf("%s %s: %q, want %q", c.compiler, c.file, got, c.want)
		}
	}
	// folders that lead up from the part, as in the human model of MuJoCo's menagerie
	up := files(map[string]string{
		"assets/a/part.xml":     `<mujoco><asset><mesh file="../geometry/a.obj"/></asset></mujoco>`,
		"assets/geometry/a.obj": cube,
	})
	m, _, err := Parse(strings.NewReader(`<mujoco><include file="assets/a/part.xml"/>`+world(`<body><geom type="mesh" mesh="a"/></body>`)+"</mujoco>"), "main.xml", up)
	if err != nil || m.Links[0].Collisions[0].Mesh.File != "assets/geometry/a.obj" || m.Links[0].Inertial.Mass == 0 {
		t.Errorf("above the part: %v %v", m, err)
	}
}

// Height fields and attached models of included files lie beside them too, and so do meshes of files
// that attached ones include.
func TestModelsOfIncludedFilesLieBesideThem(t *testing.T) {
	const (
		cube   = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"
		field  = "\x02\x00\x00\x00\x02\x00\x00\x00\x00\x00\x00\x00\x00\x00\x80\x3f\x00\x00\x00\x40\x00\x00\x40\x40"
		attach = `<worldbody><attach model="c" body="b" prefix="x"/></worldbody>`
		child  = `<mujoco model="c"><worldbody><body name="b"><geom size="1"/></body></worldbody></mujoco>`
		meshy  = `<mujoco model="c"><compiler meshdir="m"/><include file="p/q.xml"/><worldbody><body name="b"><geom type="mesh" mesh="a"/></body></worldbody></mujoco>`
		part   = `<mujoco><asset><mesh name="a" file="a.obj"/></asset></mujoco>`
		hilly  = `<mujoco model="c"><asset><hfield size="1 1 1 1" file="h.bin"/></asset><worldbody><body name="b"><geom type="hfield" hfield="h" mass="1"/></body></worldbody></mujoco>`
	)
	for _, c := range []struct {
		name, main string
		files      map[string]string
	}{
		{"height field", `<include file="p/q.xml"/>` + world(`<body><geom type="hfield" hfield="h" mass="1"/></body>`), map[string]string{
			"p/q.xml": `<mujoco><asset><hfield size="1 1 1 1" file="h.bin"/></asset></mujoco>`, "p/h.bin": field}},
		{"attached height field", `<asset><model name="c" file="att/c.xml"/></asset>` + attach, map[string]string{"att/c.xml": hilly, "att/h.bin": field}},
		{"model", `<include file="p/q.xml"/>` + attach, map[string]string{
			"p/q.xml": `<mujoco><asset><model name="c" file="c.xml"/></asset></mujoco>`, "p/c.xml": child}},
		{"mesh beside a part of an attached file", `<asset><model name="c" file="att/c.xml"/></asset>` + attach, map[string]string{
			"att/c.xml": meshy, "att/p/q.xml": part, "att/p/a.obj": cube}},
		{"mesh in meshdir of an attached file", `<asset><model name="c" file="att/c.xml"/></asset>` + attach, map[string]string{
			"att/c.xml": meshy, "att/p/q.xml": part, "att/m/a.obj": cube}},
	} {
		m, warnings, err := Parse(strings.NewReader("<mujoco>"+c.main+"</mujoco>"), "main.xml", files(c.files))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		} else if len(m.Links[0].Collisions) != 1 {
			t.Errorf("%s: it has %d shapes, and %v", c.name, len(m.Links[0].Collisions), warnings)
		}
	}
}
