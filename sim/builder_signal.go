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

// addSignals makes the signals. They are read in the order in which they were added, and may name each other.
func (a *assembly) addSignals() {
	for i, item := range a.signals {
		a.m.Names.Signals[item.name] = i
	}
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
		a.m.Signals = append(a.m.Signals, NamedSignal{Name: item.name, Unit: signalUnit(a.m, item.spec, s), OfStep: item.spec.OfStep(), Signal: s})
	}
	if len(a.m.Signals) < len(a.signals) {
		return // after a fault numbers are those of other signals
	}
	for i := range a.m.Signals {
		g := &a.m.Signals[i]
		of, derived := g.Signal.(derivedSignal)
		if !derived {
			continue
		}
		inner := &a.m.Signals[of.derivedFrom()]
		if _, derived := inner.Signal.(derivedSignal); derived {
			a.fail("signal", g.Name, "measured: %s is measured itself: name the signal that it measures", inner.Name)
			continue
		}
		g.Unit, g.OfStep = inner.Unit, inner.OfStep
	}
}
