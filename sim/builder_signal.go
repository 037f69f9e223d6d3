package sim

import (
	"errors"

	"github.com/curlfree/curlfree/kinds"
)

// signalItem is a signal that was added.
type signalItem struct {
	name string
	spec SignalSpec
}

// AddSignal adds a signal, such as a *PositionSpec, which Stepper.Read reads.
func (b *Builder) AddSignal(name string, spec SignalSpec) {
	if b.add("signal", name) {
		b.signals = append(b.signals, signalItem{name, spec})
	}
}

// addSignals makes the signals.
func (a *assembly) addSignals() {
	for _, item := range a.signals {
		// parameters within their bounds, then names of items
		if err := errors.Join(kinds.Validate(item.spec)...); err != nil {
			a.fail("signal", item.name, "%w", err)
			continue
		}
		s, err := item.spec.Make(&a.names)
		if err != nil {
			a.fail("signal", item.name, "%w", err)
			continue
		}
		// it is read in the order in which it was added
		a.m.Names.Signals[item.name] = len(a.m.Signals)
		a.m.Signals = append(a.m.Signals, NamedSignal{Name: item.name, Unit: signalUnit(a.m, item.spec, s), OfStep: item.spec.OfStep(), Signal: s})
	}
}
