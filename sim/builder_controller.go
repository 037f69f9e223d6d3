package sim

// AddController adds a controller. New makes one for each stepper.
func (b *Builder) AddController(name string, new func() Controller) {
	if b.add("controller", name) {
		b.controllers = append(b.controllers, NamedController{name, new})
	}
}
