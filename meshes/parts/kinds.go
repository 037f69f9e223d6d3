package parts

// Help texts say what a parameter is, its unit and its effect on the mate; a
// value of 0 with a meaning of its own is explained after a semicolon. The same
// texts appear in the help of the command line and in the reference manual.

import "fmt"

// The kinds of parts and their parameters, as scenes and the command line use
// them. Each entry binds the parameters of a kind to the fields of its type, in
// the order of the help text; defaults come from the Default function of the
// type. The texts below are shared by several kinds.

const (
	docModule    = "module: pitch diameter over teeth; parts that mesh have the same"
	docPressure  = "normal pressure angle"
	docShift     = "profile shift over the module; positive for few teeth"
	docBacklash  = "how much thinner this part's teeth are at the pitch circle; the play of a pair is the sum of both"
	docAddendum  = "height of the teeth above the pitch circle, over the module"
	docClearance = "by which the root lies deeper than the mate's tip, over the module"
	docFillet    = "tip radius of the rack that cuts the root, over the module"
	docFace      = "width along the axis"
	docBore      = "diameter of the bore; 0: none"
)

// adviceTeeth describes how to choose the resolution of gears.
const adviceTeeth = `Resolution: chord is the largest distance of a flank's facets from the exact involute. Contact
moves over the facets' edges, so that it is also the error of transmission: chord over the base
radius, as an angle. 1 % of the module (the default; 4 to 5 facets a flank) is finer than common
gears are cut; 0.1 % takes 3 times as many facets and runs as smoothly as ground ones. Facets
longer than chord allows do not make contact cheaper; use fewer layers instead.
Time step: a tooth should pass in at least 10 steps, and the meshes of a train should lose less
than 2 % of their power to the step: each loses about 0.9/n² with pressure fields, 50/n² + 1.3/n
with contact points, at n steps a tooth. ` + "`curlfree check`" + ` warns of spur gears for which a step
is longer, and says which one is not.
`

// adviceTets describes how gears are filled with tets.
const adviceTets = `Tetrahedra: across counts the cells across a tooth: 2 put a line of vertices inside each tooth,
enough for a pressure field, 4 and more are for bending. layers counts those along the face; the
two outer ones are thin. Surfaces of straight teeth have a single layer unless layers is given.`

// adviceThreads describes how to choose the resolution of threads.
const adviceThreads = `Resolution: chord is the largest distance of the facets from the exact thread surface; it sets the
facets in a turn (95 for 1 % of the module of a worm) and on a flank. The thread fades out at both
ends within a quarter of a pitch, about 0.8 pitches from each end: a part of length L has its full
thread over about L − 1.6 pitches.
Tetrahedra: layers counts those in the depth of the thread: 2 put vertices inside of it. Solid
threads of many turns take many tetrahedra: let the mate, or a short nut, be the compliant one.`

// fields binds the resolution; an empty text leaves across out.
func (f *Resolution) fields(across, layers string) []field {
	// chord has a default of the part: 1 % of the module or of the pitch
	out := []field{metres("chord", &f.Chord, "largest distance of a facet from the exact surface; 0: 1 % of the module or pitch")}
	if across != "" {
		out = append(out, count("across", &f.Across, across))
	}
	return append(out, count("layers", &f.Layers, layers))
}

// Texts of the resolution.
const (
	acrossTooth = "cells across a tooth; 0: 2"
	layersFace  = "layers along the face; 0: one for a straight surface, layers of about two teeth for tetrahedra"
	acrossRidge = "cells across a ridge; 0: 2, or more where chord wants them"
	layersDepth = "layers of tetrahedra in the depth of the thread; 0: 2"
)

