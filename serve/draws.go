package serve

import (
	"errors"
	"fmt"

	"github.com/curlfree/curlfree/scene"
	"github.com/curlfree/curlfree/study"
)

// draws are the values of a scene that a reset with a seed draws; nil: none.
type draws struct{ *study.Draws }

// drawsOf reads the argument randomize, the distributions as JSON.
func drawsOf(a *arguments) *draws {
	text := a.text("randomize")
	if text == "" {
		return nil
	}
	d, err := study.ReadDraws("randomize", []byte(text))
	if err != nil {
		a.fail("%w", err)
		return nil
	}
	return &draws{d}
}

// at returns the overrides of a seed.
func (d *draws) at(seed int) []string {
	if d == nil {
		return nil
	}
	return d.At(seed)
}

// check refuses paths that a scene does not have.
func (d *draws) check(sc *scene.Scene) error {
	if d == nil {
		return nil
	}
	var errs []error
	for _, path := range d.Values.Keys {
		// names of files and kinds are drawn as well: they have no number
		if _, err := sc.File.Number(path); err != nil && d.Values.Get(path).Choice == nil {
			errs = append(errs, fmt.Errorf("randomize: %w", err))
		}
	}
	return errors.Join(errs...)
}
