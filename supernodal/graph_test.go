package supernodal

import (
	"strings"
	"testing"
)

// Misuse of a graph panics with a message that names the node and the cure.
func TestMisuseOfGraphsPanicsWithTheNode(t *testing.T) {
	packed := func() *Graph {
		g := new(Graph)
		g.AddNode(3, 0)
		g.AddNode(6, 1)
		g.AddEdge(1, 0)
		g.Pack()
		return g
	}
	matrix := func() *Matrix {
		m := new(Matrix)
		m.Reset(packed())
		return m
	}
	for _, x := range []struct {
		name, want string
		do         func()
	}{
		{"edge to a node that was not added", "AddEdge: node 2 of a graph of 2 nodes: add it with AddNode", func() { packed().AddEdge(0, 2) }},
		{"edge from a negative node", "AddEdge: node -1 of a graph of 2 nodes", func() { packed().AddEdge(-1, 1) }},
		{"slot of a node that was not added", "Slot: node 7 of a graph of 2 nodes", func() { packed().Slot(7, 1) }},
		{"slot of a graph without Pack", "Slot: the graph is not packed", func() {
			var g Graph
			g.AddNode(1, 0)
			g.Slot(0, 0)
		}},
		{"block of a node that was not added", "node 5 of a graph of 2 nodes", func() { matrix().Block(5, 0) }},
		{"block of a matrix without Reset", "Block: the matrix has no graph: call Reset", func() { new(Matrix).Block(0, 0) }},
		{"matrix of a graph without Pack", "Reset: the graph is not packed", func() {
			g := packed()
			g.AddNode(2, 0)
			new(Matrix).Reset(g)
		}},
		{"node after the persistent edges", "AddNode: node 2 after MarkPersistent: add all nodes before it", func() {
			g := packed()
			g.MarkPersistent()
			g.AddNode(3, 0)
		}},
		{"block of the upper triangle", "nodes 0 and 1 have no block in the lower triangle", func() { matrix().Block(0, 1) }},
		{"size of a block", "node 2 has -1 rows: a block may have 0 to 32767", func() { packed().AddNode(-1, 0) }},
		{"analysis of a graph without Pack", "Analyze: the graph is not packed", func() {
			var g Graph
			g.AddNode(1, 0)
			new(Cholesky).Analyze(&g)
		}},
	} {
		t.Run(x.name, func(t *testing.T) {
			defer func() {
				if got, _ := recover().(string); !strings.HasPrefix(got, "supernodal: ") || !strings.Contains(got, x.want) {
					t.Errorf("panics with %q, want %q", got, x.want)
				}
			}()
			x.do()
		})
	}
}
