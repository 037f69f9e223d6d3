// Package bvh is a bounding-volume hierarchy of axis-aligned boxes over items
// that are numbered 0..n−1: triangles, tets, bodies. The tree is built once and
// refitted when the items move; queries allocate nothing and may run concurrently
// between refits.
package bvh

import "github.com/curlfree/curlfree/r3"

// leafSize is the largest number of items in a leaf: a handful of item tests
// costs about as much as one more level of boxes.
const leafSize = 4

// maxDepth bounds the traversal stacks: no leaf is deeper.
const maxDepth = 40

// Node is one node of a Tree.
type Node struct {
	Box    r3.Box
	Right  int32 // right child; the left one is the next node; 0 in a leaf
	Lo, Hi int32 // its items are Order()[Lo:Hi], also in inner nodes
}

// Leaf reports whether the node has no children.
func (n *Node) Leaf() bool { return n.Right == 0 }

// Tree is a binary tree of boxes in preorder: a node's left child follows it.
type Tree struct {
	nodes []Node
	order []int32  // items in the order of the leaves
	boxes []r3.Box // of the items, in that order
}

// Refit moves the items to new boxes; the topology stays. It panics when the
// number of items differs from Build's.
func (t *Tree) Refit(boxes []r3.Box) {
	if len(boxes) != len(t.order) {
		panic("bvh: Refit with another number of items than Build")
	}
	for k, i := range t.order {
		t.boxes[k] = boxes[i]
	}
	for k := len(t.nodes) - 1; k >= 0; k-- { // children follow their parents
		n := &t.nodes[k]
		if !n.Leaf() {
			n.Box = t.nodes[k+1].Box
			grow(&n.Box, &t.nodes[n.Right].Box)
			continue
		}
		n.Box = t.boxes[n.Lo]
		for i := n.Lo + 1; i < n.Hi; i++ {
			grow(&n.Box, &t.boxes[i])
		}
	}
}

// grow makes a hold b.
func grow(a, b *r3.Box) {
	for k := range 3 {
		if b.Min[k] < a.Min[k] {
			a.Min[k] = b.Min[k]
		}
		if b.Max[k] > a.Max[k] {
			a.Max[k] = b.Max[k]
		}
	}
}

// Len returns the number of items.
func (t *Tree) Len() int { return len(t.order) }

// Bounds returns the box of all items.
func (t *Tree) Bounds() r3.Box {
	if len(t.nodes) == 0 {
		return r3.EmptyBox()
	}
	return t.nodes[0].Box
}

// Nodes returns the nodes in preorder, the root first; none for an empty tree.
// It is for hierarchical sums over the items; do not change it.
func (t *Tree) Nodes() []Node { return t.nodes }

// Order returns the items in the order of the leaves; do not change it.
func (t *Tree) Order() []int32 { return t.order }

// Renumber numbers the items in the order of the leaves, so that those near each other
// are near in memory, and returns their former numbers.
func (t *Tree) Renumber() []int32 {
	former := t.order
	t.order = make([]int32, len(former))
	for i := range t.order {
		t.order[i] = int32(i)
	}
	return former
}
