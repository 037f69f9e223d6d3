"""Scenes of the tests."""

from curlfree import Builder, kinds


def pad():
    """A ball above a soft pad, beside an arm with a drive."""
    b = Builder(step=0.01, duration=0.2)
    b.solver(friction_lag="geometry")
    b.mesh("block", box={"size": [0.2, 0.2, 0.1], "cells": [4, 4, 2]})
    b.material("foam", youngs_modulus=1e5, density=500)
    b.deformable("pad", mesh="block", material="foam", pose={"xyz": [0, 0, 0.05]}, attach=[{"body": "world", "where": {"z_max": -0.049}}])
    b.body("ball", pose={"xyz": [0, 0, 0.2]}, shapes=[kinds.shape.sphere(radius=0.05)])
    b.body("arm", pose={"xyz": [1, 0, 1]}, shapes=[kinds.shape.box(size=[0.1, 0.1, 0.3])], joint=kinds.joint.revolute(axis=[0, 1, 0]))
    b.drive("turn", kinds.drive.joint(joint="arm", kp=20, kd=2))
    b.signal("height", kinds.signal.position(position="z", body="ball"))
    b.signal("force", kinds.signal.contact_force(contact_force="z", body="ball"))
    b.signal("q", kinds.signal.joint_state(joint="arm", joint_state="position"))
    return b
