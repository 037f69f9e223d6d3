package render

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/record"
)

// Bodies that are hidden are not drawn and throw no shadow, so that what they cover can be seen: the face of a finger
// behind the part that it grips. Camera, scales and arrows of forces stay those of all bodies.

// hides reports whether a body of that name is hidden.
func (o *Options) hides(name string) bool {
	return slices.ContainsFunc(o.Hide, func(pattern string) bool { return matches(pattern, name) })
}

// matches reports whether a pattern is the name or fits it.
func matches(pattern, name string) bool {
	// names may have characters that patterns give a meaning
	if pattern == name {
		return true
	}
	// a star stands for slashes too, which parts of robots have in their names
	slash := strings.NewReplacer("/", "\x1f")
	ok, err := path.Match(slash.Replace(pattern), slash.Replace(name))
	return ok && err == nil
}

// checkHide returns an error for a pattern that no body fits.
func (o *Options) checkHide(st *record.Static) error {
	// a pattern without a body is a slip of the pen: the picture would show what was to be hidden
	names := bodyNames(st)
	for _, pattern := range o.Hide {
		if !slices.ContainsFunc(names, func(name string) bool { return matches(pattern, name) }) {
			return fmt.Errorf("hide: no body %q%s", pattern, kinds.Suggest(pattern, names))
		}
	}
	return nil
}

// bodyNames lists the names of rigid bodies, of deformables, and of geoms fixed in the world.
func bodyNames(st *record.Static) []string {
	names := slices.Clone(st.Bodies)
	for i := range st.Deformables {
		names = append(names, st.Deformables[i].Name)
	}
	for i := range st.Geoms {
		if st.Geoms[i].Body < 0 {
			names = append(names, st.Geoms[i].Name)
		}
	}
	return names
}
