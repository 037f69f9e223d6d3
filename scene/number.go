package scene

import (
	"fmt"
	"reflect"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/motion"
)

// Number returns the number at a path as Override takes it, in the SI unit of the value. Numbers are what can be
// differentiated: the error says why a value is none, such as a count, a name or one that the file leaves to a
// default of its kind. An optional section on the way is created with its defaults, as by Override.
func (f *File) Number(path string) (float64, error) {
	at, _, err := f.at(path)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", path, err)
	}
	if at.choice != nil {
		return 0, fmt.Errorf("%s is the name of a kind, not a number", path)
	}
	v := at.Value
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		if v.IsNil() {
			return 0, missing(path)
		}
		if m, ok := v.Interface().(motion.Motion); ok {
			if x, constant := motion.ConstantValue(m); constant {
				return x, nil
			}
			return 0, fmt.Errorf("%s changes over time: name one of its numbers, such as %s.values.1", path, path)
		}
		v = v.Elem()
	}
	// one number for several, such as a coefficient of friction for both
	switch x := v.Interface().(type) {
	case Numbers:
		switch len(x) {
		case 0: // a parameter of a generated part, with the default of the part
			return 0, missing(path)
		case 1:
			return x[0], nil
		}
	case kinds.Numbers: // one for all joints of a robot, or of each
		switch len(x) {
		case 0:
			return 0, missing(path)
		case 1:
			return x[0], nil
		}
		return 0, fmt.Errorf("%s has %d numbers: name one, such as %s.0", path, len(x), path)
	case Friction:
		if x.Static == x.Dynamic {
			return x.Dynamic, nil
		}
		return 0, fmt.Errorf("%s has two coefficients: give %s.static or %s.dynamic", path, path, path)
	}
	switch {
	case v.CanFloat():
		return v.Float(), nil
	case v.CanInt() || v.CanUint():
		return 0, fmt.Errorf("%s is a count, which has no derivative", path)
	}
	return 0, fmt.Errorf("%s is not a number", path)
}

// missing returns the error of a value that the file leaves to a default.
func missing(path string) error {
	return fmt.Errorf("%s has no value in the file: give it by --set %s=VALUE", path, path)
}
