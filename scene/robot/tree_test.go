package robot_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/scene/robot"
	"github.com/curlfree/curlfree/scene/robot/robottest"
)

// connected returns a robot of n links with joints from parents to children.
func connected(n int, joints ...[2]int) *robot.Robot {
	m := &robot.Robot{}
	for i := range n {
		m.Links = append(m.Links, robot.Link{Name: fmt.Sprintf("l%d", i), Line: 1 + i})
	}
	for i, j := range joints {
		m.Joints = append(m.Joints, robot.Joint{Name: fmt.Sprintf("j%d", i), Line: 100 + i, Parent: j[0], Child: j[1], Type: robot.Revolute})
	}
	return m
}

// In random trees, whose links and joints are shuffled, the root is found and every
// joint comes after the one that carries its parent.
func TestRandomTreesAreOrdered(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 1))
	for range 300 {
		n := 1 + rng.IntN(30)
		name := rng.Perm(n)
		var joints [][2]int
		for i := 1; i < n; i++ {
			joints = append(joints, [2]int{name[rng.IntN(i)], name[i]})
		}
		rng.Shuffle(len(joints), func(i, j int) { joints[i], joints[j] = joints[j], joints[i] })
		m := connected(n, joints...)
		r := robot.Reader{File: "f"}
		if r.FindRoot(m); r.Err != nil || m.Root != name[0] {
			t.Fatalf("seed %d: root %d, want %d: %v", seed, m.Root, name[0], r.Err)
		}
		robottest.CheckOrder(t, m)
	}
}

// A joint that is added to a random tree makes a loop: either its child has two
// holders, or the root has one and hangs on itself.
func TestLoopsInRandomTreesAreFound(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 2))
	for range 300 {
		n := 2 + rng.IntN(20)
		var joints [][2]int
		for i := 1; i < n; i++ {
			joints = append(joints, [2]int{rng.IntN(i), i})
		}
		extra := [2]int{rng.IntN(n), rng.IntN(n)}
		m := connected(n, append(joints, extra)...)
		r := robot.Reader{File: "f"}
		r.FindRoot(m)
		// a joint to the root makes a cycle without an end; of two joints to a child the second goes
		if extra[1] == 0 {
			if r.Err == nil || !strings.Contains(r.Err.Error(), "a loop: robots are trees") {
				t.Fatalf("seed %d: joints %v and %v: %v", seed, joints, extra, r.Err)
			}
			continue
		}
		if r.Err != nil || len(m.Joints) != n-1 || len(r.Warnings) != 1 || !r.Warnings[0].Repaired || !strings.Contains(r.Warnings[0].Text, fmt.Sprintf("joint \"j%d\" is left out", n-1)) {
			t.Fatalf("seed %d: joints %v and %v: %v, warnings %v", seed, joints, extra, r.Err, r.Warnings)
		}
	}
}

func TestTreeFaultsNameTheirLines(t *testing.T) {
	for _, c := range []struct {
		name string
		m    *robot.Robot
		want string
	}{
		{"no links", connected(0), "f:1: the robot has no links"},
		{"a circle beside a root", connected(3, [2]int{1, 2}, [2]int{2, 1}), `which hangs on it, a loop`},
		{"on itself", connected(1, [2]int{0, 0}), `f:100: joint "j0" hangs link "l0" on "l0"`},
	} {
		r := robot.Reader{File: "f"}
		if r.FindRoot(c.m); r.Err == nil || !strings.Contains(r.Err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.name, r.Err, c.want)
		}
	}
}

// Mimics lead to one joint, or in a cycle; walking from every joint shows which.
func TestMimicCyclesAreFoundAsByWalking(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 3))
	found := 0
	for range 500 {
		n := 1 + rng.IntN(8)
		m := connected(n+1, make([][2]int, n)...)
		for i := range m.Joints {
			if k := rng.IntN(n + 2); k < n && k != i {
				m.Joints[i].Mimic = &robot.Mimic{Joint: k}
			}
		}
		cycle := false
		for i := range m.Joints {
			at, steps := i, 0
			for m.Joints[at].Mimic != nil && steps <= n {
				at, steps = m.Joints[at].Mimic.Joint, steps+1
			}
			cycle = cycle || steps > n
		}
		r := robot.Reader{File: "f"}
		if r.CheckMimicCycles(m); (r.Err != nil) != cycle {
			t.Fatalf("seed %d: %v, but a cycle: %v", seed, r.Err, cycle)
		}
		if cycle {
			found++
		}
	}
	if found < 50 {
		t.Errorf("only %d cycles were tried", found)
	}
}

