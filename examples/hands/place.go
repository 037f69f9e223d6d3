package main

// Where the sphere goes. Its centre c is sought where fingers that close until they touch hold it best:
// the largest ball of forces about the origin within the convex hull of the friction cones of the contacts,
// whose normal forces add up to 1 (Ferrari and Canny 1992, forces alone: normals of a sphere meet in its
// centre). Its radius is
//
//	ε(c) = min_d max_i (d·n_i + μ |d − (d·n_i) n_i|)                                              (1)
//
// with the normals n_i from finger to sphere, over directions d, and the part μ of the friction on which a grip relies.

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/curlfree/curlfree/r3"
)

const (
	dependable = 0.5  // part of the friction on which a grip relies
	clearance  = 2e-3 // of the sphere from open fingers and from all that does not close, m
	samples    = 48   // positions of a finger on its way, for the search
	ready      = 3e-3 // gap of the other jaw of a gripper that will touch, too, once the sphere is moved by half of it, m
	bothTouch  = 1e-6 // gap of a jaw that touches, m
	steepest   = 0.4  // least cosine between the motion of a finger and the normal where it touches
	farGap     = 0.03 // gaps beyond are not distinguished from it, m
	leastGrip  = 1e-3 // radius ε below which a grip is none
)

// touch is a contact of a finger with the sphere.
type touch struct {
	finger, link  int
	point, normal r3.Vec  // on the link, in the frame of the file, m; normal towards the centre
	gap           float64 // m
	force         r3.Vec  // on the sphere, N
}

// grip is a place of the sphere with the fingers that hold it there.
type grip struct {
	center  r3.Vec
	closure []float64 // of each finger, from 0 (open) to 1; 0 for those that do not reach
	touches []touch
	quality float64 // ε of (1)
}

// search finds the place of the sphere for one hand.
type search struct {
	h      *hand
	do     task
	k      *kinematics
	start  []float64     // positions of all joints, fingers open
	links  [][]int       // that each finger moves
	parts  [][]int       // of each finger: for each of its links, the jaw to which it belongs
	still  []int         // links that no finger moves
	poses  [][][]r3.Pose // by finger, sample and link of the finger
	open   []r3.Pose     // of all links
	radius float64
	dirs   []r3.Vec
}

// newSearch places the fingers of a hand on their ways.
func newSearch(h *hand, do task, k *kinematics) (*search, error) {
	s := &search{h: h, do: do, k: k, radius: h.diameter / 2, start: make([]float64, len(k.robot.Joints))}
	for i := range k.robot.Joints {
		if t := k.robot.Joints[i].Type; t != "fixed" && !t.OneDOF() {
			return nil, fmt.Errorf("joint %q is %s: hands have hinges and slides", k.robot.Joints[i].Name, t)
		}
		s.start[i] = max(k.robot.Joints[i].Lower, min(0, k.robot.Joints[i].Upper))
	}
	for name, q := range h.preset {
		i, err := k.joint(name)
		if err != nil {
			return nil, err
		}
		s.start[i] = q
	}
	moved := map[int]bool{}
	for _, f := range h.fingers {
		links, err := k.movedBy(f)
		if err != nil {
			return nil, err
		}
		for _, t := range f {
			s.start[k.index[t.joint]] = t.open
		}
		for _, l := range links {
			if moved[l] {
				return nil, fmt.Errorf("two fingers move link %q", k.robot.Links[l].Name)
			}
			moved[l] = true
		}
		s.links = append(s.links, links)
		s.parts = append(s.parts, k.jaws(links))
	}
	k.place(s.start)
	for l := range k.robot.Links {
		s.open = append(s.open, k.pose(l))
		if !moved[l] {
			s.still = append(s.still, l)
		}
	}
	for f := range h.fingers {
		var way [][]r3.Pose
		for i := range samples + 1 {
			s.placeFinger(f, float64(i)/samples)
			var at []r3.Pose
			for _, l := range s.links[f] {
				at = append(at, k.pose(l))
			}
			way = append(way, at)
		}
		s.poses = append(s.poses, way)
	}
	// directions on a Fibonacci spiral
	const n = 200
	for i := range n {
		z := 1 - (2*float64(i)+1)/n
		a := math.Pi * (3 - math.Sqrt(5)) * float64(i)
		r := math.Sqrt(1 - z*z)
		s.dirs = append(s.dirs, r3.Vec{r * math.Cos(a), r * math.Sin(a), z})
	}
	return s, nil
}

