package rigid

// HasPrescribedJoint reports whether a prescribed joint moves a tree: the work of its drive is not known.
func (m *Model) HasPrescribedJoint(t int) bool { return m.prescribedTree[t] }