func TestMimicsNeedTwoJointsOfOnePosition(t *testing.T) {
	for _, c := range []struct {
		name           string
		follows, leads robot.JointType
		leader, want   string
		warned, set    bool
	}{
		{"both", robot.Revolute, robot.Screw, "j1", "", false, true},
		{"of nobody", robot.Revolute, robot.Revolute, "j9", "", true, false},
		{"of itself", robot.Revolute, robot.Revolute, "j0", "name another joint", false, false},
		{"on a fixed joint", robot.Fixed, robot.Revolute, "j1", "", true, false},
		{"of a ball joint", robot.Prismatic, robot.Ball, "j1", `which is ball and has no single position`, false, false},
	} {
		m := connected(3, [2]int{0, 1}, [2]int{1, 2})
		m.Joints[0].Type, m.Joints[1].Type = c.follows, c.leads
		r := robot.Reader{File: "f"}
		r.SetMimic(m, robot.NamedMimic{Line: 5, Joint: 0, Leader: c.leader, Multiplier: 2, Offset: 3}, map[string]int{"j0": 0, "j1": 1})
		if (r.Err == nil) != (c.want == "") || r.Err != nil && !strings.Contains(r.Err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, r.Err, c.want)
		}
		if (len(r.Warnings) > 0) != c.warned || (m.Joints[0].Mimic != nil) != c.set {
			t.Errorf("%s: warnings %v, mimic %v", c.name, r.Warnings, m.Joints[0].Mimic)
		}
		if mimic := m.Joints[0].Mimic; mimic != nil && *mimic != (robot.Mimic{Joint: 1, Multiplier: 2, Offset: 3}) {
			t.Errorf("%s: %+v", c.name, mimic)
		}
	}
}

// A pair is excluded where one of the two groups ignores the other.
func TestExcludedPairsAreThoseOfTheGroups(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 4))
	for range 200 {
		m := connected(6)
		numbers := map[string]int{}
		for i := range m.Links {
			numbers[m.Links[i].Name] = i
		}
		var groups []robot.CollisionGroup
		member, ignores := [4][6]bool{}, [4][4]bool{}
		for k := range 4 {
			g := robot.CollisionGroup{Name: fmt.Sprint(k), Tag: "group", Line: k}
			for i := range 6 {
				if member[k][i] = rng.IntN(3) == 0; member[k][i] {
					g.Members = append(g.Members, robot.NameRef{Name: m.Links[i].Name, Line: k})
				}
			}
			for o := range 4 {
				if ignores[k][o] = rng.IntN(4) == 0; ignores[k][o] {
					g.Ignores = append(g.Ignores, robot.NameRef{Name: fmt.Sprint(o), Line: k})
				}
			}
			groups = append(groups, g)
		}
		var want [][2]int
		for i := range 6 {
			for j := i + 1; j < 6; j++ {
				excluded := false
				for k := range 4 {
					for o := range 4 {
						excluded = excluded || ignores[k][o] && (member[k][i] && member[o][j] || member[k][j] && member[o][i])
					}
				}
				if excluded {
					want = append(want, [2]int{i, j})
				}
			}
		}
		r := robot.Reader{File: "f"}
		if r.ExcludePairs(groups, m, numbers); r.Err != nil || !slices.Equal(m.ExcludedPairs, want) {
			t.Fatalf("seed %d: %v, want %v: %v", seed, m.ExcludedPairs, want, r.Err)
		}
	}
}

// Scaling multiplies volume by the product of the factors; where it mirrors, triangles
// still face outwards, so that the enclosed volume stays positive.
func TestScaledMeshesFaceOutwards(t *testing.T) {
	volume := func(m *meshes.Tri) (v float64) {
		for _, t := range m.Tris {
			v += m.Verts[t[0]].Dot(m.Verts[t[1]].Cross(m.Verts[t[2]])) / 6
		}
		return v
	}
	for _, s := range []r3.Vec{{2, 3, 4}, {-2, 3, 4}, {-2, -3, 4}, {-2, -3, -4}} {
		tet := &meshes.Tri{Verts: []r3.Vec{{}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, Tris: [][3]int32{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}}
		robot.ScaleMesh(tet, s)
		if v := volume(tet); v != 24./6 {
			t.Errorf("scaled by %v: volume %g, want 4", s, v)
		}
	}
}

func TestLinesOfIncludedFilesAreTheirOwn(t *testing.T) {
	m := &robot.Robot{Includes: []robot.IncludedFile{{File: "a.xml", FirstLine: 11}, {File: "b.xml", FirstLine: 31}}}
	for _, c := range []struct {
		line int
		file string
		want int
	}{{1, "r.xml", 1}, {10, "r.xml", 10}, {11, "a.xml", 1}, {30, "a.xml", 20}, {31, "b.xml", 1}, {99, "b.xml", 69}} {
		if file, line := m.Where("r.xml", c.line); file != c.file || line != c.want {
			t.Errorf("line %d: %s:%d, want %s:%d", c.line, file, line, c.file, c.want)
		}
	}
}
