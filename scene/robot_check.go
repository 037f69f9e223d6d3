package scene

import "errors"

// CheckRobot reads a robot file with all the files that it names, as a scene with
// this robot would, and returns what is doubtful or ignored. The error lists every
// fault.
func CheckRobot(path string) (warnings []string, err error) {
	b := newBuilder(path, defaults())
	b.buildMaterials()
	b.robot("robot", &Robot{File: path})
	if len(b.errs) == 0 {
		if _, err := b.trees.Build(); err != nil {
			b.errs = append(b.errs, &Error{File: path, Msg: err.Error()})
		}
	}
	return b.warnings, errors.Join(b.errs...)
}
