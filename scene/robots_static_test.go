package scene

import (
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/sim"
)

// A floor of 1,200 bodies that are fixed to the world loads, and carries a ball that falls on it: pairs of
// bodies in one piece are not listed, of which there would be 720,000.
func TestManyStaticBodiesOfAFileCarryOthers(t *testing.T) {
	var text strings.Builder
	text.WriteString("<mujoco><worldbody>")
	for i := range 1200 {
		fmt.Fprintf(&text, `<body name="b%d" pos="%g %g 0"><geom type="box" size="0.05 0.05 0.05"/></body>`, i, float64(i%40)*0.1, float64(i/40)*0.1)
	}
	text.WriteString(`<body name="ball" pos="0.5 0.5 0.081"><freejoint/><geom size="0.03"/></body></worldbody></mujoco>`)
	dir := folder(t, map[string]string{"floor.xml": text.String()})
	sc := mustLoad(t, dir, "time: {step: 0.005, duration: 1}\nrobots: {r: {file: floor.xml, self_contact: true}}\nsignals: {z: {body: r.ball, position: z}}\n")
	if n := len(sc.Model.Geometry.ExcludedPairs); n > 1200 {
		t.Errorf("%d excluded pairs", n)
	}
	near(t, "height", simulate(t, sc, 0.3)["z"], 0.08, 1e-4)
}

// A ball rests on a height field of a file, on the slope of a plane field pressed down between two walls of
// its heights, which also shows that free bodies touch the shapes of the world: at the lowest line of a valley of slope
// 1 its centre is √2 r above it.
func TestBallsRestInValleysOfHeightFields(t *testing.T) {
	dir := folder(t, map[string]string{"valley.xml": `<mujoco><asset><hfield name="h" size="1 1 1 0.1" nrow="3" ncol="3" elevation="1 0 1 1 0 1 1 0 1"/></asset>` +
		`<worldbody><geom type="hfield" hfield="h"/><body name="ball" pos="0 0.2 0.15"><freejoint/><geom size="0.1"/></body></worldbody></mujoco>`})
	sc := mustLoad(t, dir, "time: {step: 0.005, duration: 1}\nrobots: {r: {file: valley.xml}}\nsignals: {z: {body: r.ball, position: z}}\n")
	near(t, "height", simulate(t, sc, 0.5)["z"], 0.1*math.Sqrt2, 2e-4)
}

// The same valley as the height map of an SDFormat model: the image is white at its sides.
func TestBallsRestInValleysOfHeightMaps(t *testing.T) {
	img := image.NewGray(image.Rect(0, 0, 3, 3))
	for i := range 9 {
		if i%3 != 1 {
			img.SetGray(i%3, i/3, color.Gray{Y: 255})
		}
	}
	var picture strings.Builder
	if err := png.Encode(&picture, img); err != nil {
		t.Fatal(err)
	}
	dir := folder(t, map[string]string{"valley.png": picture.String(), "valley.sdf": `<sdf version="1.11"><model name="m"><static>true</static><link name="ground"><collision name="c"><geometry>` +
		`<heightmap><uri>valley.png</uri><size>2 2 1</size><pos>0 0 0</pos></heightmap></geometry></collision></link></model></sdf>`})
	sc := mustLoad(t, dir, "time: {step: 0.005, duration: 1}\nrobots: {r: {file: valley.sdf}}\nbodies: {ball: {mass: 1, pose: {xyz: [0, 0.2, 0.15]}, shapes: [{sphere: {radius: 0.1}}]}}\n"+
		"signals: {z: {body: ball, position: z}}\n")
	near(t, "height", simulate(t, sc, 0.5)["z"], 0.1*math.Sqrt2, 2e-4)
}

// Groups keep apart what pairs would: members of a group, of several groups that share bodies, and bodies of
// one piece. Free bodies of one file touch unless the scene wants no self-contact or the file excludes it, by
// name or by masks; other bodies they touch all the same.
func TestGroupsKeepBodiesApart(t *testing.T) {
	pair := func(masks, contact string) string {
		return `<mujoco><worldbody><body name="x" pos="0 0 1"><freejoint/><geom size="0.1"/></body>` +
			`<body name="y" pos="0 0 1.05"><freejoint/><geom size="0.1" ` + masks + `/></body></worldbody>` + contact + `</mujoco>`
	}
	dir := folder(t, map[string]string{"pair.xml": pair("", ""), "masks.xml": pair(`contype="2" conaffinity="2"`, ""), "apart.xml": pair("", `<contact><exclude body1="x" body2="y"/></contact>`)})
	for more, touching := range map[string]int{"pair.xml": 1, "pair.xml, self_contact: false": 0, "pair.xml, self_contact: true": 1, "masks.xml": 0, "apart.xml": 0} {
		sc := mustLoad(t, dir, "time: {step: 0.001, duration: 1}\n"+noGravity+"robots: {r: {file: "+more+"}}\n"+
			"bodies: {post: {fixed: true, pose: {xyz: [0.05, 0, 1]}, shapes: [{sphere: {radius: 0.01}}]}}\n")
		st, err := sim.NewStepper(sc.Model, sim.Options{Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		pairs := map[[2]int]bool{}
		for _, c := range st.ContactsAt(&sc.Model.Start, 0.001) {
			pairs[[2]int{c.A.Body, c.B.Body}] = true
		}
		if len(pairs) != 2+touching { // the post touches both
			t.Errorf("%s: pairs %v", more, pairs)
		}
	}
}
