package urdf

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/curlfree/curlfree/internal/mutation"
	"github.com/curlfree/curlfree/scene/robot"
	"github.com/curlfree/curlfree/scene/robot/robottest"
)

// FuzzParse checks on whatever is read what Robot guarantees.
func FuzzParse(f *testing.F) {
	arm, err := os.ReadFile("testdata/arm.urdf")
	if err != nil {
		f.Fatal(err)
	}
	mutation.Fuzz(f, mutation.Texts(string(arm), reference,
		"<robot name='r'><link name='a'/></robot>",
		"<robot>"+links+turns("ab", "a", "b", "<mimic joint='bc'/>")+turns("bc", "b", "c", "")+"</robot>",
		"<robot>"+links+turns("bc", "b", "c", "")+turns("cb", "c", "b", "")+"</robot>",
		"<robot><link name='a'><visual><origin rpy='1e300 0 1'/><geometry><sphere radius='1e-300'/></geometry></visual></link></robot>",
		"<robot><link name='a'/><drake:collision_filter_group name='g'><drake:member link='a'/><drake:ignored_collision_filter_group name='g'/></drake:collision_filter_group></robot>",
	), func(t testing.TB, data []byte) string { return robottest.Any(t, string(data), Parse) })
}

// TestPublicRobotsLoad reads every URDF below the folder that CURLFREE_MODELS
// names.
func TestPublicRobotsLoad(t *testing.T) {
	robottest.Public(t, "robot", []string{".urdf"}, func(path string, in io.Reader) (*robot.Robot, []robot.Warning, error) {
		return Parse(in, filepath.Base(path))
	}, func(*robot.Robot) {})
}
