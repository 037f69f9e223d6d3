package main

// The plate's 0.173 kg and the 40 N of its motor stand on the block, 41.7 N; the block's
// 0.064 kg adds 0.6 N on the ground.
func Example() {
	main()
	// Output:
	// t = 0.25 s: plate at 43.88 mm, force on ground 42.3 N, stress up to 28 kPa
	// t = 0.50 s: plate at 43.88 mm, force on ground 42.3 N, stress up to 28 kPa
	// t = 0.75 s: plate at 43.88 mm, force on ground 42.3 N, stress up to 28 kPa
	// t = 1.00 s: plate at 43.88 mm, force on ground 42.3 N, stress up to 28 kPa
	// ground on block: 42.3 N over 16.0 cm²
	// plate on block: 41.7 N over 16.0 cm²
}
