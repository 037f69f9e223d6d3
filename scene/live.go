package scene

import (
	"reflect"

	"github.com/curlfree/curlfree/motion"
)

// Live values stand where a scene writes a motion, in drives and loads. The model has to have them all, so that an
// operator can change them by name.

// addLiveValues finds the live values of drives and loads, in the order of the scene, and adds them.
func (l *loader) addLiveValues() {
	for _, name := range l.f.Drives.Keys {
		d := l.f.Drives.Get(name)
		l.addLiveIn(reflect.ValueOf(d.Kind.Spec), d.Pos, "drives."+name)
	}
	for _, name := range l.f.Loads.Keys {
		s := l.f.Loads.Get(name)
		l.addLiveIn(reflect.ValueOf(s.Kind.Spec), s.Pos, "loads."+name)
	}
}

// addLiveIn adds the live values among the exported fields of the parameters of a kind, and of what they contain.
func (l *loader) addLiveIn(v reflect.Value, pos Pos, path string) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return
		}
		if live, ok := v.Interface().(*motion.Live); ok {
			l.put("live value", live.Name, pos, path)
			l.builder.AddLive(live)
			return
		}
		l.addLiveIn(v.Elem(), pos, path)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				l.addLiveIn(v.Field(i), pos, path)
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			l.addLiveIn(v.Index(i), pos, path)
		}
	}
}
