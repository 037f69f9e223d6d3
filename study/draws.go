package study

import (
	"errors"
	"fmt"

	"github.com/curlfree/curlfree/scene"
)

// Draws are values of a scene that are drawn, one point at a time, as programs do that vary a scene from episode to
// episode.
type Draws struct {
	// Values are the distributions by path.
	Values scene.Named[Distribution] `key:"values"`
}

// ReadDraws reads distributions from a text, {values: {PATH: {uniform: [a, b]}}}, as the key sample of study files has
// them. file stands for the text in messages.
func ReadDraws(file string, text []byte) (*Draws, error) {
	d := new(Draws)
	if err := scene.Decode(file, text, d); err != nil {
		return nil, err
	}
	var errs []error
	for _, path := range d.Values.Keys {
		if err := d.Values.Get(path).check(); err != nil {
			errs = append(errs, fmt.Errorf("%s: %s: %w", file, path, err))
		}
	}
	return d, errors.Join(errs...)
}

// At returns the values of a seed as overrides of a scene, PATH=VALUE: the first point of a sample monte_carlo.
func (d *Draws) At(seed int) (set []string) {
	r := newRandom(seed, 0)
	for _, path := range d.Values.Keys {
		set = append(set, path+"="+d.Values.Get(path).text(uniform(r)))
	}
	return set
}
