package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/run"
	"github.com/curlfree/curlfree/scene"
)

const (
	closed, pressed, released, end = 1.0, 1.5, 2.0, 4.0 // s

	share = 0.5 // of the effort limits of the file that the grip may take

	// gains of the position controllers of joints: kp for each N m of the effort limit, 1/rad, and at most, N m/rad;
	// kd/kp, s
	gain, stiffest, lag = 10.0, 100.0, 0.05
	// largest motion of a sphere that is gripped, m, and its largest speed at the end, m/s
	still, slow = 1e-3, 1e-4
)

// task is what all hands have to do.
type task struct {
	step     float64 // s
	mass     float64 // of the sphere, kg
	force    float64 // sum of the normal forces of the fingers, N, unless joints are too weak
	friction float64 // between hand and sphere
}

// usual is the task of the table in docs/robots.md.
var usual = task{step: 0.005, mass: 0.1, force: 15, friction: 0.8}

// directions are those of gravity in the frame of the file.
var directions = []struct {
	name string
	g    r3.Vec
}{
	{"x", r3.Vec{9.81, 0, 0}}, {"-x", r3.Vec{-9.81, 0, 0}}, {"y", r3.Vec{0, 9.81, 0}}, {"-y", r3.Vec{0, -9.81, 0}}, {"z", r3.Vec{0, 0, 9.81}}, {"-z", r3.Vec{0, 0, -9.81}},
}

// result is what came of a grip.
type result struct {
	hand           *hand
	joints, mimics int
	grip           *grip
	fingers        int     // that touch, jaws of a gripper each
	force          float64 // sum of normal forces at the end, least over the directions of gravity, N
	moved, speed   float64 // largest over the directions of gravity: since the release, m; at the end, m/s
	worst          string  // direction of gravity in which it moved most
}

// holds reports whether the sphere stays where it is, whatever the direction of gravity.
func (r *result) holds() bool { return r.moved < still && r.speed < slow }

// number writes a number such that reading it gives the same bits.
func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// vector writes a list of three numbers.
func vector(v r3.Vec) string {
	return fmt.Sprintf("[%s, %s, %s]", number(v[0]), number(v[1]), number(v[2]))
}

// handText is the part of the scene that shows the hand alone.
func handText(file string) string {
	return fmt.Sprintf("robots:\n  hand:\n    file: %q\n    material: hand\n    missing_meshes: skip\n", file)
}

// load writes a scene and reads it.
func load(path, text string) (*scene.Scene, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, err
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		return nil, err
	}
	return scene.Load(path, nil)
}

// choose finds the grip of a hand.
func choose(h *hand, do task, file, dir string) (*search, *grip, error) {
	text := "time: {step: 1e-3, duration: 1}\nmaterials: {hand: {}}\n" + handText(file)
	sc, err := load(filepath.Join(dir, "hand.yaml"), text)
	if err != nil {
		return nil, nil, err
	}
	k, err := newKinematics(file, sc.Model)
	if err != nil {
		return nil, nil, err
	}
	s, err := newSearch(h, do, k)
	if err != nil {
		return nil, nil, err
	}
	g, err := s.find()
	if err != nil {
		return nil, nil, err
	}
	s.balance(g, do.force)
	weakest := 1.0
	press, _ := s.efforts(g, r3.Vec{})
	for j, tau := range press {
		if limit := k.robot.Joints[j].EffortLimit * share; math.Abs(tau) > limit {
			weakest = min(weakest, limit/math.Abs(tau))
		}
	}
	s.balance(g, do.force*weakest)
	return s, g, nil
}