// placeFinger closes one finger by t, from 0 to 1, while the others are open.
func (s *search) placeFinger(f int, t float64) {
	q := append([]float64(nil), s.start...)
	s.close(q, f, t)
	s.k.place(q)
}

// close sets the positions q of the joints of a finger that is closed by t.
func (s *search) close(q []float64, f int, t float64) {
	for _, m := range s.h.fingers[f] {
		q[s.k.index[m.joint]] = m.open + t*(m.closed-m.open)
	}
}

// gap is that of the sphere at c from links at poses, or farGap where it is more.
func (s *search) gap(links []int, poses []r3.Pose, c r3.Vec) float64 {
	least := farGap
	for i, l := range links {
		phi, _ := s.k.distance(l, poses[i], c, least+s.radius)
		least = min(least, phi-s.radius)
	}
	return least
}

// find returns the best place on a grid of candidates, improved on finer grids about it.
func (s *search) find() (*grip, error) {
	box := s.reach()
	if s.h.at != nil {
		box = *s.h.at
	}
	var best *grip
	at := func(c r3.Vec) {
		if g := s.try(c); g != nil && (best == nil || g.quality > best.quality) {
			best = g
		}
	}
	size := box.Max.Sub(box.Min)
	cells := [3]int{}
	step := s.radius / 4
	for i := range cells {
		cells[i] = int(math.Ceil(size[i] / step))
	}
	cell := func(i, k int) float64 {
		if cells[k] == 0 {
			return box.Min[k]
		}
		return box.Min[k] + size[k]*float64(i)/float64(cells[k])
	}
	for i := range cells[0] + 1 {
		for j := range cells[1] + 1 {
			for k := range cells[2] + 1 {
				at(r3.Vec{cell(i, 0), cell(j, 1), cell(k, 2)})
			}
		}
	}
	if best == nil {
		return nil, errors.New("no place where fingers that close hold the sphere")
	}
	for ; step > 2e-4; step /= 2 {
		c := best.center
		for i := range 27 {
			d := r3.Vec{float64(i%3 - 1), float64(i/3%3 - 1), float64(i/9 - 1)}
			for k := range d {
				if cells[k] == 0 {
					d[k] = 0
				}
			}
			at(c.AddScaled(step, d))
		}
	}
	return s.settle(best)
}

// reach is the box of the centres of all shapes of the fingers on their ways.
func (s *search) reach() r3.Box {
	box := r3.EmptyBox()
	for f := range s.links {
		for _, at := range s.poses[f] {
			for i, l := range s.links[f] {
				for _, g := range s.k.shapes[l] {
					geom := &s.k.stepper.Model.Geometry.Geoms[g]
					b := geom.Shape.Bounds()
					box = box.Extend(at[i].Mul(geom.X_BG).Point(b.Min.Add(b.Max).Scale(0.5)))
				}
			}
		}
	}
	return box
}

// try closes the fingers on a sphere at c by the samples of their ways; nil where it is in the way of open ones or
// slips through them.
func (s *search) try(c r3.Vec) *grip {
	for _, l := range s.still {
		if phi, _ := s.k.distance(l, s.open[l], c, s.radius+clearance); phi-s.radius < clearance {
			return nil
		}
	}
	g := &grip{center: c, closure: make([]float64, len(s.links))}
	for f, links := range s.links {
		before := s.gap(links, s.poses[f][0], c)
		if before < clearance {
			return nil
		}
		for i := 1; i <= samples; i++ {
			gap := s.gap(links, s.poses[f][i], c)
			if gap > 0 {
				before = gap
				continue
			}
			share := before / (before - gap)
			g.closure[f] = (float64(i) - 1 + share) / samples
			var near []touch
			for _, jaw := range jawsOf(s.parts[f]) {
				t, ok := s.touched(f, jaw, c, s.poses[f][i-1], s.poses[f][i], share)
				if !ok {
					return nil
				}
				if t.link >= 0 {
					near = append(near, t)
				}
			}
			g.touches = append(g.touches, opposed(near)...)
			break
		}
	}
	if g.quality = s.quality(g.touches); g.quality < leastGrip {
		return nil
	}
	return g
}

