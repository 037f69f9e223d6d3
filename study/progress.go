package study

import "sync"

// progress computes the share of the work that is done,
//
//	share = Σ_k w_k s_k / Σ_k w_k                                                  (1)
//
// with w_k the number of steps of case k and s_k the share of them that is taken. Cases
// whose result exists have w_k = 0.
type progress struct {
	mu sync.Mutex
	// weight are the w_k.
	weight []float64
	// shares are the s_k.
	shares []float64
	// sum and all are the sums of (1), done the number of cases that are done.
	sum, all float64
	done     int
	// report is Options.Progress; nil: no reports.
	report func(done, total int, share float64)
}

// noWork is the share of a case whose result exists already.
const noWork = -1

// newProgress starts at no share of the cases in the given order.
func newProgress(s *Study, order []int, report func(done, total int, share float64)) *progress {
	p := &progress{weight: make([]float64, len(order)), shares: make([]float64, len(order)), report: report}
	for k, i := range order {
		// the number of steps is unknown before Check: then all cases weigh the same
		p.weight[k] = max(1, s.Cases[i].Steps)
		p.all += p.weight[k]
	}
	return p
}

// set sets the share of a case that is done, or noWork, and reports (1).
func (p *progress) set(k int, share float64) {
	if p.report == nil {
		return
	}
	// cases report from their own goroutines
	p.mu.Lock()
	defer p.mu.Unlock()
	// a report comes with every step of every case: only the terms of this case change
	p.sum -= p.weight[k] * p.shares[k]
	if share == noWork {
		p.all -= p.weight[k]
		p.weight[k], share = 0, 1
	}
	share = min(1, share)
	if p.shares[k] == 1 {
		p.done--
	}
	if share == 1 {
		p.done++
	}
	p.shares[k] = share
	p.sum += p.weight[k] * share
	sum, all := p.sum, p.all
	// all results exist: nothing is left to do
	if all <= 0 || p.done == len(p.shares) {
		sum, all = 1, 1
	}
	p.report(p.done, len(p.shares), max(0, min(1, sum/all)))
}
