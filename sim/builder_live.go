package sim

import (
	"sync"

	"github.com/curlfree/curlfree/motion"
)

// AddLive declares a live value, which motions of drives or loads refer to, as one that operators change.
func (b *Builder) AddLive(l *motion.Live) {
	if b.add("live value", l.Name) {
		b.live = append(b.live, l)
	}
}

// addLive numbers the live values, and writes where they start.
func (a *assembly) addLive() {
	v := &a.m.live
	for _, l := range a.live {
		if err := l.Check(); err != nil {
			a.fail("live value", l.Name, "%w", err)
		}
		v.list = append(v.list, l)
		a.m.Start.Operator = append(a.m.Start.Operator, l.Value, l.Value, 0)
	}
	if len(v.list) > 0 {
		v.turn = new(sync.Mutex)
	}
}
