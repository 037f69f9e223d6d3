package scene

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/curlfree/curlfree/check"
	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/meshes/parts"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/rigid"
	"github.com/curlfree/curlfree/sim"
)

// Scene is a scene file ready to run.
type Scene struct {
	Path        string
	File        *File
	Model       *sim.Model
	Signals     *Signals
	Checks      []record.Check
	Static      *record.Static // what recordings start with
	Warnings    []string
	Fingerprint string // digest of everything that decides the run

	// What to expect of contact, between rigid bodies and of deformables.
	Contacts           []check.ContactEstimate
	DeformableContacts []check.DeformableEstimate
}

// Load reads a scene file, applies overrides ("time.step=0.002") and builds it.
// The error lists every fault found, each with its place and remedy.
func Load(path string, overrides []string) (*Scene, error) {
	text, err := readInput(path)
	if err != nil {
		return nil, err
	}
	f := defaults()
	f.Dir = filepath.Dir(path)
	outdated, err := parse(path, text, f)
	if err != nil {
		if hasKey(text, "scene") && !hasKey(text, "time") {
			return nil, fmt.Errorf("%s is a study: run it with curlfree study %s", path, path)
		}
		return nil, err
	}
	for _, o := range overrides {
		if err := f.Override(o); err != nil {
			return nil, err
		}
	}
	b := newBuilder(path, f)
	b.warnings = outdated
	b.digest(text)
	for _, o := range overrides {
		b.digest([]byte(o))
	}
	return b.build()
}

// hasKey reports whether a line of a YAML text begins with a key.
func hasKey(text []byte, key string) bool {
	return bytes.HasPrefix(text, []byte(key+":")) || bytes.Contains(text, []byte("\n"+key+":"))
}

// IsScene reports whether a text looks like a scene, not a study.
func IsScene(text []byte) bool {
	return hasKey(text, "time") && !hasKey(text, "scene")
}

// readInput reads a file that the user named.
func readInput(path string) ([]byte, error) {
	st, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: there is no such file", path)
	case err != nil:
		return nil, err
	case st.IsDir():
		return nil, fmt.Errorf("%s is a folder: name the scene file in it", path)
	case st.Mode()&fs.ModeDevice != 0: // of which some never end
		return nil, fmt.Errorf("%s is a device, not a file", path)
	}
	return os.ReadFile(path)
}

// builder makes a scene from its file. Faults are collected, so that a user sees
// all of them at once; what depends on a faulty item is left out.
type builder struct {
	path     string
	f        *File
	errs     []error
	warnings []string
	sum      []byte // running digest of the inputs

	materials  map[string]int
	mats       []constraints.ContactMaterial
	bases      []int // the scene's material that each is made of
	surfaces   *constraints.ContactMaterials
	meshes     map[string]*meshData
	trees      rigid.Builder
	links      map[string]int     // "body" or "robot.link" → rigid link
	dofs       map[string]dof     // "body" or "robot.joint"
	X_W0       map[string]r3.Pose // of a link with all joints at zero
	starts     []start
	geoms      []geometry.Geom
	fields     []fieldSpec        // of geoms
	parts      map[int]parts.Part // what geoms are, of those that are machine parts
	static     record.Static
	skip       [][2]int
	adjacent   map[int]bool // links that may touch what a joint holds them on
	prescribed map[string]*Drive
	badRobots  []string // in which a fault was found

	model    *sim.Model
	drives   map[string]int // drive → index of its constraint
	targets  []check.Target
	limits   []jointLimit
	mimicked []mimic
	efforts  map[string]float64 // limits of robot joints that name one
	speeds   map[string]float64

	softs     map[string]int // name → number
	softSpecs []*Deformable
	softGeoms []geometry.Deformable
	softPose  []r3.Pose // of the mesh's frame at the start
}

// start is the initial state of a link's joint.
type start struct {
	link int
	q, v []float64
}