// kinds lists the kinds in the order of the manual: gears, threads, round
// parts.
var kinds = []Kind{
	kind("spur", "Involute gear, straight or helical",
		"The axis is z, the face centred at z = 0, the middle of tooth 0 on the x axis.\n\n"+adviceTeeth+adviceTets,
		DefaultSpur, func(g *Spur) []field {
			return append([]field{
				metres("module", &g.Module, docModule+"; of helical gears the normal one"),
				count("teeth", &g.Teeth, "number of teeth"),
				angle("pressure_angle", &g.PressureAngle, docPressure),
				number("shift", &g.Shift, docShift),
				metres("backlash", &g.Backlash, docBacklash),
				metres("face_width", &g.FaceWidth, docFace),
				metres("bore", &g.Bore, docBore),
				angle("helix", &g.Helix, "helix angle at the pitch circle, positive right-handed; the mate's is opposite"),
				number("addendum", &g.Addendum, docAddendum),
				number("clearance", &g.Clearance, docClearance),
				number("fillet", &g.Fillet, docFillet),
			}, g.Resolution.fields(acrossTooth, layersFace)...)
		}),
	kind("ring_gear", "Internal involute gear",
		"The axis is z, the face centred at z = 0, the middle of tooth 0 on the x axis.\n\n"+adviceTeeth+adviceTets,
		DefaultRingGear, func(g *RingGear) []field {
			return append([]field{
				metres("module", &g.Module, docModule+"; of helical gears the normal one"),
				count("teeth", &g.Teeth, "number of teeth; at least 34 for a pressure angle of 20°"),
				angle("pressure_angle", &g.PressureAngle, docPressure),
				number("shift", &g.Shift, "profile shift over the module, positive outwards"),
				metres("backlash", &g.Backlash, docBacklash),
				metres("face_width", &g.FaceWidth, docFace),
				metres("outer", &g.Outer, "outer diameter"),
				angle("helix", &g.Helix, "helix angle, positive right-handed; equal to the pinion's"),
				number("addendum", &g.Addendum, "height of the teeth inside the pitch circle, over the module"),
				number("clearance", &g.Clearance, docClearance),
			}, g.Resolution.fields(acrossTooth, layersFace)...)
		}),
	kind("rack", "Straight bar with involute teeth",
		"The rack lies along x, its teeth point to y, the pitch line is y = 0, the middle of a tooth is at\nx = 0, the face centred at z = 0. Its flanks are planes: exact at any resolution.\n\n"+adviceTets,
		DefaultRack, func(g *Rack) []field {
			return append([]field{
				metres("module", &g.Module, docModule),
				count("teeth", &g.Teeth, "number of teeth"),
				angle("pressure_angle", &g.PressureAngle, docPressure),
				metres("backlash", &g.Backlash, docBacklash),
				metres("face_width", &g.FaceWidth, docFace),
				metres("base", &g.Base, "thickness below the teeth"),
				angle("helix", &g.Helix, "helix angle, opposite to that of the gear"),
				number("addendum", &g.Addendum, docAddendum),
				number("clearance", &g.Clearance, docClearance),
			}, g.Resolution.fields(acrossTooth, layersFace)...)
		}),
	kind("worm", "Worm: an involute helicoid of one or a few starts",
		"The axis is z, centred at z = 0, the middle of a thread on the x axis. Give the pitch diameter or\nthe lead angle, setting the other to 0.\n\n"+adviceThreads,
		DefaultWorm, func(w *Worm) []field {
			return append([]field{
				metres("module", &w.Module, "axial module: axial pitch over π"),
				count("starts", &w.Starts, "number of threads"),
				metres("pitch_diameter", &w.PitchDiameter, "pitch diameter; 0: from the lead angle"),
				angle("lead_angle", &w.LeadAngle, "lead angle at the pitch diameter; 0: from the pitch diameter"),
				flag("left", &w.Left, "1: left-handed"),
				angle("pressure_angle", &w.PressureAngle, docPressure),
				metres("backlash", &w.Backlash, "how much thinner the threads are, axially; the play of a pair is the sum of both"),
				metres("length", &w.Length, "length along the axis"),
				metres("bore", &w.Bore, docBore+"; tetrahedra need one"),
				number("addendum", &w.Addendum, docAddendum),
				number("clearance", &w.Clearance, docClearance),
			}, w.Resolution.fields(acrossRidge, layersDepth)...)
		}),
	kind("worm_wheel", "Wheel of a worm: a helical gear with the worm's lead angle",
		`The axis is z, the face centred at z = 0, the middle of tooth 0 on the x axis. The wheel is not
throated: it touches the worm in one point of each flank, with constant ratio at any centre
distance. Centre distance: half the sum of the pitch diameters, plus shift times the module.

`+adviceTeeth+adviceTets,
		DefaultWormWheel, func(w *WormWheel) []field {
			return append([]field{
				metres("module", &w.Module, "axial module of the worm"),
				count("teeth", &w.Teeth, "number of teeth"),
				angle("lead_angle", &w.LeadAngle, "lead angle of the worm"),
				flag("left", &w.Left, "1: for a left-handed worm"),
				angle("pressure_angle", &w.PressureAngle, docPressure),
				number("shift", &w.Shift, docShift),
				metres("backlash", &w.Backlash, docBacklash),
				metres("face_width", &w.FaceWidth, docFace),
				metres("bore", &w.Bore, docBore),
				number("addendum", &w.Addendum, docAddendum),
				number("clearance", &w.Clearance, docClearance),
				number("fillet", &w.Fillet, docFillet),
			}, w.Resolution.fields(acrossTooth, layersFace)...)
		}),
	kind("screw", "External thread",
		"The axis is z, centred at z = 0, the middle of a ridge on the x axis. The default is an M6 screw.\n\n"+adviceThreads,
		DefaultScrew, func(s *Screw) []field {
			return append(append(s.Thread.fields(),
				metres("length", &s.Length, "length along the axis"),
				metres("bore", &s.Bore, docBore+"; tetrahedra need one"),
			), s.Resolution.fields(acrossRidge, layersDepth)...)
		}),
	kind("nut", "Internal thread in a round or flat-sided body",
		"The axis is z, centred at z = 0, the middle of a groove on the x axis: screw and nut of equal poses\nrun together. The default fits the default screw with 0.05 mm of clearance.\n\n"+adviceThreads,
		DefaultNut, func(n *Nut) []field {
			return append(append(n.Thread.fields(),
				metres("length", &n.Length, "length along the axis"),
				metres("outer", &n.Outer, "outer diameter, or width across flats"),
				count("flats", &n.Flats, "number of flat sides; 0: round"),
			), n.Resolution.fields(acrossRidge, layersDepth)...)
		}),
	kind("ring", "Ring, washer or tube, in a regular grid", aboutRound+adviceRound,
		DefaultRing, func(r *Ring) []field {
			return []field{
				metres("outer", &r.Outer, "outer diameter"),
				metres("inner", &r.Inner, "inner diameter"),
				metres("length", &r.Length, "length along the axis: the thickness of a washer"),
				metres("chord", &r.Chord, docChord),
				count("across", &r.Across, "cells across the wall; 0: 2"),
				count("layers", &r.Layers, "layers along the axis; 0: about as long as cells are wide"),
			}
		}),
	kind("cup", "Round cup, open to +z", aboutRound+adviceRound,
		DefaultCup, func(p *Cup) []field {
			return []field{
				metres("outer", &p.Outer, "outer diameter"),
				metres("height", &p.Height, "height along the axis"),
				metres("wall", &p.Wall, "thickness of the wall"),
				metres("bottom", &p.Bottom, "thickness of the bottom"),
				metres("size", &p.Size, docSize),
				metres("chord", &p.Chord, docChord),
			}
		}),
	kind("shaft", "Stepped shaft, disc or rod", aboutRound+"The default has two journals.\n\n"+adviceRound,
		DefaultShaft, func(s *Shaft) []field {
			return []field{
				list("steps", &s.Steps, "m", "diameter and length of each step, from the lowest up"),
				metres("bore", &s.Bore, docBore),
				metres("size", &s.Size, docSize),
				metres("chord", &s.Chord, docChord),
			}
		}),
	revolveKind(),
	finRayKind(),
}

