package ik

import (
	"math"
	"math/rand"
	"testing"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/internal/alloctest"
	"github.com/curlfree/curlfree/internal/oracle"
	"github.com/curlfree/curlfree/r3"
)

// The minimum within limits is that of a search over all sets of limits that may be active:
// for each, the equations of Karush, Kuhn and Tucker are solved and their signs checked.
func TestStepSolvesAQuadraticProgram(t *testing.T) {
	const n, pairs = 3, 3
	rng := rand.New(rand.NewSource(7))
	s := newSolver(t, panda(t))
	s.robot.Joints = s.robot.Joints[:n]
	active := 0
	for trial := range 300 {
		s.A, s.P, s.solution = make([]float64, n*n), make([]float64, n), make([]float64, n)
		for range 2 { // rank 2 and damping: as near a singularity
			row := []float64{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
			for i := range n {
				s.P[i] += 3 * row[i] * rng.NormFloat64()
				for j := range n {
					s.A[i*n+j] += row[i] * row[j]
				}
			}
		}
		for i := range n {
			s.A[i*n+i] += 1e-3
		}
		s.box.resize(n)
		for i := range n {
			s.box.lo[i], s.box.hi[i] = -rng.Float64(), rng.Float64()
		}
		s.near, s.rows = s.near[:0], s.rows[:0]
		s.apart.resize(pairs)
		for i := range pairs {
			s.near = append(s.near, near{pair: i})
			s.apart.lo[i], s.apart.hi[i] = -0.3*rng.Float64(), math.Inf(1)
			s.rows = append(s.rows, rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64())
		}
		want, count := bruteForce(s, n, pairs)
		active = max(active, count)
		if ok, err := s.minimize(); !ok || err != nil {
			t.Fatalf("trial %d: %v %v", trial, ok, err)
		}
		for i := range want {
			if math.Abs(s.solution[i]-want[i]) > 1e-7 {
				t.Errorf("trial %d: v = %.9g, want %.9g", trial, s.solution, want)
				break
			}
		}
	}
	if active < 3 {
		t.Errorf("at most %d limits were active: the test wants vertices", active)
	}
}

// bruteForce returns the minimum and the number of its active limits.
func bruteForce(s *Solver, n, pairs int) (best []float64, active int) {
	type row struct {
		J     []float64
		bound float64
		sign  float64
	}
	var rows []row
	for i := range n {
		J := make([]float64, n)
		J[i] = 1
		rows = append(rows, row{J, s.box.lo[i], 1}, row{J, s.box.hi[i], -1})
	}
	for i := range pairs {
		rows = append(rows, row{s.rows[i*n : (i+1)*n], s.apart.lo[i], 1})
	}
	for set := range 1 << len(rows) {
		var chosen []row
		for i := range rows {
			if set>>i&1 == 1 {
				chosen = append(chosen, rows[i])
			}
		}
		m := len(chosen)
		if m > n {
			continue
		}
		// J A⁻¹ Jᵀ λ = bound − J A⁻¹ P,  v = A⁻¹ (P + Jᵀ λ)
		free := oracle.Solve(s.A, s.P)
		W, b := make([]float64, m*m), make([]float64, m)
		for i, r := range chosen {
			for j, other := range chosen {
				W[i*m+j] = dot(r.J, oracle.Solve(s.A, other.J))
			}
			b[i] = r.bound - dot(r.J, free)
		}
		if _, ok := oracle.Cholesky(append([]float64(nil), W...), m); !ok {
			continue // limits that are no vertex
		}
		lambda := oracle.Solve(W, b)
		mom := append([]float64(nil), s.P...)
		for k, r := range chosen {
			for i, x := range r.J {
				mom[i] += lambda[k] * x
			}
		}
		x := oracle.Solve(s.A, mom)
		ok := true
		for k, r := range chosen {
			ok = ok && r.sign*lambda[k] >= 0
		}
		for _, r := range rows {
			ok = ok && r.sign*(dot(r.J, x)-r.bound) >= -1e-9
		}
		if ok {
			return x, m
		}
	}
	return nil, 0
}

// track takes steps towards targets and checks all limits of joints in each.
func track(t *testing.T, s *Solver, h float64, steps int, q []float64, target func(time float64) r3.Pose, each func(time float64, v []float64)) {
	t.Helper()
	v, before := make([]float64, len(q)), make([]float64, len(q))
	for k := 1; k <= steps; k++ {
		s.Frames[0].X_WF = target(float64(k) * h)
		copy(before, v)
		r, err := s.Step(h, q, v)
		if err != nil {
			t.Fatal(err)
		}
		for i, j := range s.robot.Joints {
			if q[i] < j.Lower || q[i] > j.Upper || math.Abs(v[i]) > j.Velocity {
				t.Fatalf("step %d: joint %d at %.17g moves with %.17g: limits %v", k, i+1, q[i], v[i], j)
			}
			if a := math.Abs(v[i]-before[i]) / h; a > j.Acceleration*(1+1e-9) && !r.Braked {
				t.Fatalf("step %d: joint %d accelerates with %g, the limit is %g", k, i+1, a, j.Acceleration)
			}
		}
		each(float64(k)*h, v)
	}
}

// A tool on a circle is where the forward kinematics of the joints put it, by the product of
// Denavit-Hartenberg matrices: the target at the end of each step.
func TestToolFollowsACircle(t *testing.T) {
	s := newSolver(t, panda(t))
	q := append([]float64(nil), home...)
	X0 := dh(home)[7]
	circle := func(time float64) r3.Pose {
		X := X0
		phase := time * time / 2 // from rest
		if time > 1 {
			phase = time - 0.5
		}
		sin, cos := math.Sincos(phase)
		X.P = X.P.Add(r3.Vec{0, 0.1 * sin, 0.1 * (1 - cos)})
		return X
	}
	worst, turn := 0.0, 0.0
	track(t, s, 0.01, 800, q, circle, func(time float64, v []float64) {
		d, a := apart(dh(q)[7], circle(time))
		worst, turn = max(worst, d), max(turn, a)
	})
	// (h θ̇)²/2 of the linearization: steps of 0.004 rad
	if worst > 2e-5 || turn > 2e-5 {
		t.Errorf("the tool is up to %.3g m and %.3g rad off its target", worst, turn)
	}
}

// A target that moves out of reach stretches the elbow; one that turns where axes of the wrist
// align asks for motions that no joint makes. Joints obey their limits, and come to rest with
// the target.
func TestSingularitiesDoNotBlowUp(t *testing.T) {
	for name, far := range map[string]r3.Vec{"forward": {1.5, 0, 0}, "up": {0, 0, 1.5}, "through the axis": {-0.9, 0, 0.3}} {
		for _, h := range []float64{0.001, 0.01} {
			s := newSolver(t, panda(t))
			s.Frames[0].Rotation = 0.01
			q := append([]float64(nil), home...)
			X0 := dh(home)[7]
			fastest := 0.0
			least := math.Inf(1)
			track(t, s, h, int(8/h), q, func(time float64) r3.Pose {
				X := X0
				X.P = X.P.Add(far.Scale(min(time/4, 1)))
				return X
			}, func(time float64, v []float64) {
				least = min(least, s.Manipulability(0))
				fastest = 0
				for _, x := range v {
					fastest = max(fastest, math.Abs(x))
				}
			})
			if fastest > 1e-2 {
				t.Errorf("%s, %g s: joints still move with %g rad/s 4 s after the target stopped", name, h, fastest)
			}
			if name != "through the axis" && least > 2e-3 {
				t.Errorf("%s: the manipulability fell to %g only: no singularity was passed", name, least)
			}
		}
	}
}

// At q₆ = 0 the axes of joints 5 and 7 are parallel; with q₂ = q₃ = 0 no joint turns the flange
// about the axis across. The damped velocity for it stays small.
func TestLostDirectionAtTheWrist(t *testing.T) {
	s := newSolver(t, panda(t))
	q := []float64{0, 0, 0, -0.0698, 0, 0, 0}
	v := make([]float64, 7)
	X := dh(q)[7]
	for range 50 {
		X.R = r3.RotExp(r3.Vec{0.02, 0, 0}).Mul(X.R)
		s.Frames[0].X_WF = X
		if _, err := s.Step(0.01, q, v); err != nil {
			t.Fatal(err)
		}
		for i, x := range v {
			if !(math.Abs(x) <= pandaLimits[i][2]) {
				t.Fatalf("joint %d moves with %g rad/s", i+1, x)
			}
		}
	}
}

// A tool that is driven against a ball stays a margin away from it, and all links from each
// other: distances of balls are those of their centres less their radii.
func TestPairsKeepTheirMargin(t *testing.T) {
	for _, h := range []float64{0.002, 0.01} {
		obstacle := dh(home)[7].P.Add(r3.Vec{0.25, 0.02, 0})
		s := tenPairs(t, obstacle)
		q := append([]float64(nil), home...)
		nearest := math.Inf(1)
		X0 := dh(home)[7]
		track(t, s, h, int(4/h), q, func(time float64) r3.Pose {
			X := X0
			X.P = X.P.Add(r3.Vec{0.45 * min(time/2, 1), 0, 0})
			return X
		}, func(time float64, v []float64) {
			X := dh(q)
			for i := range 7 {
				nearest = min(nearest, X[i+1].P.Sub(obstacle).Norm()-0.1)
			}
		})
		if nearest < s.Margin-2e-9 || nearest > s.Margin+0.01 {
			t.Errorf("%g s: the nearest ball came to %.9g m, the margin is %g m", h, nearest, s.Margin)
		}
	}
}

func tenPairs(t testing.TB, obstacle r3.Vec) *Solver {
	s := newSolver(t, panda(t, obstacle))
	s.Margin, s.Influence = 0.01, 0.2
	s.Pairs = []Pair{{0, 5}, {0, 6}, {0, 7}}
	for i := range 7 {
		s.Pairs = append(s.Pairs, Pair{i + 1, geometry.World})
	}
	return s
}

// The posture decides where the frame leaves joints free, and costs the frame next to nothing.
func TestPostureMovesTheElbow(t *testing.T) {
	s := newSolver(t, panda(t))
	want := append([]float64(nil), home...)
	want[0] += 0.5
	s.Posture = Posture{Q: want, Weight: 1e-6, Gain: 1}
	q := append([]float64(nil), home...)
	track(t, s, 0.01, 1000, q, func(float64) r3.Pose { return dh(home)[7] }, func(float64, []float64) {})
	if d, a := apart(dh(q)[7], dh(home)[7]); d > 1e-6 || a > 1e-6 {
		t.Errorf("the posture moved the frame by %g m and %g rad", d, a)
	}
	if math.Abs(q[0]) < 0.1 {
		t.Errorf("joint 1 is at %g rad: the posture wants 0.5", q[0])
	}
}

// The manipulability is √det(J Jᵀ) with J by differences of the Denavit-Hartenberg products.
func TestManipulabilityOfThePanda(t *testing.T) {
	s := newSolver(t, panda(t))
	rng := rand.New(rand.NewSource(3))
	for range 20 {
		q := make([]float64, 7)
		for i, l := range pandaLimits {
			q[i] = l[0] + rng.Float64()*(l[1]-l[0])
		}
		J := make([]float64, 42)
		const d = 1e-6
		for j := range q {
			hi, lo := append([]float64(nil), q...), append([]float64(nil), q...)
			hi[j] += d
			lo[j] -= d
			a, b := dh(hi)[7], dh(lo)[7]
			w, v := b.R.MulVec(b.R.T().Mul(a.R).Quat().Log()), a.P.Sub(b.P)
			for i := range 3 {
				J[i*7+j], J[(3+i)*7+j] = w[i]/(2*d), v[i]/(2*d)
			}
		}
		s.place(q)
		if got, want := s.Manipulability(0), math.Sqrt(gramDeterminant(J, 7)); math.Abs(got-want) > 1e-8 {
			t.Errorf("at %.3f: %g, want %g", q, got, want)
		}
	}
}

// A step allocates nothing.
func TestStepsAllocateNothing(t *testing.T) {
	s := tenPairs(t, dh(home)[7].P.Add(r3.Vec{0.2, 0.02, 0}))
	s.Frames[0].X_WF.P[0] += 0.3
	q, v := append([]float64(nil), home...), make([]float64, 7)
	step := func() {
		if _, err := s.Step(0.01, q, v); err != nil {
			t.Fatal(err)
		}
	}
	for range 20 {
		step()
	}
	if n := alloctest.PerRun(100, step); n != 0 {
		t.Errorf("%g allocations in a step", n)
	}
}

func TestWrongInputIsRefused(t *testing.T) {
	s := newSolver(t, panda(t))
	q, v := append([]float64(nil), home...), make([]float64, 7)
	for name, change := range map[string]func(){
		"positions": func() { q = q[:6] },
		"link":      func() { s.Frames[0].Link = 8 },
		"weight":    func() { s.Frames[0].Position = -1 },
		"target":    func() { s.Frames[0].X_WF.P[0] = math.NaN() },
		"posture":   func() { s.Posture = Posture{Q: q[:2], Weight: 1} },
		"pair":      func() { s.Pairs = []Pair{{1, 1}} },
		"margin":    func() { s.Pairs, s.Margin = []Pair{{1, 3}}, 0.1 },
	} {
		s = newSolver(t, panda(t))
		q = append([]float64(nil), home...)
		change()
		if _, err := s.Step(0.01, q, v); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	r := panda(t)
	r.Joints[1].Dof = 0
	if _, err := NewSolver(r); err == nil {
		t.Error("a joint twice: no error")
	}
}

func BenchmarkStep(b *testing.B) {
	s := tenPairs(b, dh(home)[7].P.Add(r3.Vec{0.2, 0.02, 0}))
	q, v := append([]float64(nil), home...), make([]float64, 7)
	X0, k := dh(home)[7], 0
	b.ReportAllocs()
	for b.Loop() {
		k++
		s.Frames[0].X_WF.P = X0.P.Add(r3.Vec{0.2 * math.Sin(0.01*float64(k)), 0, 0})
		if _, err := s.Step(0.01, q, v); err != nil {
			b.Fatal(err)
		}
	}
}