func newBuilder(path string, f *File) *builder {
	return &builder{
		path: path, f: f,
		materials: map[string]int{}, meshes: map[string]*meshData{},
		links: map[string]int{}, dofs: map[string]dof{}, X_W0: map[string]r3.Pose{}, adjacent: map[int]bool{},
		prescribed: map[string]*Drive{}, efforts: map[string]float64{}, speeds: map[string]float64{}, softs: map[string]int{}, drives: map[string]int{},
		parts: map[int]parts.Part{}, model: &sim.Model{},
	}
}

func (b *builder) fail(p Pos, format string, args ...any) {
	b.errs = append(b.errs, &Error{File: b.path, Pos: p, Msg: fmt.Sprintf(format, args...)})
}

func (b *builder) warn(format string, args ...any) {
	b.warnings = append(b.warnings, fmt.Sprintf(format, args...))
}

// digest adds an input to the scene's fingerprint.
func (b *builder) digest(text []byte) {
	h := sha256.New()
	h.Write(b.sum)
	h.Write(text)
	b.sum = h.Sum(nil)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// rel resolves a file name against the scene's folder.
func (b *builder) rel(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(b.f.Dir, filepath.FromSlash(name))
}

func (b *builder) build() (*Scene, error) {
	b.times()
	b.solver()
	b.buildTables()
	b.checkNames()
	b.buildMaterials()
	b.loadMeshes()
	b.buildBodies()
	b.buildDeformables()
	b.buildSurfaces()
	b.finishModel()
	if len(b.errs) == 0 {
		b.buildConstraints()
		b.buildDrives()
	}
	if err := errors.Join(b.errs...); err != nil {
		return nil, err
	}
	if err := b.model.Validate(); err != nil {
		return nil, &Error{File: b.path, Msg: err.Error()}
	}
	sc := &Scene{
		Path: b.path, File: b.f, Model: b.model, Static: &b.static,
		Fingerprint: hex.EncodeToString(b.sum),
	}
	sc.Signals = b.buildSignals()
	sc.Checks = b.buildChecks(sc.Signals)
	if err := errors.Join(b.errs...); err != nil {
		return nil, err
	}
	if err := b.finishStatic(); err != nil {
		return nil, err
	}
	if err := b.checkModel(sc); err != nil {
		return nil, err
	}
	sc.Warnings = b.warnings
	return sc, nil
}

// times checks step, duration and rates.
func (b *builder) times() {
	t, o := b.f.Time, b.f.Output
	switch {
	case !(t.Step > 0):
		b.fail(t.Pos, "time.step is %g s: it must be positive, such as 0.01", t.Step)
	case !(t.Duration > 0):
		b.fail(t.Pos, "time.duration is %g s: it must be positive", t.Duration)
	case t.Duration < t.Step:
		b.fail(t.Pos, "time.duration of %g s is shorter than one time.step of %g s", t.Duration, t.Step)
	case t.Duration/t.Step > maxSteps:
		b.fail(t.Pos, "time.duration/time.step is %.3g steps: at most %.0e", t.Duration/t.Step, float64(maxSteps))
	}
	if !(o.Rate > 0) {
		b.fail(o.Pos, "output.rate is %g frames per second: it must be positive", o.Rate)
	}
	if o.TableRate < 0 {
		b.fail(o.Pos, "output.table_rate is %g rows per second: it must not be negative (0: every step)", o.TableRate)
	}
	if o.Checkpoint < 0 {
		b.fail(o.Pos, "output.checkpoint is %g s: it must not be negative (0: every 30 s of wall time)", o.Checkpoint)
	}
}

// maxSteps bounds the length of a run, against slips of units.
const maxSteps = 1e9

// solver checks the solver's settings and takes the contact law by its name.
func (b *builder) solver() {
	s := b.f.Solver
	if !(s.Tolerance > 0 && s.Tolerance < 1) {
		b.fail(s.Pos, "solver.tolerance is %g: a relative tolerance between 0 and 1 is wanted, such as 1e-5", s.Tolerance)
	}
	if s.MaxIterations < 1 {
		b.fail(s.Pos, "solver.max_iterations is %d: at least 1", s.MaxIterations)
	}
	if s.Threads < 0 {
		b.fail(s.Pos, "solver.threads is %d: 0 means all cores", s.Threads)
	}
	if s.SpeculativeMargin < 0 {
		b.fail(s.Pos, "solver.speculative_margin is %g m: it must not be negative (0: what a step falls)", s.SpeculativeMargin)
	}
	b.contactLaw(&s)
	b.model.RelTol, b.model.MaxIterations, b.model.SpeculativeMargin = s.Tolerance, s.MaxIterations, s.SpeculativeMargin
	b.model.ConditionNumber = s.ConditionNumber
	b.model.Gravity = r3.Vec(b.f.Gravity)
}

// lags are the choices of where lagged friction takes its bound from.
var lags = map[string]sim.FrictionLag{"geometry": sim.FrictionLagGeometry, "previous": sim.FrictionLagPrevious, "sweep": sim.FrictionLagSweep}

// contactLaw makes the contact law from its parts by their names.
func (b *builder) contactLaw(s *Solver) {
	unprefixed := func(err error) string { return strings.TrimPrefix(err.Error(), "constraints: ") }
	p := constraints.ContactParams{
		StictionTolerance: s.StictionTolerance, Sigma: s.Sigma, Beta: s.Beta, StaticFriction: true,
	}
	var err error
	p.Normal, err = constraints.NewNormalModel(s.NormalLaw, constraints.NormalParams{
		HertzOverlap: s.HertzOverlap, BarrierRange: s.BarrierRange, BarrierStiffness: s.BarrierStiffness,
	})
	if err != nil {
		b.fail(s.Pos, "solver.normal_law: %s", unprefixed(err))
		return
	}
	if b.model.Contact, err = constraints.NewContactModel(s.Contact, p); err != nil {
		b.fail(s.Pos, "solver.contact: %s", unprefixed(err))
		return
	}
	var ok bool
	switch b.model.FrictionLag, ok = lags[s.FrictionLag]; {
	case !ok:
		b.fail(s.Pos, "solver.friction_lag: %q is none of geometry, previous and sweep", s.FrictionLag)
	case b.model.FrictionLag != sim.FrictionLagGeometry && !constraints.IsLagged(b.model.Contact):
		b.fail(s.Pos, "solver.friction_lag: %s is for the contact laws lagged and lagged_regularized: the friction of %s is not lagged", s.FrictionLag, s.Contact)
	}
}

// pose returns the transform that a pose describes.
func (b *builder) pose(p *Pose) r3.Pose {
	x := r3.Pose{R: r3.Identity(), P: r3.Vec(p.XYZ)}
	given := 0
	if p.RPY != nil {
		given++
		x.R = r3.RotRPY(p.RPY[0], p.RPY[1], p.RPY[2])
	}
	if p.RPYDeg != nil {
		given++
		const d = math.Pi / 180
		x.R = r3.RotRPY(d*p.RPYDeg[0], d*p.RPYDeg[1], d*p.RPYDeg[2])
	}
	if p.Quaternion != nil {
		given++
		q := r3.Quat(*p.Quaternion)
		n := q[0]*q[0] + q[1]*q[1] + q[2]*q[2] + q[3]*q[3]
		if math.Abs(n-1) > 1e-3 {
			b.fail(p.Pos, "the quaternion %v has the norm %.4g: rotations are unit quaternions (w, x, y, z)", *p.Quaternion, math.Sqrt(n))
		}
		x.R = q.Unit().Mat()
	}
	if given > 1 {
		b.fail(p.Pos, "a pose has one of rpy, rpy_deg and quaternion, not several")
	}
	return x
}
