package mjcf

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/internal/inputfile"
	"github.com/curlfree/curlfree/internal/mutation"
	"github.com/curlfree/curlfree/scene/robot"
	"github.com/curlfree/curlfree/scene/robot/robottest"
)

// cube is one of 1 m as OBJ.
const cube = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n" +
	"f 1 4 3\nf 1 3 2\nf 5 6 7\nf 5 7 8\nf 1 2 6\nf 1 6 5\nf 2 3 7\nf 2 7 6\nf 3 4 8\nf 3 8 7\nf 4 1 5\nf 4 5 8\n"

// files opens files of this text by name.
func files(f map[string]string) robot.Open {
	return func(name string) ([]byte, error) {
		text, ok := f[name]
		if !ok {
			return nil, fmt.Errorf("%s: there is no such file", name)
		}
		return []byte(text), nil
	}
}

// nextFile separates the text of a file from that of a file that it includes.
const nextFile = "\x1e"

// FuzzParse compares whatever is read, with a second file that it may include, to
// what Robot guarantees.
func FuzzParse(f *testing.F) {
	arm, err := os.ReadFile("testdata/arm.xml")
	if err != nil {
		f.Fatal(err)
	}
	seeds := [][]byte{arm, []byte(reference)}
	in := func(inside string) {
		seeds = append(seeds, []byte("<mujoco>"+inside+"</mujoco>"+nextFile+"<mujoco><worldbody><body/></worldbody></mujoco>"))
	}
	in("<include file='b.xml'/>")
	in("<worldbody><body name='a'><freejoint/><geom size='1'/><body><joint/><joint axis='1 0 0' ref='30' type='slide'/><joint type='ball'/><geom type='box' size='1 2 3' mass='2' zaxis='0 0 -1'/></body></body></worldbody>")
	in("<default><geom size='1 1'/><default class='c'><geom type='capsule'/><joint range='-1 1' springref='3' stiffness='2'/></default></default>" +
		"<worldbody childclass='c'><geom/><frame euler='1 2 3'><body name='b'><joint name='j'/><geom fromto='0 0 0 1 1 1'/></body></frame><body><joint name='k'/></body></worldbody>" +
		"<equality><joint joint1='k' joint2='j' polycoef='1 2'/></equality><actuator><motor joint='k' ctrlrange='-1 1' gear='3'/></actuator>")
	in("<worldbody><body><joint name='k'/><geom size='1'/></body></worldbody>" +
		"<tendon><fixed name='t' stiffness='1' range='-1 1'><joint joint='k' coef='1e20'/></fixed></tendon><equality><tendon tendon1='t' polycoef='1e20'/></equality>" +
		"<actuator><position tendon='t' dampratio='1' kp='3' gear='1e20'/><general joint='k' biastype='affine' biasprm='0 1 2' dyntype='integrator'/></actuator><keyframe><key ctrl='1 2' act='1'/></keyframe>")
	in("<compiler angle='radian' eulerseq='ZxY' settotalmass='3' boundmass='1' boundinertia='0.1' meshdir='m'/>" +
		"<asset><mesh name='x' file='c.obj' scale='1 -1 1' refpos='1 2 3'/><mesh file='d.obj' refquat='1 1 0 0'/></asset>" +
		"<worldbody><body><geom type='mesh' mesh='x'/><geom type='mesh' mesh='d' density='1e-300' contype='2' conaffinity='4'/></body></worldbody>")
	in("<asset><hfield name='h' nrow='2' ncol='2' elevation='0 1 0 1' size='1 1 1 1'/><mesh name='x' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/></asset>" +
		"<worldbody><geom type='hfield' hfield='h'/><replicate count='2' offset='1 0 0'><body name='b'><geom type='mesh' mesh='x'/></body></replicate></worldbody>" +
		"<equality><connect body1='b0' body2='b1' anchor='1 0 0'/><weld body1='b0' relpose='1 0 0 1 0 0 0'/></equality><contact><exclude body1='b0' body2='b1'/></contact>")
	seeds = append(seeds, []byte("<mujoco><compiler meshdir='n'/><include file='m/b.xml'/><worldbody><body><geom type='mesh' mesh='c'/></body></worldbody></mujoco>"+nextFile+
		"<mujoco><asset><mesh file='c.obj'/><hfield name='h' file='../m/c.obj' size='1 1 1 1'/><model name='x' file='b.xml'/></asset></mujoco>"))
	child := "<mujoco model='c'><compiler angle='radian'/><default><joint springdamper='1 2'/></default><asset><model name='d' file='m/b.xml'/><mesh name='x' builtin='cone' params='3 .5'/></asset>" +
		"<worldbody><body name='b'><joint name='j'/><geom type='mesh' mesh='x'/></body></worldbody><tendon><fixed name='t'><joint joint='j' coef='1'/></fixed></tendon><actuator><motor tendon='t'/></actuator></mujoco>"
	seeds = append(seeds, []byte("<mujoco><asset><model name='c' file='b.xml'/></asset><worldbody><replicate count='2' euler='0 0 1'><attach model='c' body='b' prefix='p'/></replicate><attach body='pb1' prefix='q'/></worldbody></mujoco>"+nextFile+
		strings.Replace(child, "<model name='d' file='m/b.xml'/>", "", 1)), []byte("<mujoco><asset><model name='c' file='m/b.xml'/></asset><worldbody><attach model='c' prefix='p'/><frame name='f'><body name='o'><joint name='k'/><geom type='sdf' mesh='px' size='1'/></body></frame>"+
		"<attach frame='f' prefix='q'/></worldbody><equality><joint joint1='k' joint2='pj'/></equality></mujoco>"+nextFile+child))
	mutation.Fuzz(f, seeds, func(t testing.TB, data []byte) string {
		text, second, _ := strings.Cut(string(data), nextFile)
		others := map[string]string{"b.xml": second, "m/b.xml": second, "m/c.obj": cube, "c.obj": cube, "m/d.obj": second, "d.obj": second}
		m, warnings, err := Parse(strings.NewReader(text), "dir/a.xml", files(others))
		place := func(file string, line int) {
			within, ok := text, file == "dir/a.xml"
			if !ok { // any file may be included
				within, ok = others[strings.TrimPrefix(file, "dir/")]
			}
			// lines may end in carriage returns
			if lines, err := inputfile.Text([]byte(within)); err == nil {
				within = string(lines)
			}
			if !ok || line < 1 || line > 1+strings.Count(within, "\n") {
				t.Fatalf("%s:%d is no place", file, line)
			}
		}
		if err != nil {
			var e *robot.Error
			if !errors.As(err, &e) || e.Msg == "" {
				t.Fatalf("error without a place: %v", err)
			}
			place(e.File, e.Line)
			return e.Msg
		}
		robottest.Check(t, m)
		said := ""
		for _, w := range warnings {
			place(m.Where("dir/a.xml", w.Line))
			said += w.Text
		}
		for i := range m.Links {
			place(m.Where("dir/a.xml", m.Links[i].Line))
		}
		return said
	})
}

// TestPublicModelsLoad reads every MJCF file below the folder that CURLFREE_MODELS
// names.
func TestPublicModelsLoad(t *testing.T) {
	robottest.Public(t, "mujoco", []string{".xml", ".mjcf"}, func(path string, in io.Reader) (*robot.Robot, []robot.Warning, error) {
		return Parse(in, filepath.Base(path), func(name string) ([]byte, error) {
			return os.ReadFile(filepath.Join(filepath.Dir(path), name))
		})
	}, func(*robot.Robot) {})
}
