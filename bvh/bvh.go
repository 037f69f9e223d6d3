// Package bvh is a bounding volume hierarchy (tree of axis-aligned bounding boxes,
// AABB) over items that are numbered 0..n−1: triangles, tets, bodies. The tree is
// built once and refitted when the items move; queries allocate nothing but their
// results and may run concurrently between refits.
//
//	Build, Refit    the tree; BuildFast for one that is searched once
//	Query, Select   items whose boxes meet a box, or satisfy a predicate
//	Nearest         the item nearest to a point
//	Overlaps        pairs of items of one tree whose boxes meet
//	Pairs, Probe    pairs of items of two trees, one of which is moved by a pose
//
// The order of all results is a function of the boxes at Build and of those at present,
// so that a program that sums over them repeats its bits.
//
// Source: Ericson, "Real-Time Collision Detection", 2005, chapter 6.
package bvh

import "github.com/curlfree/curlfree/r3"

// leafSize is the largest number of items in a leaf: four tests of items cost about as
// much as one more level of boxes.
const leafSize = 4

// maxDepth bounds the depth of leaves, and so the stacks of traversals: 2⁴⁰ leaves.
const maxDepth = 40

// Node is one node of a Tree.
type Node struct {
	// Box contains the boxes of all items of the node.
	Box r3.Box
	// Right is the right child; the left one is the next node; 0 in a leaf.
	Right int32
	// Lo and Hi are the range of the node's items in Order(), also in inner nodes.
	Lo, Hi int32
}

// Leaf reports whether the node has no children.
func (n *Node) Leaf() bool { return n.Right == 0 }

// Tree is a binary tree of boxes in preorder: a node's left child follows it, and so its
// subtree and its items are contiguous. Build makes it; the zero value has no items. It
// may be read by several goroutines at the same time.
type Tree struct {
	nodes []Node
	// order has the items in the order of the leaves, boxes their boxes in that order, so
	// that those of a leaf are next to each other in memory.
	order []int32
	boxes []r3.Box
}

// Refit moves the items to new boxes (one each, in the numbering of Build), in time linear
// in their number; the topology stays, so that a tree whose items have moved far apart is
// correct but slow. It panics when the number of items differs from Build's.
func (t *Tree) Refit(boxes []r3.Box) {
	if len(boxes) != len(t.order) {
		panic("bvh: Refit with another number of items than Build")
	}
	for k, i := range t.order {
		t.boxes[k] = boxes[i]
	}
	// children follow their parents: from the end, they come first
	for k := len(t.nodes) - 1; k >= 0; k-- {
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

// grow makes a the smallest box that contains a and b.
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

// Bounds returns the box around all items; the empty box for none.
func (t *Tree) Bounds() r3.Box {
	if len(t.nodes) == 0 {
		return r3.EmptyBox()
	}
	return t.nodes[0].Box
}

// Nodes returns the nodes in preorder, the root first; none for an empty tree.
// It serves hierarchical sums over the items; it must not be changed.
func (t *Tree) Nodes() []Node { return t.nodes }

// Order returns the items in the order of the leaves; it must not be changed.
func (t *Tree) Order() []int32 { return t.order }

// Renumber numbers the items in the order of the leaves, so that those near each other
// are near in memory, and returns their former numbers: item i of the tree is now the item that
// item former[i] was. The caller reorders its items accordingly.
func (t *Tree) Renumber() []int32 {
	former := t.order
	t.order = make([]int32, len(former))
	for i := range t.order {
		t.order[i] = int32(i)
	}
	return former
}
