package bench

import "runtime"

// Machine describes the computer of a measurement.
type Machine struct {
	// CPU is the name of the processor.
	CPU string `json:"cpu"`
	// Cores is the number of logical cores.
	Cores int `json:"cores"`
	// OS is the operating system and architecture, such as linux/amd64.
	OS string `json:"os"`
	// Go is the version of the compiler.
	Go string `json:"go"`
}

// thisMachine describes the machine that the program runs on.
// Times of other machines, compilers or cores are not comparable: results carry all of them.
func thisMachine() Machine {
	return Machine{CPU: cpuName(), Cores: runtime.NumCPU(), OS: runtime.GOOS + "/" + runtime.GOARCH, Go: runtime.Version()}
}
