package scene

import (
	"errors"

	"github.com/curlfree/curlfree/scene/robot"
)

// CheckRobot reads a robot file with all the files that it names, as a scene with
// this robot would. It returns the robot, and warnings of all that is doubtful or
// ignored. The error lists every fault.
func CheckRobot(path string) (m *robot.Robot, warnings []string, err error) {
	text, err := readInput(path)
	if err != nil {
		return nil, nil, err
	}
	if m, _, err = robot.Parse(path, text, openBeside(path, func([]byte) {})); err != nil {
		return nil, nil, err
	}
	b := newBuilder(path, defaults())
	b.buildMaterials()
	b.robot("robot", &Robot{File: path})
	if len(b.errs) == 0 {
		if _, err := b.trees.Build(); err != nil {
			b.errs = append(b.errs, &Error{File: path, Msg: err.Error()})
		}
	}
	return m, b.warnings, errors.Join(b.errs...)
}
