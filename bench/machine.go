package bench

import "runtime"

// Machine is what figures were taken on.
type Machine struct {
	CPU   string `json:"cpu"`
	Cores int    `json:"cores"`
	OS    string `json:"os"`
	Go    string `json:"go"`
}

// thisMachine describes the machine that the program runs on.
func thisMachine() Machine {
	return Machine{CPU: cpuName(), Cores: runtime.NumCPU(), OS: runtime.GOOS + "/" + runtime.GOARCH, Go: runtime.Version()}
}
