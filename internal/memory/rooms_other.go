//go:build !linux

package memory

// systemRooms lists the limits of the system: none are known here.
func systemRooms(float64) []Room { return nil }

// resourceRooms lists the limits of resources of the process: none are known here.
func resourceRooms(float64) []Room { return nil }