// touched is the contact of a jaw that has its place between two samples; link −1 where it does not touch, false where
// it slides along the sphere rather than presses on it.
func (s *search) touched(f, jaw int, c r3.Vec, a, b []r3.Pose, share float64) (touch, bool) {
	t, least := touch{finger: f, link: -1}, math.Inf(1)
	for i, l := range s.links[f] {
		if s.parts[f][i] != jaw {
			continue
		}
		phi0, _ := s.k.distance(l, a[i], c, s.radius+farGap)
		phi1, n := s.k.distance(l, b[i], c, s.radius+farGap)
		if phi := phi0 + share*(phi1-phi0) - s.radius; phi < least { // not so where both are infinite
			least = phi
			p := c.AddScaled(-phi1, n)
			t.link, t.normal, t.point, t.gap = l, n, p, phi
			way := p.Sub(a[i].Point(b[i].InvPoint(p)))
			if way.Dot(n) < steepest*way.Norm() && least < ready {
				return t, false
			}
		}
	}
	if least > ready {
		t.link = -1
	}
	return t, true
}

// quality is (1); negative where some direction is not supported.
func (s *search) quality(touches []touch) float64 {
	worst := math.Inf(1)
	for _, d := range s.dirs {
		held := math.Inf(-1)
		for i := range touches {
			along := d.Dot(touches[i].normal)
			held = max(held, along+dependable*s.do.friction*math.Sqrt(max(0, 1-along*along)))
		}
		worst = min(worst, held)
	}
	return worst
}

// settle closes the fingers of a grip to where they touch exactly. A sphere that only one of two jaws touches
// is moved until both do.
func (s *search) settle(coarse *grip) (*grip, error) {
	g := &grip{center: coarse.center, closure: slices.Clone(coarse.closure)}
	for range 60 {
		g.touches = g.touches[:0]
		var way r3.Vec
		for f, t := range coarse.closure {
			if t == 0 {
				continue
			}
			var near []touch
			g.closure[f], near = s.touchesOf(f, t, g.center)
			for _, t := range opposed(near) {
				if t.gap <= bothTouch {
					g.touches = append(g.touches, t)
				} else {
					way = way.AddScaled(t.gap/2, near[0].normal) // the other jaw has less to go
				}
			}
		}
		if way == (r3.Vec{}) {
			break
		}
		g.center = g.center.Add(way)
	}
	if g.quality = s.quality(g.touches); g.quality < leastGrip {
		return nil, errors.New("no grip: fingers touch otherwise than the search found")
	}
	return g, nil
}

// opposed puts the jaws of a finger in the order of their gaps and returns the nearest, with the nearest of those that
// face it.
func opposed(near []touch) []touch {
	slices.SortStableFunc(near, func(a, b touch) int { return cmp.Compare(a.gap, b.gap) })
	if len(near) == 0 {
		return nil
	}
	for _, t := range near[1:] {
		if t.normal.Dot(near[0].normal) < 0 {
			return []touch{near[0], t}
		}
	}
	return near[:1]
}

// touchesOf closes a finger, about from t on, until it touches a sphere at c, and returns the touches of its jaws that
// are ready.
func (s *search) touchesOf(f int, t float64, c r3.Vec) (closure float64, near []touch) {
	at := func(t float64) (poses []r3.Pose) {
		s.placeFinger(f, t)
		for _, l := range s.links[f] {
			poses = append(poses, s.k.pose(l))
		}
		return poses
	}
	lo, hi := max(0, t-4./samples), min(1, t+4./samples)
	for hi-lo > 1e-10 {
		if mid := (lo + hi) / 2; s.gap(s.links[f], at(mid), c) > 0 {
			lo = mid
		} else {
			hi = mid
		}
	}
	poses := at(lo)
	for _, jaw := range jawsOf(s.parts[f]) {
		t := touch{finger: f, link: -1, gap: ready}
		for i, l := range s.links[f] {
			if s.parts[f][i] != jaw {
				continue
			}
			if phi, n := s.k.distance(l, poses[i], c, s.radius+t.gap); phi-s.radius < t.gap {
				t.gap, t.link, t.normal, t.point = phi-s.radius, l, n, c.AddScaled(-phi, n)
			}
		}
		if t.link >= 0 {
			near = append(near, t)
		}
	}
	return lo, near
}

// jaws numbers the parts of a finger that hang on the rest of the hand separately, by link.
func (k *kinematics) jaws(links []int) []int {
	root := map[int]int{}
	for _, l := range links {
		root[l] = l
	}
	for range links {
		for i := range k.robot.Joints {
			j := &k.robot.Joints[i]
			if r, ok := root[j.Parent]; ok {
				root[j.Child] = r
			}
		}
	}
	var jaws []int
	for _, l := range links {
		jaws = append(jaws, root[l])
	}
	return jaws
}

// jawsOf lists the jaws of a finger, each once.
func jawsOf(parts []int) (list []int) {
	seen := map[int]bool{}
	for _, p := range parts {
		if !seen[p] {
			seen[p] = true
			list = append(list, p)
		}
	}
	return list
}
