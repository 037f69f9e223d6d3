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
		{"class of a node", "node 2 of class 2: there are classes 0 and 1", func() { packed().AddNode(3, 2) }},
		{"row beyond the nodes", "Analyze: column 0 has row 2 of a graph of 2 nodes", func() {
			g := packed()
			g.Row[1] = 2
			new(Cholesky).Analyze(g)
		}},
		{"negative row", "Analyze: rows 0 and -1 of column 0 do not ascend", func() {
			g := packed()
			g.Row[1] = -1
			new(Cholesky).Analyze(g)
		}},
		{"column without its diagonal", "Reset: column 1 begins with row 0", func() {
			g := packed()
			g.Row[2] = 0
			new(Matrix).Reset(g)
		}},
		{"column beyond the blocks", "Analyze: column 0 has the blocks 0 to 9 of 3", func() {
			g := packed()
			g.Ptr[1] = 9
			new(Cholesky).Analyze(g)
		}},
		{"end of the columns", "Reset: Ptr goes from 0 to 2 for 3 blocks", func() {
			g := packed()
			g.Ptr[2] = 2
			new(Matrix).Reset(g)
		}},
		{"classes of fewer nodes", "Analyze: classes of 1 nodes in a graph of 2 nodes", func() {
			g := packed()
			g.Class = g.Class[:1]
			new(Cholesky).Analyze(g)
		}},
		{"matrix of a graph of as many blocks", "Factor: a matrix of 3 blocks and 3 values for an analyzed graph of 3 blocks and 63 values", func() {
			var c Cholesky
			c.Analyze(packed())
			var g Graph
			g.AddNode(1, 0)
			g.AddNode(1, 0)
			g.AddEdge(1, 0)
			g.Pack()
			var m Matrix
			m.Reset(&g)
			_ = c.Factor(&m)
		}},
		{"factorization without analysis", "Factor without Analyze", func() { _ = new(Cholesky).Factor(matrix()) }},
		{"order without analysis", "Order without Analyze", func() { new(Cholesky).Order() }},
		{"right-hand side of another length", "right-hand side of 2 rows for a matrix of 9", func() {
			var c Cholesky
			c.Analyze(packed())
			_ = c.FactorSolve(matrix(), make([]float64, 2))
		}},
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
