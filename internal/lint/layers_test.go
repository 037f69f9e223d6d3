package lint

// group is a kind of package, which the picture shows by a colour.
type group int

// Groups of packages.
const (
	base     group = iota // tools without physics
	physics               // mechanics: no files, command line or pictures
	formats               // files of meshes, robots, scenes and recordings
	pictures              // drawings
	programs              // loops and commands on top
)

// member is a package of a row.
type member struct {
	name   string // its folder in the module
	phrase string // what it contains, for the picture
	group  group
}

// rows are the layers of the program, the highest first: a package may import packages
// of lower rows only. The picture and the table of ARCHITECTURE.md are made of them.
var rows = [][]member{
	{
		{"cmd/curlfree", "the command line, a file a command", programs},
		{"python/build", "wheels of the Python package", programs},
		{"examples", "tests of the example scenes", programs},
		{"examples/go", "tutorial program without scene files", programs},
		{"examples/slip-gripper", "a scene with a controller in Go", programs},
		{"examples/hands", "robot hands of public files that close on a sphere", programs},
	},
	{
		{"report", "what a run or a study was, as one page or a PDF", programs},
		{"serve", "scenes for programs in other languages, by requests over pipes", programs},
	},
	{
		{"study", "a scene over a table of parameters", programs},
		{"live", "scenes in real time, for people who watch and steer them", programs},
		{"optimize", "efforts of drives, or values of a scene, that minimize a cost over a run", programs},
		{"bench", "how fast steps are", programs},
	},
	{
		{"run", "a scene → a folder of results", programs},
		{"reference", "manual of scenes, help of kinds, JSON Schema", formats},
	},
	{
		{"web", "pages of runs in a browser", pictures},
	},
	{
		{"render", "pictures of recordings, charts", pictures},
		{"scene", "scene files → calls of sim.Builder", formats},
	},
	{
		{"check", "warnings and estimates of a model", physics},
		{"gradient", "derivatives of a run by parameters of its model", physics},
		{"record", "states and signals over time, exports", formats},
		{"scene/urdf", "URDF files", formats},
		{"scene/sdf", "SDFormat files", formats},
		{"scene/mjcf", "MJCF files", formats},
	},
	{
		{"sim", "Builder, Model, State, Stepper: one step of all bodies", physics},
		{"modal", "natural frequencies and shapes of deformables", physics},
		{"discretization", "errors of deformables by the size of their elements", physics},
		{"scene/robot", "robots as plain data; the seam of robot formats", formats},
	},
	{
		{"ik", "inverse kinematics: frames of robots, limits, distances", physics},
		{"elastomers", "laws of rubber fitted to tests", physics},
	},
	{
		{"rigid", "trees of links: free motion", physics},
		{"fem", "finite elements: free motion", physics},
		{"constraints", "contact laws, joints, loops, controllers", physics},
		{"convex", "solver of the problem of a step", physics},
	},
	{
		{"geometry", "shapes, distances, contacts", physics},
	},
	{
		{"hydroelastic", "pressure fields, contact surfaces", physics},
	},
	{
		{"meshes/stuffing", "tetrahedra that fill surfaces", physics},
		{"meshes/formats", "mesh files: reading, writing, units", formats},
	},
	{
		{"meshes/repair", "diagnosis and repair of meshes", physics},
		{"meshes/parts", "gears, threads and other parts", physics},
	},
	{
		{"meshes/profiles", "planar regions, layers, FinRay fingers", physics},
		{"meshes/internal/surfaces", "edges, crossings, walls of surfaces", physics},
	},
	{
		{"meshes", "triangles and tetrahedra: boundary, quality, cells, distances", physics},
	},
	{
		{"bvh", "trees of boxes", physics},
		{"meshes/internal/exact", "signs of predicates", physics},
		{"meshes/internal/pointset", "lists of points", physics},
		{"meshes/internal/phrases", "numbers in words", base},
		{"cliques", "the convex problem of a step: the narrow waist", physics},
		{"motion", "functions of time", physics},
		{"gears", "theory of involute gears: contact along lines of action, stiffness of teeth", physics},
		{"internal/matrixmarket", "symmetric matrices for other programs", base},
		{"supernodal", "sparse Cholesky factorization", physics},
	},
	{
		{"r3", "algebra of ℝ³", physics},
		{"timestep", "rules of integration in time", physics},
		{"workers", "threads of loops", base},
		{"optimal", "optimal control of systems in discrete time", base},
		{"leastsquares", "nonlinear least squares with bounds and intervals", base},
		{"kinds", "registry of kinds", base},
		{"internal/unionfind", "connected components", base},
		{"internal/atomicfile", "whole files or none", base},
		{"internal/inputfile", "files that end, no devices", base},
		{"internal/textcell", "names as cells of tables", base},
		{"internal/authorship", "files of this program or of others", base},
		{"internal/memory", "memory that the process may take", base},
		{"internal/cputime", "processor time of the process", base},
		{"internal/invariants", "self-checks by build tag", base},
	},
}

// layer says how high each package stands: it may import only packages strictly lower.
var layer = layers()

func layers() map[string]int {
	m := map[string]int{".": 0} // the root: documentation alone
	for i, row := range rows {
		for _, p := range row {
			m[p.name] = len(rows) - 1 - i
		}
	}
	return m
}

// testOnly packages may be imported by tests alone.
var testOnly = []string{
	"internal/oracle", "internal/mutation", "internal/alloctest", "constraints/lawtest", "constraints/constrainttest", "fem/constitutivetest",
	"geometry/shapetest", "meshes/internal/samples", "meshes/internal/samples/prisms", "rigid/jointtest", "scene/robot/robottest", "web/webtest",
}

// forbiddenInPhysics are packages that those of the group physics must not import.
var forbiddenInPhysics = []string{"os", "flag", "image", "encoding/json", "encoding/xml", "path/filepath"}

// forbiddenBelowPhysics are the packages of files, compression, pictures, networks and command lines on which those of
// the group physics must not depend, not by others either; a name stands for the packages in its folder, too.
var forbiddenBelowPhysics = []string{
	"archive", "compress", "database/sql", "debug", "encoding/base64", "encoding/csv", "encoding/gob", "encoding/json", "encoding/xml",
	"flag", "html", "image", "mime", "net", "os/exec", "text/template",
}

// numerics are the folders of other modules on which packages of the group physics may depend.
var numerics = []string{"gonum.org/v1/gonum", "github.com/james-bowman/sparse", "golang.org/x/sys"}

// groupOf returns the group of a package, base for unknown ones.
func groupOf(name string) group {
	for _, row := range rows {
		for _, p := range row {
			if p.name == name {
				return p.group
			}
		}
	}
	return base
}