// Texts of round parts.
const (
	aboutRound  = "The axis is z, the part centred on z = 0.\n\n"
	adviceRound = `Resolution: chord is the largest distance of the sides from the true circles, 0.2 % of the largest
diameter unless given: 36 sides.`
	docSize  = "edge length of tetrahedra in the section; 0: half of the mean wall"
	docChord = "largest distance of a facet from the circle; 0: 0.2 % of the diameter"
)

// revolveKind is the kind of solids of revolution, whose profile is a flat list
// of numbers in files and on the command line.
func revolveKind() Kind {
	k := Kind{Name: "revolve", Doc: "Any closed profile turned about the axis", About: "The profile lists radius and z of its corners in turn, closed from the last to the first; it turns\nabout the z axis. Radii must not be negative; one edge may lie on the axis.\n\n" + adviceRound}
	// Each use has a profile of its own, which the parameters fill in.
	k.start = func() binding {
		r := &Revolve{}
		// A conical ring as an example.
		profile := []float64{5e-3, 0, 10e-3, 0, 10e-3, 2e-3, 5e-3, 8e-3}
		return binding{
			[]field{
				list("profile", &profile, "m", "radius and z of each corner in turn"),
				metres("size", &r.Size, docSize),
				metres("chord", &r.Chord, docChord),
			},
			func() (Part, error) {
				// Radius and z come in pairs.
				if len(profile)%2 != 0 {
					return nil, fmt.Errorf("parts: revolve: profile has %d numbers: give radius and z for each corner", len(profile))
				}
				for i := 0; i+1 < len(profile); i += 2 {
					r.Profile = append(r.Profile, [2]float64{profile[i], profile[i+1]})
				}
				return *r, nil
			},
		}
	}
	k.list()
	return k
}