// sceneText is the scene of a grip.
func (s *search) sceneText(g *grip, file string, gravity r3.Vec) string {
	var b bytes.Buffer
	p := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	p("# A %s hand closes on a sphere, which is fixed until %g s: written by examples/hands.", s.h.name, released)
	p("title: %s holds a sphere", s.h.name)
	p("time: {step: %s, duration: %g}", number(s.do.step), end)
	p("gravity: %s", vector(gravity))
	p("materials:\n  default: {friction: %g, dissipation: 10}\n  hand: {}\n  sphere: {color: %q}", s.do.friction, "#d9822b")
	b.WriteString(handText(file))
	p("    joints:")
	q := s.positions(g)
	press, carry := s.efforts(g, gravity)
	for j := range q {
		if jt := &s.k.robot.Joints[j]; jt.Type.OneDOF() && jt.Mimic == nil {
			p("      %q: %s", jt.Name, number(s.start[j]))
		}
	}
	p("bodies:\n  sphere: {mass: %g, pose: {xyz: %s}, shapes: [{sphere: {radius: %s}, material: sphere}]}", s.do.mass, vector(g.center), number(s.radius))
	p("  stand: {fixed: true}")
	p("drives:")
	p("  hold: {hold: stand, object: sphere, on: {times: [0, %g, %g], values: [1, 1, 0], smooth: false}}", released-s.do.step/2, released)
	for j := range q {
		jt := &s.k.robot.Joints[j]
		if !jt.Type.OneDOF() || jt.Mimic != nil {
			continue
		}
		kp := min(stiffest, gain*jt.EffortLimit)
		p("  %q: {joint: %q, kp: %s, kd: %s, target: {times: [0, %g], values: [%s, %s]}, feed_forward: {times: [%g, %g], values: [%s, %s]}}",
			"drive "+jt.Name, "hand."+jt.Name, number(kp), number(kp*lag), closed, number(s.start[j]), number(q[j]), closed, pressed, number(carry[j]), number(carry[j]+press[j]))
	}
	p("signals:")
	for _, c := range []string{"x", "y", "z"} {
		p("  %s_mm: {body: sphere, position: %s, since: %g, scale: 1000}", c, c, released)
		p("  v%s_m_s: {body: sphere, velocity: %s}", c, c)
	}
	p("  grip_N: {body: sphere, contact_force: normal}")
	for i, t := range g.touches {
		p("  # meant to be %.4g N, friction %.4g N", t.force.Dot(t.normal), t.force.AddScaled(-t.force.Dot(t.normal), t.normal).Norm())
		p("  touch%d_N: {body: sphere, from: [%q], contact_force: normal}", i+1, "hand."+s.k.robot.Links[t.link].Name)
	}
	p("  stand_N: {drive_effort: hold}")
	p("output: {rate: 100}")
	return b.String()
}

// simulate runs a grip under gravity from all sides.
func (s *search) simulate(ctx context.Context, g *grip, file, dir string) (*result, error) {
	r := &result{hand: s.h, grip: g, force: math.Inf(1), fingers: len(g.touches)}
	for i := range s.k.robot.Joints {
		if j := &s.k.robot.Joints[i]; j.Type.OneDOF() {
			r.joints++
			if j.Mimic != nil {
				r.mimics++
			}
		}
	}
	for _, d := range directions {
		folder := filepath.Join(dir, "gravity"+d.name)
		sc, err := load(filepath.Join(folder, "scene.yaml"), s.sceneText(g, file, d.g))
		if err != nil {
			return nil, err
		}
		if _, err := run.Run(ctx, sc, run.Options{Dir: filepath.Join(folder, "run")}); err != nil && !errors.Is(err, run.ErrSolver) {
			return nil, err
		} else if err != nil {
			return nil, fmt.Errorf("gravity %s: %w", d.name, err)
		}
		t, err := record.ReadColumns(filepath.Join(folder, "run"), record.SignalsFile, nil)
		if err != nil {
			return nil, err
		}
		moved, speed := 0.0, 0.0
		for i, at := range t.Column("time_s") {
			if at < released {
				continue
			}
			m, v := r3.Vec{}, r3.Vec{}
			for c, axis := range []string{"x", "y", "z"} {
				m[c], v[c] = t.Column(axis + "_mm")[i]/1000, t.Column("v" + axis + "_m_s")[i]
			}
			moved, speed = max(moved, m.Norm()), v.Norm()
		}
		grips := t.Column("grip_N")
		r.force = min(r.force, grips[len(grips)-1])
		r.speed = max(r.speed, speed)
		if moved > r.moved || r.worst == "" {
			r.moved, r.worst = moved, d.name
		}
	}
	return r, nil
}