// fields binds a thread. Parameters of the profile that are not given follow
// from those that are, by ISO 68-1.
func (t *Thread) fields() []field {
	// ISO 68-1: the minor diameter is major − 1.0825 pitch, the pitch diameter major − 0.6495 pitch
	minor := metres("minor", &t.Minor, "inner diameter of the basic profile; unless given, ISO metric: major − 1.0825 pitch")
	// A new major diameter or pitch moves the minor diameter.
	minor.follow = func(given func(string) bool) {
		if given("major") || given("pitch") {
			t.Minor = ISOThread(t.Major, t.Pitch).Minor
		}
	}
	middle := metres("pitch_diameter", &t.PitchDiameter,
		"where ridge and groove are equally wide; 0: midway; unless given, midway with a minor diameter that is, else ISO metric: major − 0.6495 pitch")
	// With a given minor diameter, the pitch diameter is midway.
	middle.follow = func(given func(string) bool) {
		switch {
		case given("minor"):
			t.PitchDiameter = 0
		case given("major") || given("pitch"):
			t.PitchDiameter = ISOThread(t.Major, t.Pitch).PitchDiameter
		}
	}
	// in the order of the manual
	return []field{
		metres("pitch", &t.Pitch, "axial distance of neighbouring ridges"),
		count("starts", &t.Starts, "number of threads"),
		flag("left", &t.Left, "1: left-handed"),
		metres("major", &t.Major, "outer diameter of the basic profile"),
		minor,
		middle,
		angle("flank_angle", &t.FlankAngle, "angle of the flanks from the plane across the axis: ISO metric 30, trapezoidal 15"),
		metres("clearance", &t.Clearance, "how far this part stays behind the basic profile, along its normal; the gap of a pair is the sum of both"),
	}
}
