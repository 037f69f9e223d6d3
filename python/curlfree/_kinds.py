"""Kinds and sections of scenes. Made by: go test ./reference -update"""

# ruff: noqa
from typing import Any, Mapping, Sequence


def _given(arguments):
    """Return the arguments that are given, by their keys: a trailing underscore keeps apart words of Python."""
    return {k.rstrip("_"): v for k, v in arguments.items() if v is not None and k != "self"}


class constitutive_law:
    """How the stress of a deformable depends on its deformation."""

    @staticmethod
    def arruda_boyce(*, shear_modulus: "float | None" = None, chain_stretch: "float | None" = None, poissons_ratio: "float | None" = None) -> dict:
        """Law of Arruda and Boyce for rubber whose chains have a largest stretch.

        Parameters:
            shear_modulus: shear modulus at rest, Pa (default 200000)
            chain_stretch: stretch at which the chains of molecules lock (default 2.8)
            poissons_ratio: Poisson's ratio at small strains: 0.5 is incompressible (default 0.49)
        """
        return {"constitutive_law": "arruda_boyce", **_given(locals())}

    @staticmethod
    def corotational(*, youngs_modulus: "float | None" = None, poissons_ratio: "float | None" = None) -> dict:
        """Hooke's law in a frame that rotates with each element: large rotations, small strains.

        Parameters:
            youngs_modulus: Young's modulus, Pa (default 1e+06)
            poissons_ratio: Poisson's ratio: 0.5 is incompressible (default 0.4)
        """
        return {"constitutive_law": "corotational", **_given(locals())}

    @staticmethod
    def linear(*, youngs_modulus: "float | None" = None, poissons_ratio: "float | None" = None) -> dict:
        """Hooke's law of small strains and small rotations.

        Parameters:
            youngs_modulus: Young's modulus, Pa (default 1e+06)
            poissons_ratio: Poisson's ratio: 0.5 is incompressible (default 0.4)
        """
        return {"constitutive_law": "linear", **_given(locals())}

    @staticmethod
    def mooney_rivlin(*, youngs_modulus: "float | None" = None, poissons_ratio: "float | None" = None, c01_share: "float | None" = None) -> dict:
        """Mooney-Rivlin law for large strains of silicone and rubber.

        Parameters:
            youngs_modulus: Young's modulus, Pa (default 1e+06)
            poissons_ratio: Poisson's ratio: 0.5 is incompressible (default 0.4)
            c01_share: share of C01 in C10 + C01, of the law's usual constants (default 0)
        """
        return {"constitutive_law": "mooney_rivlin", **_given(locals())}

    @staticmethod
    def neo_hookean(*, youngs_modulus: "float | None" = None, poissons_ratio: "float | None" = None) -> dict:
        """Stable neo-Hookean law for large strains of rubber.

        Parameters:
            youngs_modulus: Young's modulus, Pa (default 1e+06)
            poissons_ratio: Poisson's ratio: 0.5 is incompressible (default 0.4)
        """
        return {"constitutive_law": "neo_hookean", **_given(locals())}

    @staticmethod
    def ogden(*, moduli: "Sequence[float] | None" = None, exponents: "Sequence[float] | None" = None, poissons_ratio: "float | None" = None, stretch_limit: "float | None" = None) -> dict:
        """Law of Ogden for rubber and silicone at large strains: powers of the principal stretches.

        Parameters:
            moduli: modulus of each term, of the sign of its exponent, Pa (default [100000])
            exponents: exponent of each term (default [3])
            poissons_ratio: Poisson's ratio at small strains: 0.5 is incompressible (default 0.49)
            stretch_limit: largest stretch of the data that the law was fitted to; beyond, it continues without falling (default 4)
        """
        return {"constitutive_law": "ogden", **_given(locals())}

    @staticmethod
    def yeoh(*, c1: "float | None" = None, c2: "float | None" = None, c3: "float | None" = None, poissons_ratio: "float | None" = None, stretch_limit: "float | None" = None) -> dict:
        """Law of Yeoh for silicones and rubber that stiffen at large strains.

        Parameters:
            c1: coefficient of I1 - 3: half of the shear modulus at rest, Pa (default 100000)
            c2: coefficient of (I1 - 3)^2, Pa (default 0)
            c3: coefficient of (I1 - 3)^3, Pa (default 0)
            poissons_ratio: Poisson's ratio at small strains: 0.5 is incompressible (default 0.49)
            stretch_limit: largest stretch of the data that the law was fitted to; beyond, it continues without falling (default 4)
        """
        return {"constitutive_law": "yeoh", **_given(locals())}

class constraint:
    """Ties bodies or joints to each other or to the world."""

    @staticmethod
    def ball(*, a: "str | None" = None, b: "str | None" = None, point_a: "Sequence[float] | None" = None, point_b: "Sequence[float] | None" = None) -> dict:
        """Keeps a point of one body at a point of another and leaves rotations free.

        Parameters:
            a: first body (default world)
            b: second body (default world)
            point_a: point in the frame of a, of a deformable in that of its mesh, m (default where point_b is at the start)
            point_b: point in the frame of b, of a deformable in that of its mesh, m (default [0, 0, 0])
        """
        return {"ball": _given(locals())}

    @staticmethod
    def cable(*, path: "Sequence[Mapping[str, Any]]", stiffness_EA: "float", damping: "float | None" = None, pretension: "float | None" = None, length: "float | None" = None) -> dict:
        """Pulls with one tension along a path through points of rigid bodies, without friction, as a cord through eyelets does.

        Parameters:
            path: points that it runs through, from end to end (required)
            stiffness_EA: force over strain, N (required)
            damping: damping, N s/m (default 0)
            pretension: tension at the start, N (default 0)
            length: length at which it becomes taut, m (default from the path at the start and the pretension)
        """
        return {"cable": _given(locals())}

    @staticmethod
    def coupler(*, a: "str", b: "str", ratio: "float", offset: "float | None" = None) -> dict:
        """Ties the positions of two joints, as gears do: q_a = ratio q_b + offset.

        Parameters:
            a: first joint (required)
            b: second joint (required)
            ratio: position of a per position of b, units of a per unit of b (required)
            offset: position of a where that of b is 0, m or rad (default 0)
        """
        return {"coupler": _given(locals())}

    @staticmethod
    def distance(*, a: "str | None" = None, b: "str | None" = None, point_a: "Sequence[float] | None" = None, point_b: "Sequence[float] | None" = None, length: "float | None" = None, stiffness: "float | None" = None, damping: "float | None" = None, rope: "bool | None" = None) -> dict:
        """Keeps two points at a distance, as a rod, a spring or a rope does.

        Parameters:
            a: first body (default world)
            b: second body (default world)
            point_a: point in the frame of a, of a deformable in that of its mesh, m (default [0, 0, 0])
            point_b: point in the frame of b, of a deformable in that of its mesh, m (default [0, 0, 0])
            length: distance, m (default at the start)
            stiffness: stiffness, N/m (default near-rigid)
            damping: damping, N s/m (default 0)
            rope: only pulls (default false)
        """
        return {"distance": _given(locals())}

    @staticmethod
    def weld(*, a: "str | None" = None, b: "str | None" = None, pose_a: "Mapping[str, Any] | None" = None, pose_b: "Mapping[str, Any] | None" = None) -> dict:
        """Fixes a frame of one body on a frame of another.

        Parameters:
            a: first body (default world)
            b: second body (default world)
            pose_a: frame on a (default where pose_b is at the start)
            pose_b: frame on b
        """
        return {"weld": _given(locals())}

class contact_law:
    """How friction and normal force of a contact depend on its velocity in a step."""

    @staticmethod
    def lagged(*, stiction_tolerance: "float | None" = None, sliding_tolerance: "float | None" = None, static_friction: "bool | None" = None) -> dict:
        """Coulomb friction bounded by the normal impulse at the start of the step.

        Parameters:
            stiction_tolerance: slip speed v_s below which friction sticks, up to creep of this order, m/s (default 1e-06)
            sliding_tolerance: the same speed of contacts that slide: from stiction_tolerance it grows with the velocity of a contact at the start of the step up to this one; 0: it does not, m/s (default 0.0001)
            static_friction: friction falls from the static to the dynamic coefficient with slip; else it is the dynamic one (default true)
        """
        return {"contact": "lagged", **_given(locals())}

    @staticmethod
    def lagged_regularized(*, stiction_tolerance: "float | None" = None, sliding_tolerance: "float | None" = None, static_friction: "bool | None" = None, sigma: "float | None" = None) -> dict:
        """Coulomb friction bounded by the normal impulse at the start of the step, regularized for strong impacts.

        Parameters:
            stiction_tolerance: slip speed v_s below which friction sticks, up to creep of this order, m/s (default 1e-06)
            sliding_tolerance: the same speed of contacts that slide: from stiction_tolerance it grows with the velocity of a contact at the start of the step up to this one; 0: it does not, m/s (default 0.0001)
            static_friction: friction falls from the static to the dynamic coefficient with slip; else it is the dynamic one (default true)
            sigma: regularization σ of friction: larger creeps faster, smaller conditions worse (default 0.001)
        """
        return {"contact": "lagged_regularized", **_given(locals())}

    @staticmethod
    def sap(*, stiction_tolerance: "float | None" = None, sliding_tolerance: "float | None" = None, static_friction: "bool | None" = None, sigma: "float | None" = None, beta: "float | None" = None, damping_from_touch: "bool | None" = None) -> dict:
        """Linear compliance with a relaxation time and friction by projection on Coulomb's cone; sliding lifts bodies.

        Parameters:
            stiction_tolerance: slip speed v_s below which friction sticks, up to creep of this order, m/s (default 1e-06)
            sliding_tolerance: the same speed of contacts that slide: from stiction_tolerance it grows with the velocity of a contact at the start of the step up to this one; 0: it does not, m/s (default 0.0001)
            static_friction: friction falls from the static to the dynamic coefficient with slip; else it is the dynamic one (default true)
            sigma: regularization σ of friction: larger creeps faster, smaller conditions worse (default 0.001)
            beta: near-rigid parameter β: no contact oscillates faster than once in β steps; 0 sets no limit (default 1)
            damping_from_touch: damping starts with touch: contact acts across no more than what closes within the step; false: as published, it acts across (h + τ)/h times that (default true)
        """
        return {"contact": "sap", **_given(locals())}

    @staticmethod
    def similar(*, stiction_tolerance: "float | None" = None, sliding_tolerance: "float | None" = None, static_friction: "bool | None" = None) -> dict:
        """Coulomb friction bounded by the normal impulse of the same step; fast sliding lifts bodies.

        Parameters:
            stiction_tolerance: slip speed v_s below which friction sticks, up to creep of this order, m/s (default 1e-06)
            sliding_tolerance: the same speed of contacts that slide: from stiction_tolerance it grows with the velocity of a contact at the start of the step up to this one; 0: it does not, m/s (default 0.0001)
            static_friction: friction falls from the static to the dynamic coefficient with slip; else it is the dynamic one (default true)
        """
        return {"contact": "similar", **_given(locals())}

    @staticmethod
    def similar_regularized(*, stiction_tolerance: "float | None" = None, sliding_tolerance: "float | None" = None, static_friction: "bool | None" = None, sigma: "float | None" = None) -> dict:
        """Coulomb friction bounded by the normal impulse of the same step, regularized for strong impacts.

        Parameters:
            stiction_tolerance: slip speed v_s below which friction sticks, up to creep of this order, m/s (default 1e-06)
            sliding_tolerance: the same speed of contacts that slide: from stiction_tolerance it grows with the velocity of a contact at the start of the step up to this one; 0: it does not, m/s (default 0.0001)
            static_friction: friction falls from the static to the dynamic coefficient with slip; else it is the dynamic one (default true)
            sigma: regularization σ of friction: larger creeps faster, smaller conditions worse (default 0.001)
        """
        return {"contact": "similar_regularized", **_given(locals())}

class drive:
    """What moves a joint or a body over time."""

    @staticmethod
    def body(*, body: "str", x: "float | Mapping[str, Any] | None" = None, y: "float | Mapping[str, Any] | None" = None, z: "float | Mapping[str, Any] | None" = None, axis: "Sequence[float] | None" = None, angle: "float | Mapping[str, Any] | None" = None) -> dict:
        """Prescribed motion of a body without a joint, or of the base of a robot.

        Parameters:
            body: rigid body without a joint, or robot (required)
            x: displacement along the first axis, m (default 0)
            y: displacement along the second axis, m (default 0)
            z: displacement along the third axis, m (default 0)
            axis: axis of rotation, of any length (default none)
            angle: rotation about the axis, rad (default 0)
        """
        return _given(locals())

    @staticmethod
    def hold(*, hold: "str", object: "str", point: "Sequence[float] | None" = None, on: "float | Mapping[str, Any] | None" = None, signal: "str | None" = None, above: "float | None" = None, below: "float | None" = None, contact: "bool | None" = None, axis: "Sequence[float] | None" = None, force: "float | None" = None, moment: "float | None" = None) -> dict:
        """Holds a body as a suction cup, a magnet or a locked gripper does: a weld that is switched by time, a signal or contact, and breaks above a force.

        Parameters:
            hold: rigid body that holds, such as that of a suction cup (required)
            object: rigid body that is held (required)
            point: where it holds, in the frame of the body that holds: the place of its moment, m (default [0, 0, 0])
            on: it holds while this is above 0 (default always)
            signal: signal of the scene between whose bounds it holds (default none)
            above: it holds while the signal is above this, in the unit of the signal (default no bound)
            below: it holds while the signal is below this, in the unit of the signal (default no bound)
            contact: it takes hold only while the two bodies press on each other (default false)
            axis: direction in which it presses on the object, in the frame of the body that holds: forces along it do not break it (default none: forces in all directions count)
            force: force that pulls above which it breaks, N (default none)
            moment: moment about the point above which it breaks, N m (default none)
        """
        return _given(locals())

    @staticmethod
    def joint(*, joint: "str", kp: "float | None" = None, kd: "float | None" = None, target: "float | Mapping[str, Any] | None" = None, velocity: "float | Mapping[str, Any] | None" = None, feed_forward: "float | Mapping[str, Any] | None" = None, effort: "float | Mapping[str, Any] | None" = None, velocity_limit: "float | None" = None) -> dict:
        """Controller of a joint with one degree of freedom: a spring and a damper to a target, with bounded effort.

        Parameters:
            joint: joint with one degree of freedom (required)
            kp: position gain, N m/rad or N/m (default 0)
            kd: velocity gain, N m s/rad or N s/m (default 0)
            target: position over time, rad or m (default 0)
            velocity: velocity over time, in place of target and without kp, rad/s or m/s
            feed_forward: effort that is added, N m or N (default 0)
            effort: bound of the effort's magnitude, N m or N (default as a robot's file says, else none)
            velocity_limit: bound of the velocity that position error and target command together; it takes a kd, rad/s or m/s (default as a robot's file says, else none)
        """
        return _given(locals())

    @staticmethod
    def motor(*, motor: "str", kp: "float | None" = None, kd: "float | None" = None, target: "float | Mapping[str, Any] | None" = None, velocity: "float | Mapping[str, Any] | None" = None, feed_forward: "float | Mapping[str, Any] | None" = None, effort: "float | Mapping[str, Any] | None" = None, stall_effort: "float", no_load_speed: "float", gear_ratio: "float | None" = None, rotor_inertia: "float | None" = None) -> dict:
        """Motor of a joint with one degree of freedom behind a gear: a controller within the torque-speed line of the motor.

        Parameters:
            motor: joint with one degree of freedom that the motor moves (required)
            kp: position gain, at the joint, N m/rad or N/m (default 0)
            kd: velocity gain, at the joint, N m s/rad or N s/m (default 0)
            target: position of the joint over time, rad or m (default 0)
            velocity: velocity of the joint over time, in place of target and without kp, rad/s or m/s
            feed_forward: effort at the joint that is added, N m or N (default 0)
            effort: bound of the effort's magnitude at the joint, as by the current, N m or N (default as a robot's file says, else none)
            stall_effort: effort of the motor at rest, at its shaft, N m or N (required)
            no_load_speed: speed of the motor's shaft at which it gives no effort, rad/s or m/s (required)
            gear_ratio: speed of the motor's shaft over that of the joint (default 1)
            rotor_inertia: inertia of the rotor at its shaft, kg m² or kg (default 0)
        """
        return _given(locals())

    @staticmethod
    def policy(*, policy: "str") -> dict:
        """Efforts and feedback of a plan that curlfree optimize found, for the drives that it names.

        Parameters:
            policy: file that curlfree optimize has written with -o, relative to the scene (required)
        """
        return _given(locals())

    @staticmethod
    def robot(*, robot: "str | None" = None, joints: "Sequence[str] | None" = None, kp: "float | Sequence[float] | None" = None, kd: "float | Sequence[float] | None" = None, gravity_compensation: "bool | None" = None, inverse_dynamics: "bool | None" = None, payload: "Mapping[str, Any] | None" = None, target: "Mapping[str, Any] | None" = None, cartesian: "Mapping[str, Any] | None" = None, gains: "str | None" = None, effort: "float | Sequence[float] | None" = None, velocity: "float | Sequence[float] | None" = None, acceleration: "float | Sequence[float] | None" = None) -> dict:
        """Controller of all joints of a robot, or of some: springs and dampers to a trajectory, with weight and inertia of the robot compensated.

        Parameters:
            robot: robot whose joints are driven; empty: joints are named in full
            joints: joints that are driven, in the order of gains and targets (default all with one degree of freedom that follow no other)
            kp: position gain of all joints, or of each, N m/rad or N/m (default 0)
            kd: velocity gain of all joints, or of each, N m s/rad or N s/m (default 0)
            gravity_compensation: carry the weight of the robot's own links and of its payload, and the springs of its joints (default true)
            inverse_dynamics: add the efforts that accelerate the robot's own links and its payload as planned, against damping and dry friction of its joints (computed torque) (default false)
            payload: mass that the robot carries and the controller compensates (default none)
            target: target motion of the joints (default their start positions)
            cartesian: spring and damper of a frame of the robot beside those of the joints (default none)
            gains: meaning of kp and kd: efforts, or accelerations (1/s² and 1/s) that the inertia of the robot multiplies, as computed torque does: effort, acceleration (default effort)
            effort: bound of the magnitude of efforts, of all joints or of each, N m or N (default as the robot's file says, else none)
            velocity: bound of the velocity of planned motions, and of what position error and target command together, of all joints or of each, rad/s or m/s (default as the robot's file says, else none)
            acceleration: bound of the acceleration of planned motions, of all joints or of each, rad/s² or m/s² (default none)
        """
        return _given(locals())

class elastomer:
    """Rubber with a law that was fitted to a pull test."""

    @staticmethod
    def bodydouble_silk() -> dict:
        """BodyDouble SILK: Ogden's law of modulus 109 kPa and exponent 2.225, 364 kPa at rest."""
        return {"elastomer": "bodydouble_silk", **_given(locals())}

    @staticmethod
    def dragon_skin_10_medium() -> dict:
        """Dragon Skin 10 MEDIUM: Ogden's law of modulus 28.76 kPa and exponent 3.026, 131 kPa at rest."""
        return {"elastomer": "dragon_skin_10_medium", **_given(locals())}

    @staticmethod
    def dragon_skin_20() -> dict:
        """Dragon Skin 20: Ogden's law of modulus 83.31 kPa and exponent 2.959, 370 kPa at rest."""
        return {"elastomer": "dragon_skin_20", **_given(locals())}

    @staticmethod
    def dragon_skin_30() -> dict:
        """Dragon Skin 30: Ogden's law of modulus 127.3 kPa and exponent 2.83, 540 kPa at rest."""
        return {"elastomer": "dragon_skin_30", **_given(locals())}

    @staticmethod
    def dragon_skin_fx_pro() -> dict:
        """Dragon Skin FX Pro: Ogden's law of modulus 19.62 kPa and exponent 2.747, 80.8 kPa at rest."""
        return {"elastomer": "dragon_skin_fx_pro", **_given(locals())}

    @staticmethod
    def dragon_skin_fx_pro_slacker() -> dict:
        """Dragon Skin FX Pro Slacker: Ogden's law of modulus 2.367 kPa and exponent 2.193, 7.79 kPa at rest."""
        return {"elastomer": "dragon_skin_fx_pro_slacker", **_given(locals())}

    @staticmethod
    def ecoflex_00_10() -> dict:
        """Ecoflex 00-10: Ogden's law of modulus 4.656 kPa and exponent 2.762, 19.3 kPa at rest."""
        return {"elastomer": "ecoflex_00_10", **_given(locals())}

    @staticmethod
    def ecoflex_00_30() -> dict:
        """Ecoflex 00-30: Ogden's law of modulus 12.45 kPa and exponent 2.339, 43.7 kPa at rest."""
        return {"elastomer": "ecoflex_00_30", **_given(locals())}

    @staticmethod
    def ecoflex_00_35_fast() -> dict:
        """Ecoflex 00-35 FAST: Ogden's law of modulus 17.89 kPa and exponent 2.721, 73 kPa at rest."""
        return {"elastomer": "ecoflex_00_35_fast", **_given(locals())}

    @staticmethod
    def ecoflex_00_50() -> dict:
        """Ecoflex 00-50: Ogden's law of modulus 15.68 kPa and exponent 2.496, 58.7 kPa at rest."""
        return {"elastomer": "ecoflex_00_50", **_given(locals())}

    @staticmethod
    def mold_star_16_fast() -> dict:
        """Mold Star 16 FAST: Ogden's law of modulus 51.08 kPa and exponent 2.951, 226 kPa at rest."""
        return {"elastomer": "mold_star_16_fast", **_given(locals())}

    @staticmethod
    def mold_star_20t() -> dict:
        """Mold Star 20T: Ogden's law of modulus 69.26 kPa and exponent 2.882, 299 kPa at rest."""
        return {"elastomer": "mold_star_20t", **_given(locals())}

    @staticmethod
    def platsil_gel_10() -> dict:
        """PlatSil Gel 10: Ogden's law of modulus 38.7 kPa and exponent 2.917, 169 kPa at rest."""
        return {"elastomer": "platsil_gel_10", **_given(locals())}

    @staticmethod
    def psycho_paint() -> dict:
        """Psycho Paint: Ogden's law of modulus 78.93 kPa and exponent 2.776, 329 kPa at rest."""
        return {"elastomer": "psycho_paint", **_given(locals())}

    @staticmethod
    def rebound_25() -> dict:
        """Rebound 25: Ogden's law of modulus 62.88 kPa and exponent 2.952, 278 kPa at rest."""
        return {"elastomer": "rebound_25", **_given(locals())}

    @staticmethod
    def rtv615() -> dict:
        """RTV615: Ogden's law of modulus 156.2 kPa and exponent 3.485, 817 kPa at rest."""
        return {"elastomer": "rtv615", **_given(locals())}

    @staticmethod
    def soloplast_150318() -> dict:
        """SOLOPLAST 150318: Ogden's law of modulus 44.07 kPa and exponent 2.792, 185 kPa at rest."""
        return {"elastomer": "soloplast_150318", **_given(locals())}

    @staticmethod
    def sortaclear_40() -> dict:
        """SortaClear 40: Ogden's law of modulus 186.6 kPa and exponent 2.717, 760 kPa at rest."""
        return {"elastomer": "sortaclear_40", **_given(locals())}

    @staticmethod
    def wagnersil_20_nf() -> dict:
        """WAGNERSIL 20 NF: Ogden's law of modulus 70.49 kPa and exponent 3.187, 337 kPa at rest."""
        return {"elastomer": "wagnersil_20_nf", **_given(locals())}

class finite_element:
    """How the strain inside of a deformable follows from the positions of its vertices."""

    @staticmethod
    def auto() -> dict:
        """The best elements that mesh and law allow."""
        return {"elements": "auto", **_given(locals())}

    @staticmethod
    def hex12() -> dict:
        """Hexahedra with incompatible modes, and wedges between them, for swept meshes and any law."""
        return {"elements": "hex12", **_given(locals())}

    @staticmethod
    def tet10() -> dict:
        """Ten-node tetrahedra with straight edges, for any volume and any law."""
        return {"elements": "tet10", **_given(locals())}

    @staticmethod
    def tet4() -> dict:
        """Linear tetrahedra of four nodes, for any mesh and any law."""
        return {"elements": "tet4", **_given(locals())}

class joint:
    """How a body may move against its parent or the world."""

    @staticmethod
    def ball() -> dict:
        """Turns freely about a point."""
        return {"type": "ball", **_given(locals())}

    @staticmethod
    def free() -> dict:
        """No joint: the body moves freely."""
        return {"type": "free", **_given(locals())}

    @staticmethod
    def gimbal(*, axis: "Sequence[float]", axis2: "Sequence[float] | None" = None, axis3: "Sequence[float] | None" = None) -> dict:
        """Turns about three axes, each carried by those before it: its positions are Euler angles.

        Parameters:
            axis: first axis in the joint's frame, fixed to the parent, of any length (required)
            axis2: second axis, as it lies at position 0; it turns with the first angle (default [0, 1, 0])
            axis3: third axis, as it lies at position 0; it turns with the first two angles (default [0, 0, 1])
        """
        return {"type": "gimbal", **_given(locals())}

    @staticmethod
    def planar(*, axis: "Sequence[float]", axis2: "Sequence[float] | None" = None) -> dict:
        """Slides in a plane and turns about the plane's normal.

        Parameters:
            axis: first direction of sliding in the joint's frame, of any length (required)
            axis2: second direction of sliding, at right angles to the first (default [0, 1, 0])
        """
        return {"type": "planar", **_given(locals())}

    @staticmethod
    def prismatic(*, axis: "Sequence[float]") -> dict:
        """Slides along an axis, as a drawer does.

        Parameters:
            axis: direction of sliding in the joint's frame, of any length (required)
        """
        return {"type": "prismatic", **_given(locals())}

    @staticmethod
    def revolute(*, axis: "Sequence[float]") -> dict:
        """Turns about an axis, as a hinge does.

        Parameters:
            axis: axis of rotation in the joint's frame, of any length (required)
        """
        return {"type": "revolute", **_given(locals())}

    @staticmethod
    def screw(*, axis: "Sequence[float]", pitch: "float") -> dict:
        """Turns about an axis and advances along it, as a nut does on a thread.

        Parameters:
            axis: axis of the thread in the joint's frame, of any length (required)
            pitch: advance along the axis per revolution, positive for a right-handed thread, m (required)
        """
        return {"type": "screw", **_given(locals())}

    @staticmethod
    def universal(*, axis: "Sequence[float]", axis2: "Sequence[float] | None" = None) -> dict:
        """Turns about two axes, the second carried by the first, as a Cardan joint does.

        Parameters:
            axis: first axis in the joint's frame, fixed to the parent, of any length (required)
            axis2: second axis, as it lies at position 0; it turns with the first angle (default [0, 1, 0])
        """
        return {"type": "universal", **_given(locals())}

    @staticmethod
    def weld() -> dict:
        """Fixes a body to its parent without motion."""
        return {"type": "weld", **_given(locals())}

class load:
    """Force on a body from outside, over time."""

    @staticmethod
    def body_force(*, body_force: "Sequence[float]", body: "str", where: "Mapping[str, Any] | None" = None, factor: "float | Mapping[str, Any] | None" = None) -> dict:
        """Force per volume at rest on a deformable, along fixed axes.

        Parameters:
            body_force: force per volume at rest, in world axes, N/m³ (required)
            body: deformable body (required)
            where: region of the elements (default the whole body)
            factor: factor over time (default 1)
        """
        return _given(locals())

    @staticmethod
    def force(*, force: "Sequence[float]", body: "str", where: "Mapping[str, Any] | None" = None, point: "Sequence[float] | None" = None, axes: "str | None" = None, factor: "float | Mapping[str, Any] | None" = None) -> dict:
        """Total force on a rigid body or on a region of a deformable.

        Parameters:
            force: total force, N (required)
            body: rigid or deformable body (required)
            where: region of a deformable (default the whole body)
            point: point of a rigid body, in its frame, m (default the centre of mass)
            axes: axes of the force: world, or body, with which it turns: world, body (default world)
            factor: factor over time (default 1)
        """
        return _given(locals())

    @staticmethod
    def moment(*, moment: "Sequence[float]", body: "str", axes: "str | None" = None, factor: "float | Mapping[str, Any] | None" = None) -> dict:
        """Moment on a rigid body.

        Parameters:
            moment: moment, N m (required)
            body: rigid body (required)
            axes: axes of the moment: world, or body, with which it turns: world, body (default world)
            factor: factor over time (default 1)
        """
        return _given(locals())

    @staticmethod
    def pressure(*, pressure: "float | Mapping[str, Any]", body: "str", where: "Mapping[str, Any] | None" = None, inside: "bool | None" = None) -> dict:
        """Pressure on the surface of a deformable, which follows its faces as they move.

        Parameters:
            pressure: pressure over time, positive where it pushes on the surface, Pa (required)
            body: deformable body (required)
            where: region of the faces (default the whole surface)
            inside: only on faces of cavities: closed surfaces inside of the body (default false)
        """
        return _given(locals())

    @staticmethod
    def traction(*, traction: "Sequence[float]", body: "str", where: "Mapping[str, Any] | None" = None, factor: "float | Mapping[str, Any] | None" = None) -> dict:
        """Force per area at rest on the surface of a deformable, along fixed axes.

        Parameters:
            traction: force per area at rest, in world axes, Pa (required)
            body: deformable body (required)
            where: region of the faces (default the whole surface)
            factor: factor over time (default 1)
        """
        return _given(locals())

class machine_part:
    """Machine part that is generated from parameters."""

    @staticmethod
    def spur(*, module: "float | None" = None, teeth: "int | None" = None, pressure_angle_deg: "float | None" = None, shift: "float | None" = None, backlash: "float | None" = None, face_width: "float | None" = None, bore: "float | None" = None, helix_deg: "float | None" = None, addendum: "float | None" = None, clearance: "float | None" = None, fillet: "float | None" = None, chord: "float | None" = None, across: "int | None" = None, layers: "int | None" = None) -> dict:
        """Involute gear, straight or helical.

        Parameters:
            module: module: pitch diameter over teeth; parts that mesh have the same; of helical gears the normal one, m (default 0.001)
            teeth: number of teeth (default 20)
            pressure_angle_deg: normal pressure angle, deg (default 20)
            shift: profile shift over the module; positive for few teeth (default 0)
            backlash: how much thinner this part's teeth are at the pitch circle; the play of a pair is the sum of both, m (default 0)
            face_width: width along the axis, m (default 0.008)
            bore: diameter of the bore; 0: none, m (default 0.006)
            helix_deg: helix angle at the pitch circle, positive right-handed; the mate's is opposite, deg (default 0)
            addendum: height of the teeth above the pitch circle, over the module (default 1)
            clearance: by which the root lies deeper than the mate's tip, over the module (default 0.25)
            fillet: tip radius of the rack that cuts the root, over the module (default 0.38)
            chord: largest distance of a facet from the exact surface; 0: 1 % of the module or pitch, m (default 0)
            across: cells across a tooth; 0: 2 (default 0)
            layers: layers along the face; 0: one for a straight surface, layers of about two teeth for tetrahedra (default 0)
        """
        return {"spur": _given(locals())}

    @staticmethod
    def ring_gear(*, module: "float | None" = None, teeth: "int | None" = None, pressure_angle_deg: "float | None" = None, shift: "float | None" = None, backlash: "float | None" = None, face_width: "float | None" = None, outer: "float | None" = None, helix_deg: "float | None" = None, addendum: "float | None" = None, clearance: "float | None" = None, chord: "float | None" = None, across: "int | None" = None, layers: "int | None" = None) -> dict:
        """Internal involute gear.

        Parameters:
            module: module: pitch diameter over teeth; parts that mesh have the same; of helical gears the normal one, m (default 0.001)
            teeth: number of teeth; at least 34 for a pressure angle of 20° (default 60)
            pressure_angle_deg: normal pressure angle, deg (default 20)
            shift: profile shift over the module, positive outwards (default 0)
            backlash: how much thinner this part's teeth are at the pitch circle; the play of a pair is the sum of both, m (default 0)
            face_width: width along the axis, m (default 0.008)
            outer: outer diameter, m (default 0.07)
            helix_deg: helix angle, positive right-handed; equal to the pinion's, deg (default 0)
            addendum: height of the teeth inside the pitch circle, over the module (default 0.8)
            clearance: by which the root lies deeper than the mate's tip, over the module (default 0.45)
            chord: largest distance of a facet from the exact surface; 0: 1 % of the module or pitch, m (default 0)
            across: cells across a tooth; 0: 2 (default 0)
            layers: layers along the face; 0: one for a straight surface, layers of about two teeth for tetrahedra (default 0)
        """
        return {"ring_gear": _given(locals())}

    @staticmethod
    def rack(*, module: "float | None" = None, teeth: "int | None" = None, pressure_angle_deg: "float | None" = None, backlash: "float | None" = None, face_width: "float | None" = None, base: "float | None" = None, helix_deg: "float | None" = None, addendum: "float | None" = None, clearance: "float | None" = None, chord: "float | None" = None, across: "int | None" = None, layers: "int | None" = None) -> dict:
        """Straight bar with involute teeth.

        Parameters:
            module: module: pitch diameter over teeth; parts that mesh have the same, m (default 0.001)
            teeth: number of teeth (default 12)
            pressure_angle_deg: normal pressure angle, deg (default 20)
            backlash: how much thinner this part's teeth are at the pitch circle; the play of a pair is the sum of both, m (default 0)
            face_width: width along the axis, m (default 0.008)
            base: thickness below the teeth, m (default 0.003)
            helix_deg: helix angle, opposite to that of the gear, deg (default 0)
            addendum: height of the teeth above the pitch circle, over the module (default 1)
            clearance: by which the root lies deeper than the mate's tip, over the module (default 0.25)
            chord: largest distance of a facet from the exact surface; 0: 1 % of the module or pitch, m (default 0)
            across: cells across a tooth; 0: 2 (default 0)
            layers: layers along the face; 0: one for a straight surface, layers of about two teeth for tetrahedra (default 0)
        """
        return {"rack": _given(locals())}

    @staticmethod
    def worm(*, module: "float | None" = None, starts: "int | None" = None, pitch_diameter: "float | None" = None, lead_angle_deg: "float | None" = None, left: "float | None" = None, pressure_angle_deg: "float | None" = None, backlash: "float | None" = None, length: "float | None" = None, bore: "float | None" = None, addendum: "float | None" = None, clearance: "float | None" = None, chord: "float | None" = None, across: "int | None" = None, layers: "int | None" = None) -> dict:
        """Worm: an involute helicoid of one or a few starts.

        Parameters:
            module: axial module: axial pitch over π, m (default 0.001)
            starts: number of threads (default 1)
            pitch_diameter: pitch diameter; 0: from the lead angle, m (default 0.016)
            lead_angle_deg: lead angle at the pitch diameter; 0: from the pitch diameter, deg (default 0)
            left: 1: left-handed (default 0)
            pressure_angle_deg: normal pressure angle, deg (default 20)
            backlash: how much thinner the threads are, axially; the play of a pair is the sum of both, m (default 0)
            length: length along the axis, m (default 0.024)
            bore: diameter of the bore; 0: none; tetrahedra need one, m (default 0.006)
            addendum: height of the teeth above the pitch circle, over the module (default 1)
            clearance: by which the root lies deeper than the mate's tip, over the module (default 0.25)
            chord: largest distance of a facet from the exact surface; 0: 1 % of the module or pitch, m (default 0)
            across: cells across a ridge; 0: 2, or more where chord wants them (default 0)
            layers: layers of tetrahedra in the depth of the thread; 0: 2 (default 0)
        """
        return {"worm": _given(locals())}

    @staticmethod
    def worm_wheel(*, module: "float | None" = None, teeth: "int | None" = None, lead_angle_deg: "float | None" = None, left: "float | None" = None, pressure_angle_deg: "float | None" = None, shift: "float | None" = None, backlash: "float | None" = None, face_width: "float | None" = None, bore: "float | None" = None, addendum: "float | None" = None, clearance: "float | None" = None, fillet: "float | None" = None, chord: "float | None" = None, across: "int | None" = None, layers: "int | None" = None) -> dict:
        """Wheel of a worm: a helical gear with the worm's lead angle.

        Parameters:
            module: axial module of the worm, m (default 0.001)
            teeth: number of teeth (default 40)
            lead_angle_deg: lead angle of the worm, deg (default 3.576334375)
            left: 1: for a left-handed worm (default 0)
            pressure_angle_deg: normal pressure angle, deg (default 20)
            shift: profile shift over the module; positive for few teeth (default 0)
            backlash: how much thinner this part's teeth are at the pitch circle; the play of a pair is the sum of both, m (default 0)
            face_width: width along the axis, m (default 0.01)
            bore: diameter of the bore; 0: none, m (default 0.008)
            addendum: height of the teeth above the pitch circle, over the module (default 1)
            clearance: by which the root lies deeper than the mate's tip, over the module (default 0.25)
            fillet: tip radius of the rack that cuts the root, over the module (default 0.38)
            chord: largest distance of a facet from the exact surface; 0: 1 % of the module or pitch, m (default 0)
            across: cells across a tooth; 0: 2 (default 0)
            layers: layers along the face; 0: one for a straight surface, layers of about two teeth for tetrahedra (default 0)
        """
        return {"worm_wheel": _given(locals())}

    @staticmethod
    def screw(*, pitch: "float | None" = None, starts: "int | None" = None, left: "float | None" = None, major: "float | None" = None, minor: "float | None" = None, pitch_diameter: "float | None" = None, flank_angle_deg: "float | None" = None, clearance: "float | None" = None, length: "float | None" = None, bore: "float | None" = None, chord: "float | None" = None, across: "int | None" = None, layers: "int | None" = None) -> dict:
        """External thread.

        Parameters:
            pitch: axial distance of neighbouring ridges, m (default 0.001)
            starts: number of threads (default 1)
            left: 1: left-handed (default 0)
            major: outer diameter of the basic profile, m (default 0.006)
            minor: inner diameter of the basic profile; unless given, ISO metric: major − 1.0825 pitch, m (default 0.004917468245269452)
            pitch_diameter: where ridge and groove are equally wide; 0: midway; unless given, midway with a minor diameter that is, else ISO metric: major − 0.6495 pitch, m (default 0.0053504809471616715)
            flank_angle_deg: angle of the flanks from the plane across the axis: ISO metric 30, trapezoidal 15, deg (default 30)
            clearance: how far this part stays behind the basic profile, along its normal; the gap of a pair is the sum of both, m (default 0)
            length: length along the axis, m (default 0.012)
            bore: diameter of the bore; 0: none; tetrahedra need one, m (default 0.002)
            chord: largest distance of a facet from the exact surface; 0: 1 % of the module or pitch, m (default 0)
            across: cells across a ridge; 0: 2, or more where chord wants them (default 0)
            layers: layers of tetrahedra in the depth of the thread; 0: 2 (default 0)
        """
        return {"screw": _given(locals())}

    @staticmethod
    def nut(*, pitch: "float | None" = None, starts: "int | None" = None, left: "float | None" = None, major: "float | None" = None, minor: "float | None" = None, pitch_diameter: "float | None" = None, flank_angle_deg: "float | None" = None, clearance: "float | None" = None, length: "float | None" = None, outer: "float | None" = None, flats: "int | None" = None, chord: "float | None" = None, across: "int | None" = None, layers: "int | None" = None) -> dict:
        """Internal thread in a round or flat-sided body.

        Parameters:
            pitch: axial distance of neighbouring ridges, m (default 0.001)
            starts: number of threads (default 1)
            left: 1: left-handed (default 0)
            major: outer diameter of the basic profile, m (default 0.006)
            minor: inner diameter of the basic profile; unless given, ISO metric: major − 1.0825 pitch, m (default 0.004917468245269452)
            pitch_diameter: where ridge and groove are equally wide; 0: midway; unless given, midway with a minor diameter that is, else ISO metric: major − 0.6495 pitch, m (default 0.0053504809471616715)
            flank_angle_deg: angle of the flanks from the plane across the axis: ISO metric 30, trapezoidal 15, deg (default 30)
            clearance: how far this part stays behind the basic profile, along its normal; the gap of a pair is the sum of both, m (default 5e-05)
            length: length along the axis, m (default 0.005)
            outer: outer diameter, or width across flats, m (default 0.01)
            flats: number of flat sides; 0: round (default 6)
            chord: largest distance of a facet from the exact surface; 0: 1 % of the module or pitch, m (default 0)
            across: cells across a ridge; 0: 2, or more where chord wants them (default 0)
            layers: layers of tetrahedra in the depth of the thread; 0: 2 (default 0)
        """
        return {"nut": _given(locals())}

    @staticmethod
    def ring(*, outer: "float | None" = None, inner: "float | None" = None, length: "float | None" = None, chord: "float | None" = None, across: "int | None" = None, layers: "int | None" = None) -> dict:
        """Ring, washer or tube, in a regular grid.

        Parameters:
            outer: outer diameter, m (default 0.01)
            inner: inner diameter, m (default 0.006)
            length: length along the axis: the thickness of a washer, m (default 0.001)
            chord: largest distance of a facet from the circle; 0: 0.2 % of the diameter, m (default 0)
            across: cells across the wall; 0: 2 (default 0)
            layers: layers along the axis; 0: about as long as cells are wide (default 0)
        """
        return {"ring": _given(locals())}

    @staticmethod
    def cup(*, outer: "float | None" = None, height: "float | None" = None, wall: "float | None" = None, bottom: "float | None" = None, size: "float | None" = None, chord: "float | None" = None) -> dict:
        """Round cup, open to +z.

        Parameters:
            outer: outer diameter, m (default 0.07)
            height: height along the axis, m (default 0.09)
            wall: thickness of the wall, m (default 0.003)
            bottom: thickness of the bottom, m (default 0.004)
            size: edge length of tetrahedra in the section; 0: half of the mean wall, m (default 0)
            chord: largest distance of a facet from the circle; 0: 0.2 % of the diameter, m (default 0)
        """
        return {"cup": _given(locals())}

    @staticmethod
    def shaft(*, steps: "Sequence[float] | None" = None, bore: "float | None" = None, size: "float | None" = None, chord: "float | None" = None) -> dict:
        """Stepped shaft, disc or rod.

        Parameters:
            steps: diameter and length of each step, from the lowest up, m
            bore: diameter of the bore; 0: none, m (default 0)
            size: edge length of tetrahedra in the section; 0: half of the mean wall, m (default 0)
            chord: largest distance of a facet from the circle; 0: 0.2 % of the diameter, m (default 0)
        """
        return {"shaft": _given(locals())}

    @staticmethod
    def revolve(*, profile: "Sequence[float] | None" = None, size: "float | None" = None, chord: "float | None" = None) -> dict:
        """Any closed profile turned about the axis.

        Parameters:
            profile: radius and z of each corner in turn, m
            size: edge length of tetrahedra in the section; 0: half of the mean wall, m (default 0)
            chord: largest distance of a facet from the circle; 0: 0.2 % of the diameter, m (default 0)
        """
        return {"revolve": _given(locals())}

    @staticmethod
    def finray(*, length: "float | None" = None, width: "float | None" = None, base_depth: "float | None" = None, tip_depth: "float | None" = None, wall: "float | None" = None, back_wall: "float | None" = None, rib: "float | None" = None, neck: "float | None" = None, neck_length: "float | None" = None, base_block: "float | None" = None, tip_block: "float | None" = None, ribs: "int | None" = None, rib_angle: "float | None" = None, size: "float | None" = None, across: "int | None" = None, layers: "int | None" = None, refine: "int | None" = None) -> dict:
        """FinRay finger.

        Parameters:
            length: from base to tip, m (default 0.1)
            width: along z, m (default 0.02)
            base_depth: depth at the base, m (default 0.04)
            tip_depth: depth at the tip, m (default 0.0056)
            wall: thickness of the front wall, and of the back wall unless that is given, m (default 0.0028)
            back_wall: thickness of the back wall; 0: that of the front wall, m (default 0)
            rib: thickness of the ribs, m (default 0.0018)
            neck: thickness of a rib at its ends, m (default 0.0008)
            neck_length: length over which a rib narrows to its neck, m (default 0.001)
            base_block: length of the solid base, m (default 0.008)
            tip_block: length of the solid tip, m (default 0.03)
            ribs: number of ribs (default 6)
            rib_angle: inclination of the ribs towards the tip, rad (default 0.2)
            size: edge length along walls and ribs; 0: 2.6 % of the length, m (default 0)
            across: elements across a wall; 0: 2 (default 0)
            layers: elements over the width; 0: 2 (default 0)
            refine: number of times that all elements are halved (default 0)
        """
        return {"finray": _given(locals())}

class motion:
    """Function of time, which a drive or a prescribed motion follows."""

    @staticmethod
    def delayed(*, delayed: "float", motion: "float | Mapping[str, Any]") -> dict:
        """Another motion, later: what a drive is commanded over a bus, or through a controller that takes time.

        Parameters:
            delayed: time by which it is later, s (required)
            motion: what is delayed (required)
        """
        return _given(locals())

    @staticmethod
    def live(*, name: "str", value: "float | None" = None, min: "float | None" = None, max: "float | None" = None, rate: "float | None" = None) -> dict:
        """A value that an operator changes while the scene runs, within bounds: a slider of curlfree live.

        Parameters:
            name: name of the slider (required)
            value: value at the start (default 0)
            min: least value (default 0)
            max: largest value (default 0)
            rate: bound of the change in a second (default the range from min to max)
        """
        return {"live": _given(locals())}

    @staticmethod
    def sine(*, amplitude: "float | None" = None, frequency: "float | None" = None, phase: "float | None" = None, offset: "float | None" = None, start: "float | None" = None, ramp: "float | None" = None) -> dict:
        """Offset + amplitude sin(2π frequency t + phase), from rest where a ramp is given.

        Parameters:
            amplitude: amplitude (default 0)
            frequency: frequency, Hz (default 0)
            phase: phase, rad (default 0)
            offset: mean value (default 0)
            start: time at which the ramp begins, s (default 0)
            ramp: time within which the amplitude grows from zero; 0: full amplitude at all times, s (default 0)
        """
        return {"sine": _given(locals())}

    @staticmethod
    def times(*, times: "Sequence[float]", values: "Sequence[float]", smooth: "bool | None" = None) -> dict:
        """A table of values over time, with constant values before and after it.

        Parameters:
            times: increasing times, s (required)
            values: value at each of these times (required)
            smooth: minimum jerk from value to value, at rest at each; false: linear (default true)
        """
        return _given(locals())

    @staticmethod
    def value(*, value: "float | None" = None) -> dict:
        """A constant; a bare number means the same.

        Parameters:
            value: value at all times (default 0)
        """
        return _given(locals())

class normal_law:
    """How the normal force of a point contact grows with overlap, or ahead of it."""

    @staticmethod
    def hertz(*, hertz_overlap: "float | None" = None) -> dict:
        """Force of smooth curved elastic bodies, which grows with the power 3/2 of the overlap.

        Parameters:
            hertz_overlap: overlap at which the force is the pair's stiffness times the overlap, m (default 1e-05)
        """
        return {"normal_law": "hertz", **_given(locals())}

    @staticmethod
    def hunt_crossley() -> dict:
        """Linear spring whose damping grows with overlap: f = k δ (1 − d v)."""
        return {"normal_law": "hunt_crossley", **_given(locals())}

    @staticmethod
    def ipc(*, barrier_range: "float | None" = None, barrier_stiffness: "float | None" = None) -> dict:
        """Barrier of incremental potential contact: acts ahead of touch and grows without bound as the gap closes.

        Parameters:
            barrier_range: gap at which the barrier begins to act, m (default 0.001)
            barrier_stiffness: stiffness κ of the barrier; 0: that of the pair, N/m (default 0)
        """
        return {"normal_law": "ipc", **_given(locals())}

    @staticmethod
    def log_barrier(*, barrier_range: "float | None" = None, barrier_stiffness: "float | None" = None) -> dict:
        """Logarithmic barrier: acts ahead of touch and grows with the inverse of the gap.

        Parameters:
            barrier_range: gap at which the barrier begins to act, m (default 0.001)
            barrier_stiffness: stiffness κ of the barrier; 0: that of the pair, N/m (default 0)
        """
        return {"normal_law": "log_barrier", **_given(locals())}

class robot_target:
    """Where the joints of a robot drive go over time."""

    @staticmethod
    def delayed(*, delayed: "float", target: "Mapping[str, Any]") -> dict:
        """Another target, later: commands that reach the joints after a dead time.

        Parameters:
            delayed: time by which it is later, s (required)
            target: what is delayed (required)
        """
        return _given(locals())

    @staticmethod
    def joint_table(*, joint_table: "str") -> dict:
        """Positions of the joints over time from a CSV file, with smooth cubics between its rows.

        Parameters:
            joint_table: CSV file of joint positions, relative to the scene (required)
        """
        return _given(locals())

    @staticmethod
    def pose_table(*, pose_table: "str", link: "str", tool: "Mapping[str, Any] | None" = None, follow: "str | None" = None, posture: "Sequence[float] | None" = None, avoid: "Sequence[str] | None" = None, margin: "float | None" = None) -> dict:
        """Poses of a frame of the robot in the world over time from a CSV file.

        Parameters:
            pose_table: CSV file of poses, relative to the scene (required)
            link: link of the robot that carries the frame (required)
            tool: frame on the link, such as the point between the fingers (default that of the link)
            follow: components of the poses that the frame follows: pose, position, rotation (default pose)
            posture: preferred joint positions where the frame leaves joints free (redundancy), rad or m (default those at the start)
            avoid: rigid bodies from which the robot keeps away, where they are at the start (default none)
            margin: distance that it keeps from them, m (default 0.01)
        """
        return _given(locals())

    @staticmethod
    def poses(*, poses: "Sequence[Mapping[str, Any]]", link: "str", tool: "Mapping[str, Any] | None" = None, follow: "str | None" = None, posture: "Sequence[float] | None" = None, avoid: "Sequence[str] | None" = None, margin: "float | None" = None, timing: "str | None" = None, speed: "float | None" = None, acceleration: "float | None" = None) -> dict:
        """Poses of a frame of the robot one after the other, on straight lines from rest to rest.

        Parameters:
            poses: poses of the frame in the world one after the other (required)
            link: link of the robot that carries the frame (required)
            tool: frame on the link, such as the point between the fingers (default that of the link)
            follow: components of the poses that the frame follows: pose, position, rotation (default pose)
            posture: preferred joint positions where the frame leaves joints free (redundancy), rad or m (default those at the start)
            avoid: rigid bodies from which the robot keeps away, where they are at the start (default none)
            margin: distance that it keeps from them, m (default 0.01)
            timing: velocity profile between waypoints, from rest to rest: minimum_jerk, trapezoidal (default minimum_jerk)
            speed: bound of the speed of the frame, m/s (default 0.25)
            acceleration: bound of the acceleration of the frame, m/s² (default 1)
        """
        return _given(locals())

    @staticmethod
    def sine(*, amplitude: "float | Sequence[float]", frequency: "float", phase: "float | None" = None, ramp: "float | None" = None) -> dict:
        """Each joint swings about its start, from rest where a ramp is given.

        Parameters:
            amplitude: amplitude of all joints, or of each, rad or m (required)
            frequency: frequency, Hz (required)
            phase: phase, rad (default 0)
            ramp: time within which the amplitude grows from zero; 0: full amplitude at all times, s (default 0)
        """
        return {"sine": _given(locals())}

    @staticmethod
    def teleop(*, teleop: "str", tool: "Mapping[str, Any] | None" = None, follow: "str | None" = None, posture: "Sequence[float] | None" = None, avoid: "Sequence[str] | None" = None, margin: "float | None" = None, speed: "float | None" = None, turn_speed: "float | None" = None, acceleration: "float | None" = None, gripper: "Sequence[str] | None" = None, gripper_speed: "float | None" = None) -> dict:
        """An operator moves a frame of the robot while the scene runs: by keys, gamepad or 6-dof mouse in curlfree live.

        Parameters:
            teleop: link of the robot that carries the frame (required)
            tool: frame on the link, such as the point between the fingers (default that of the link)
            follow: components of the poses that the frame follows: pose, position, rotation (default pose)
            posture: preferred joint positions where the frame leaves joints free (redundancy), rad or m (default those at the start)
            avoid: rigid bodies from which the robot keeps away, where they are at the start (default none)
            margin: distance that it keeps from them, m (default 0.01)
            speed: bound of the speed of the frame, m/s (default 0.25)
            turn_speed: bound of the angular speed of the frame, rad/s (default 1)
            acceleration: bound of the acceleration of the frame, m/s² (default 2)
            gripper: joints of the gripper, which open and close together (default none)
            gripper_speed: speed of the joints of the gripper, m/s or rad/s (default 0.05)
        """
        return _given(locals())

    @staticmethod
    def twist_table(*, twist_table: "str", link: "str", tool: "Mapping[str, Any] | None" = None, follow: "str | None" = None, posture: "Sequence[float] | None" = None, avoid: "Sequence[str] | None" = None, margin: "float | None" = None, axes: "str | None" = None, gripper: "Sequence[str] | None" = None) -> dict:
        """Velocities of a frame of the robot over time from a CSV file, as a 6-dof mouse commands them.

        Parameters:
            twist_table: CSV file of twists, relative to the scene (required)
            link: link of the robot that carries the frame (required)
            tool: frame on the link, such as the point between the fingers (default that of the link)
            follow: components of the poses that the frame follows: pose, position, rotation (default pose)
            posture: preferred joint positions where the frame leaves joints free (redundancy), rad or m (default those at the start)
            avoid: rigid bodies from which the robot keeps away, where they are at the start (default none)
            margin: distance that it keeps from them, m (default 0.01)
            axes: axes of the twists: those of the world or of the frame: world, tool (default world)
            gripper: joints that take the positions of the column gripper (default none)
        """
        return _given(locals())

    @staticmethod
    def waypoints(*, waypoints: "Sequence[Mapping[str, Any]]", timing: "str | None" = None) -> dict:
        """Joint positions one after the other, from rest to rest.

        Parameters:
            waypoints: positions of the joints one after the other (required)
            timing: velocity profile between waypoints, from rest to rest: minimum_jerk, trapezoidal (default minimum_jerk)
        """
        return _given(locals())

class shape:
    """Solid that takes part in contact, in a frame of its own."""

    @staticmethod
    def box(*, size: "Sequence[float]") -> dict:
        """Rectangular block centred in its frame, edges along the axes.

        Parameters:
            size: edge lengths along x, y and z, m (required)
        """
        return {"box": _given(locals())}

    @staticmethod
    def capsule(*, radius: "float", length: "float") -> dict:
        """Cylinder along z with a half ball on each end, centred in its frame.

        Parameters:
            radius: radius, m (required)
            length: length of the straight part along z, m (required)
        """
        return {"capsule": _given(locals())}

    @staticmethod
    def convex(*, mesh: "str") -> dict:
        """Convex hull of the vertices of a mesh.

        Parameters:
            mesh: mesh whose hull is taken (required)
        """
        return {"convex": _given(locals())}

    @staticmethod
    def cylinder(*, radius: "float", length: "float") -> dict:
        """Round cylinder along z, centred in its frame.

        Parameters:
            radius: radius, m (required)
            length: length along z, m (required)
        """
        return {"cylinder": _given(locals())}

    @staticmethod
    def ellipsoid(*, semi_axes: "Sequence[float]") -> dict:
        """Ellipsoid centred in its frame, axes along the frame's.

        Parameters:
            semi_axes: semi-axes along x, y and z, m (required)
        """
        return {"ellipsoid": _given(locals())}

    @staticmethod
    def half_space(*, size: "float | None" = None, thickness: "float | None" = None) -> dict:
        """Solid below z = 0 of its frame, without end: ground, walls.

        Parameters:
            size: edge of the square that pictures show, m (default 1)
            thickness: depth at which the pressure field reaches the hydroelastic modulus, m (default 1)
        """
        return {"half_space": _given(locals())}

    @staticmethod
    def mesh(*, mesh: "str") -> dict:
        """Inside of a closed surface of any form: holes, hooks and bowls are kept.

        Parameters:
            mesh: closed surface (required)
        """
        return {"mesh": _given(locals())}

    @staticmethod
    def sphere(*, radius: "float") -> dict:
        """Ball about the origin of its frame.

        Parameters:
            radius: radius, m (required)
        """
        return {"sphere": _given(locals())}

class signal:
    """Number that a run records over time."""

    @staticmethod
    def accelerometer(*, accelerometer: "str", body: "str", point: "Sequence[float] | None" = None) -> dict:
        """Acceleration that an accelerometer on a rigid body measures, mean over the step, in the body's axes.

        Parameters:
            accelerometer: component of the acceleration, in the body's axes: x, y, z, norm (required)
            body: rigid body that it is fixed to (required)
            point: point in the body's frame, m (default the origin)
        """
        return _given(locals())

    @staticmethod
    def angular_momentum(*, angular_momentum: "str", body: "str | None" = None, point: "Sequence[float] | None" = None) -> dict:
        """Angular momentum of a body, or of all that can move.

        Parameters:
            angular_momentum: component of the angular momentum, in the world's axes: x, y, z, norm (required)
            body: rigid or deformable body (default all that can move)
            point: point about which it is taken, in the world, m (default the centre of mass)
        """
        return _given(locals())

    @staticmethod
    def angular_velocity(*, angular_velocity: "str", body: "str") -> dict:
        """Angular velocity of a body, in the world's axes.

        Parameters:
            angular_velocity: component of the angular velocity: x, y, z, norm (required)
            body: rigid or deformable body (required)
        """
        return _given(locals())

    @staticmethod
    def center_of_mass(*, center_of_mass: "str", body: "str | None" = None) -> dict:
        """Centre of mass of a body, or of all that can move.

        Parameters:
            center_of_mass: component of the position, in the world's axes: x, y, z, norm (required)
            body: rigid or deformable body (default all that can move)
        """
        return _given(locals())

    @staticmethod
    def chamber_volume(*, chamber_volume: "str", where: "Mapping[str, Any] | None" = None) -> dict:
        """Volume of the cavities of a deformable, such as the chambers of a soft actuator.

        Parameters:
            chamber_volume: deformable body with cavities (required)
            where: region that contains all vertices of the cavities (default all cavities of the body)
        """
        return _given(locals())

    @staticmethod
    def contact_force(*, contact_force: "str", body: "str", from_: "Sequence[str] | None" = None) -> dict:
        """Force that bodies exert on a body by contact, mean over the step.

        Parameters:
            contact_force: component of the resultant in the world's axes, or the sum of the magnitudes of normal forces or of friction: x, y, z, norm, normal, friction (required)
            body: body on which the force acts (required)
            from_: bodies that exert it (default all)
        """
        return _given(locals())

    @staticmethod
    def contact_moment(*, contact_moment: "str", body: "str", point: "Sequence[float] | None" = None, from_: "Sequence[str] | None" = None) -> dict:
        """Moment of contact forces on a rigid body about a point of it, in the body's axes.

        Parameters:
            contact_moment: component of the moment: x, y, z, norm (required)
            body: rigid body on which the forces act (required)
            point: point about which the moment is taken, in the body's frame, m (default the origin)
            from_: bodies that exert the forces (default all)
        """
        return _given(locals())

    @staticmethod
    def contact_surface(*, contact_surface: "str", body: "str", from_: "Sequence[str] | None" = None) -> dict:
        """Area, pressure, slip or centre of pressure of the contact surfaces of a body.

        Parameters:
            contact_surface: measured quantity: area, count, max_pressure, mean_pressure, slip, max_slip, center_x, center_y, center_z (required)
            body: body with contact surfaces (required)
            from_: bodies on the other side (default all)
        """
        return _given(locals())

    @staticmethod
    def count(*, count: "str") -> dict:
        """Number of contacts of the step.

        Parameters:
            count: counted items: contacts (required)
        """
        return _given(locals())

    @staticmethod
    def drive_effort(*, drive_effort: "str") -> dict:
        """Force or torque of the controller of a joint, mean over the step.

        Parameters:
            drive_effort: drive of a joint (required)
        """
        return _given(locals())

    @staticmethod
    def energy(*, energy: "str") -> dict:
        """Energy of all bodies.

        Parameters:
            energy: which energy: kinetic, potential, elastic, total (required)
        """
        return _given(locals())

    @staticmethod
    def gyro(*, gyro: "str", body: "str") -> dict:
        """Angular velocity that a gyroscope on a body measures, in the body's axes.

        Parameters:
            gyro: component of the angular velocity, in the body's axes: x, y, z, norm (required)
            body: rigid or deformable body (required)
        """
        return _given(locals())

    @staticmethod
    def joint_state(*, joint_state: "str", joint: "str") -> dict:
        """Position or velocity of a joint with one degree of freedom.

        Parameters:
            joint_state: measured quantity: position, velocity (required)
            joint: joint with one degree of freedom (required)
        """
        return _given(locals())

    @staticmethod
    def joint_wrench(*, joint_wrench: "str", body: "str", point: "Sequence[float] | None" = None) -> dict:
        """Force or moment that the joint of a rigid body transmits to it, mean over the step, in the body's axes.

        Parameters:
            joint_wrench: component of the force or of the moment, in the body's axes: force_x, force_y, force_z, force_norm, moment_x, moment_y, moment_z, moment_norm (required)
            body: rigid body beyond the joint (required)
            point: point about which moments are taken, in the body's frame, m (default the joint)
        """
        return _given(locals())

    @staticmethod
    def measured(*, measured: "str", bias: "float | None" = None, deviation: "float | None" = None, walk: "float | None" = None, quantum: "float | None" = None, lower: "float | None" = None, upper: "float | None" = None, seed: "int | None" = None) -> dict:
        """Another signal as a sensor measures it: bias, noise, drift, resolution and range.

        Parameters:
            measured: signal that is measured (required)
            bias: constant error, in the unit of the signal (default 0)
            deviation: standard deviation of the noise of a step, in the unit of the signal (default 0)
            walk: standard deviation of the random walk after 1 s, in the unit of the signal; it grows with the root of time (default 0)
            quantum: resolution, in the unit of the signal (default none)
            lower: least value that it shows (default none)
            upper: largest value that it shows (default none)
            seed: chooses other random numbers (default 0)
        """
        return _given(locals())

    @staticmethod
    def momentum(*, momentum: "str", body: "str | None" = None) -> dict:
        """Linear momentum of a body, or of all.

        Parameters:
            momentum: component of the momentum, in the world's axes: x, y, z, norm (required)
            body: rigid or deformable body (default all)
        """
        return _given(locals())

    @staticmethod
    def nearest(*, nearest: "str", body: "str", from_: "Sequence[str]") -> dict:
        """Gap, place or relative velocity where a rigid body is nearest to others.

        Parameters:
            nearest: measured quantity: gap, x, y, z, slip, slip_x, slip_y, slip_z, normal_velocity (required)
            body: rigid body (required)
            from_: rigid bodies to which it is nearest (required)
        """
        return _given(locals())

    @staticmethod
    def penetration(*, penetration: "str") -> dict:
        """Deepest overlap of two bodies at the start of the step.

        Parameters:
            penetration: largest of all: max (required)
        """
        return _given(locals())

    @staticmethod
    def position(*, position: "str", body: "str", point: "Sequence[float] | None" = None, relative_to: "str | None" = None) -> dict:
        """Position of a point of a body.

        Parameters:
            position: component of the position: x, y, z, norm (required)
            body: rigid or deformable body (required)
            point: point in the body's frame; of a deformable in the frame of its mesh, where it selects the nearest vertex, m (default the origin of a rigid body)
            relative_to: rigid body from which it is seen, and in whose axes it is given (default world)
        """
        return _given(locals())

    @staticmethod
    def reaction(*, reaction: "str", body: "str", at: "str | None" = None, where: "Mapping[str, Any] | None" = None) -> dict:
        """Force on a deformable where it is attached, mean over the step.

        Parameters:
            reaction: component of the force, in the world's axes: x, y, z, norm (required)
            body: deformable body (required)
            at: body that holds it, or world (default all that hold it)
            where: region of the attached vertices (default all of them)
        """
        return _given(locals())

    @staticmethod
    def reaction_moment(*, reaction_moment: "str", body: "str", at: "str | None" = None, where: "Mapping[str, Any] | None" = None, point: "Sequence[float] | None" = None) -> dict:
        """Moment of the forces on a deformable where it is attached, in the world's axes.

        Parameters:
            reaction_moment: component of the moment, in the world's axes: x, y, z, norm (required)
            body: deformable body (required)
            at: body that holds it, or world (default all that hold it)
            where: region of the attached vertices (default all of them)
            point: point about which the moment is taken, in the frame of at or of the world, m (default the origin)
        """
        return _given(locals())

    @staticmethod
    def rotation(*, rotation: "str", body: "str", relative_to: "str | None" = None) -> dict:
        """Rotation of a body against a rigid one, as a rotation vector.

        Parameters:
            rotation: component of the rotation vector, or its length, the angle: x, y, z, norm, angle (required)
            body: rigid or deformable body (required)
            relative_to: rigid body from which it is seen, and in whose axes it is given (default world)
        """
        return _given(locals())

    @staticmethod
    def speed(*, speed: "str") -> dict:
        """Largest speed of any rigid body's origin or deformable's vertex.

        Parameters:
            speed: largest of all: max (required)
        """
        return _given(locals())

    @staticmethod
    def velocity(*, velocity: "str", body: "str", point: "Sequence[float] | None" = None, relative_to: "str | None" = None) -> dict:
        """Velocity of a point of a body.

        Parameters:
            velocity: component of the velocity: x, y, z, norm (required)
            body: rigid or deformable body (required)
            point: point in the body's frame; of a deformable in the frame of its mesh, where it selects the nearest vertex, m (default the origin of a rigid body)
            relative_to: rigid body from which it is seen, and in whose axes it is given (default world)
        """
        return _given(locals())

    @staticmethod
    def von_mises(*, von_mises: "str") -> dict:
        """Largest von Mises stress of a deformable.

        Parameters:
            von_mises: deformable body (required)
        """
        return _given(locals())


class Sections:
    """Sections of a scene. What is not given has the default of scene files."""

    def __init__(self):
        self._scene = {}

    def _merge(self, section, parts, arguments):
        at = self._scene.setdefault(section, {})
        for part in parts:
            at.update(part)
        at.update(arguments)
        return self

    def _item(self, section, name, parts, arguments):
        at = self._scene.setdefault(section, {})
        if name in at:
            raise ValueError(f"{section}.{name} is there already")
        item = {}
        for part in parts:
            item.update(part)
        item.update(arguments)
        at[name] = item
        return self

    def title(self, value: str):
        """Title of pictures and reports."""
        self._scene["title"] = value
        return self

    def time(self, *of_kind: Mapping[str, Any], step: "float | None" = None, duration: "float | None" = None, accuracy: "float | None" = None, max_step: "float | None" = None, min_step: "float | None" = None, rule: "str | None" = None, numerical_damping: "float | None" = None, equilibrium: "bool | None" = None):
        """Step and duration of the run.

        Parameters:
            step: time step h; without it steps control their error, see accuracy, s (default –)
            duration: simulated time, s (default –)
            accuracy: in place of step: bound of the error that one step adds to positions, over the size of each body; steps get as long as it allows. It bounds the error of one step, not that of the run (default 1e-3 where there is no step)
            max_step: longest step with accuracy, and the period of controllers and of rows of tables, s (default the period of frames, in parts of at most 0.01 s)
            min_step: shortest step with accuracy; steps of this length with a larger error are counted, s (default 1e-6 s)
            rule: rule of integration in time: euler: symplectic Euler, of first order, which damps elastic vibrations by about ½ ω h of critical; midpoint: damped midpoint rule, of second order, which damps them by numerical_damping alone: euler, midpoint (default euler; with accuracy midpoint, unless a deformable has a nonlinear law)
            numerical_damping: damping of the midpoint rule: ζ = ½ e (ω h)³ at the frequency ω; larger values damp fast vibrations more and lower the order at large steps; 0 leaves them undamped (default 0.05)
            equilibrium: each step ends at rest under the loads, targets and motions of that time, without inertia; duration is then 1 s unless given, and step the duration (default false)
        """
        given = _given(locals())
        return self._merge("time", given.pop("of_kind"), given)

    def gravity(self, value: Sequence[float]):
        """Acceleration of gravity in world axes."""
        self._scene["gravity"] = value
        return self

    def solver(self, *of_kind: Mapping[str, Any], friction_lag: "str | None" = None, tolerance: "float | None" = None, max_iterations: "int | None" = None, max_tree_dofs: "int | None" = None, allow_unconverged: "bool | None" = None, threads: "int | None" = None, speculative_margin: "float | None" = None, condition_number: "bool | None" = None, hydroelastic_margin: "float | None" = None, contact: "str | None" = None, normal_law: "str | None" = None):
        """Contact law, tolerances, threads.

        Parameters:
            friction_lag: normal impulse that bounds lagged friction: auto: that of this step within 2 % of each contact, by solving again where it differs; geometry: of the geometry at the start of the step; previous: of the previous step for contacts that carried force then (not of contact surfaces, whose faces change every step); sweep: that of this step, by solving again until both agree: auto, geometry, previous, sweep (default auto)
            tolerance: relative tolerance of Newton's method (default 1e-05)
            max_iterations: largest number of Newton iterations of a solve, without those of continuation; a step may solve several times (default 100)
            max_tree_dofs: largest number of degrees of freedom of one tree of bodies that joints connect (default 2000)
            allow_unconverged: continue after a step that did not converge, instead of exit code 4 (default false)
            threads: worker threads, 0: all cores; results do not depend on it (default 0)
            speculative_margin: contacts up to this gap are always considered, m (default h² g, at least 0.05 % of the smallest body)
            condition_number: add the condition number of D H D, D = diag(A)^−½, at the end of each step's solve to steps.csv (default false)
            hydroelastic_margin: width of the layer outside of shapes in which pressure fields act ahead of contact; around convex shapes at least 2 h² g, at most 5 % of their least extent, so that they come to rest, m (default max(0.2 % of the smallest shape, 2 h² g), at most 5 % of a shape's least extent)
            contact: How friction and normal force of a contact depend on its velocity in a step: lagged, lagged_regularized, sap, similar, similar_regularized (default lagged)
            normal_law: How the normal force of a point contact grows with overlap, or ahead of it: hertz, hunt_crossley, ipc, log_barrier (default hunt_crossley)
        """
        given = _given(locals())
        return self._merge("solver", given.pop("of_kind"), given)

    def material(self, name_of: str, /, *of_kind: Mapping[str, Any], stiffness: "float | None" = None, dissipation: "float | None" = None, relaxation_time: "float | None" = None, restitution: "float | None" = None, hydroelastic_modulus: "float | None" = None, pressure_gradient: "float | None" = None, friction: "float | Mapping[str, Any] | None" = None, friction_direction: "Sequence[float] | None" = None, friction_transverse: "float | None" = None, surface_velocity: "Sequence[float] | None" = None, density: "float | None" = None, youngs_modulus: "float | None" = None, poissons_ratio: "float | None" = None, mass_damping: "float | None" = None, stiffness_damping: "float | None" = None, color: "str | None" = None, constitutive_law: "str | None" = None, elastomer: "str | None" = None):
        """Materials by name; default serves what names no other, and gives others what they leave out.

        Parameters:
            stiffness: stiffness of a point contact, N/m (default 1e6)
            dissipation: Hunt–Crossley dissipation d: the rebound speed is at most 1/d, s/m (default 50)
            relaxation_time: Kelvin–Voigt relaxation time τ, read by the contact law sap, s (default 0.1)
            restitution: speed of rebound over that of approach of rigid bodies at point contacts, above a speed of 4 times gravity times the step; the larger one of two surfaces applies (default what dissipation leaves)
            hydroelastic_modulus: pressure at the innermost points of rigid bodies of this material, which then touch by pressure fields and press on deformables with them, in series with their pressure_gradient; without one in the scene rigid bodies touch at points, Pa (default none: rigid)
            pressure_gradient: contact pressure on a deformable's surface per depth, Pa/m (default 1e8, or three times Young's modulus over the mean length of the surface's edges where that is more)
            friction: coefficient of friction, or static and dynamic ones: it falls from one to the other at a slip of about ten sliding tolerances (default 0.5)
            friction_direction: orthotropic friction: direction in the body's axes along which friction holds
            friction_transverse: orthotropic friction: dynamic coefficient across friction_direction
            surface_velocity: velocity of the surface relative to its body, in the body's axes, as of a conveyor belt, m/s (default [0, 0, 0])
            density: mass per volume, kg/m³ (default 1000)
            youngs_modulus: Young's modulus of deformables, Pa (default 1e6)
            poissons_ratio: Poisson's ratio of deformables, between -1 and 0.5 (default 0.4)
            mass_damping: Rayleigh damping α, proportional to mass, 1/s (default 0)
            stiffness_damping: Rayleigh damping ζ, proportional to stiffness, s (default 0)
            color: colour "#rrggbb" (default chosen)
            constitutive_law: How the stress of a deformable depends on its deformation: arruda_boyce, corotational, linear, mooney_rivlin, neo_hookean, ogden, yeoh
            elastomer: Rubber with a law that was fitted to a pull test: bodydouble_silk, dragon_skin_10_medium, dragon_skin_20, dragon_skin_30, dragon_skin_fx_pro, dragon_skin_fx_pro_slacker, ecoflex_00_10, ecoflex_00_30, ecoflex_00_35_fast, ecoflex_00_50, mold_star_16_fast, mold_star_20t, platsil_gel_10, psycho_paint, rebound_25, rtv615, soloplast_150318, sortaclear_40, wagnersil_20_nf
        """
        given = _given(locals())
        return self._item("materials", given.pop("name_of"), given.pop("of_kind"), given)

    def pair(self, *, materials: "Sequence[str] | None" = None, stiffness: "float | None" = None, pressure_gradient: "float | None" = None, dissipation: "float | None" = None, relaxation_time: "float | None" = None, restitution: "float | None" = None, friction: "float | Mapping[str, Any] | None" = None):
        """Effective contact parameters of pairs of materials, in place of the combination rules.

        Parameters:
            materials: the two materials
            stiffness: effective stiffness of a point contact, N/m
            pressure_gradient: effective contact pressure per depth, Pa/m
            dissipation: effective Hunt–Crossley dissipation, s/m
            relaxation_time: effective relaxation time, s
            restitution: effective coefficient of restitution of point contacts
            friction: effective coefficient of friction
        """
        self._scene.setdefault("pairs", []).append(_given(locals()))
        return self

    def mesh(self, name_of: str, /, *of_kind: Mapping[str, Any], file: "str | None" = None, unit: "str | None" = None, scale: "Sequence[float] | None" = None, method: "str | None" = None, size: "float | None" = None, vertices: "int | None" = None, layers: "int | None" = None, wall_cells: "int | None" = None, allow_loss: "bool | None" = None, max_vertices: "int | None" = None, box: "Mapping[str, Any] | None" = None, part: "Mapping[str, Any] | None" = None):
        """Surface and volume meshes by name.

        Parameters:
            file: mesh file; one of file, box and part
            unit: unit of lengths in the file: m, cm, mm, in (default m)
            scale: factors along the axes (default [1, 1, 1])
            method: method of filling a surface with tetrahedra: auto, stuffing or extrude (default auto)
            size: target edge length of tetrahedra, m (default 0)
            vertices: number of vertices, in place of size; those that elements add count, too; met within 20 % or refused (default 0)
            layers: layers of an extruded part (default 0)
            wall_cells: least number of cells across thin walls of a stuffed part; 0: 2, negative: cells of one size (default 0)
            allow_loss: accept tetrahedra with other pieces or handles than the surface, or a volume off by more than 3 % (default false)
            max_vertices: largest number of vertices of the tetrahedra of a surface or box (default 200,000)
            box: a box of regular tetrahedra, centred at the origin
            part: a generated machine part: its kind, with its parameters
        """
        given = _given(locals())
        return self._item("meshes", given.pop("name_of"), given.pop("of_kind"), given)

    def body(self, name_of: str, /, *of_kind: Mapping[str, Any], fixed: "bool | None" = None, mass: "float | None" = None, com: "Sequence[float] | None" = None, inertia: "Mapping[str, Any] | None" = None, weight_compensation: "float | None" = None, pose: "Mapping[str, Any] | None" = None, velocity: "Sequence[float] | None" = None, angular_velocity: "Sequence[float] | None" = None, shapes: "Sequence[Mapping[str, Any]] | None" = None, joint: "Mapping[str, Any] | None" = None, no_contact: "Sequence[str] | None" = None, color: "str | None" = None):
        """Rigid bodies by name.

        Parameters:
            fixed: the body never moves (default false)
            mass: mass, kg (default from the shapes and the density of their materials)
            com: centre of mass in the body's frame, m (default of the shapes)
            inertia: inertia about the centre of mass, in body axes, kg m² (default of the shapes)
            weight_compensation: share of the weight that is carried: 1 for all of it, beyond 1 the body is driven up (default 0)
            pose: pose in the world, with a joint that at joint position 0
            velocity: initial velocity of a free body, m/s (default [0, 0, 0])
            angular_velocity: initial angular velocity of a free body, rad/s (default [0, 0, 0])
            shapes: shapes of the body
            joint: joint that connects the body to its parent (default free)
            no_contact: bodies that it never touches, besides those to which a joint connects it and those welded to the same link
            color: colour "#rrggbb" (default that of the material)
        """
        given = _given(locals())
        return self._item("bodies", given.pop("name_of"), given.pop("of_kind"), given)

    def table(self, name_of: str, /, *of_kind: Mapping[str, Any], file: "str | None" = None, name: "str | None" = None, kind: "str | None" = None, kinds: "Mapping[str, Any] | None" = None, ignore: "Sequence[str] | None" = None):
        """CSV files with a rigid body in each row.

        Parameters:
            file: CSV
            name: names of the bodies: {row} stands for the row's number from 1, {COLUMN} for its cell
            kind: column that names the kind, default "kind"; with a single kind none is needed
            kinds: templates of the bodies by name
            ignore: columns that say nothing about the body
        """
        given = _given(locals())
        return self._item("tables", given.pop("name_of"), given.pop("of_kind"), given)

    def robot(self, name_of: str, /, *of_kind: Mapping[str, Any], file: "str | None" = None, pose: "Mapping[str, Any] | None" = None, floating: "bool | None" = None, joints: "Mapping[str, Any] | None" = None, keyframe: "str | None" = None, controls: "float | Mapping[str, Any] | None" = None, actuators: "bool | None" = None, material: "str | None" = None, packages: "Mapping[str, Any] | None" = None, strict: "bool | None" = None, missing_meshes: "str | None" = None, model: "str | None" = None, self_contact: "bool | None" = None, visuals: "bool | None" = None):
        """Articulated models from robot files; their links are bodies called NAME.LINK, their joints NAME.JOINT.

        Parameters:
            file: robot file
            pose: pose of the file's own frame: the root link of a URDF, the world of SDFormat and MJCF files
            floating: whether the base is free (default as the file says, else fixed)
            joints: initial positions of joints, m or rad
            keyframe: keyframe of an MJCF file at which the robot starts, by name, else by number (default the file's reference positions)
            controls: controls of actuators of an MJCF file over time, by the name of the actuator, in the unit that it reads (default those of the keyframe, else 0)
            actuators: whether actuators of an MJCF file act; those of joints that drives of the scene move never do (default true)
            material: material of collision shapes that name none (default default)
            packages: folder of each package:// name
            strict: refuse a file that has to be repaired, or acts by what is left out here, such as spatial tendons, with an error for each place (default false)
            missing_meshes: error, or skip: leave out collision meshes whose file is missing, with a warning (default error)
            model: which model of an SDFormat file with several (default the first)
            self_contact: whether links of the robot touch each other (default only those of bodies that move freely beside each other)
            visuals: whether pictures show the visual meshes (default true)
        """
        given = _given(locals())
        return self._item("robots", given.pop("name_of"), given.pop("of_kind"), given)

    def deformable(self, name_of: str, /, *of_kind: Mapping[str, Any], mesh: "str | None" = None, material: "str | None" = None, frame: "str | None" = None, pose: "Mapping[str, Any] | None" = None, velocity: "Sequence[float] | None" = None, angular_velocity: "Sequence[float] | None" = None, attach: "Sequence[Mapping[str, Any]] | None" = None, color: "str | None" = None, no_contact: "Sequence[str] | None" = None, self_contact: "bool | None" = None, elements: "str | None" = None):
        """Deformable bodies by name.

        Parameters:
            mesh: volume mesh, or closed surface, which becomes tetrahedra
            material: material (default default)
            frame: body from which pose is measured at the start (default world)
            pose: pose of the mesh's frame
            velocity: initial velocity, m/s (default [0, 0, 0])
            angular_velocity: initial angular velocity, about the centre of mass, rad/s (default [0, 0, 0])
            attach: regions that are fixed to bodies
            color: colour "#rrggbb" (default that of the material)
            no_contact: bodies that it never touches, besides those to which it is attached
            self_contact: parts of the body touch each other, as ribs, jaws and folds do; a pressure_gradient that the material states should be at least Young's modulus over the length of an element (default false)
            elements: How the strain inside of a deformable follows from the positions of its vertices: auto, hex12, tet10, tet4 (default auto)
        """
        given = _given(locals())
        return self._item("deformables", given.pop("name_of"), given.pop("of_kind"), given)

    def constraint(self, name_of: str, /, *of_kind: Mapping[str, Any]):
        """Constraints between bodies or joints by name."""
        given = _given(locals())
        return self._item("constraints", given.pop("name_of"), given.pop("of_kind"), given)

    def drive(self, name_of: str, /, *of_kind: Mapping[str, Any]):
        """Controllers of joints and prescribed motions of bodies by name."""
        given = _given(locals())
        return self._item("drives", given.pop("name_of"), given.pop("of_kind"), given)

    def load(self, name_of: str, /, *of_kind: Mapping[str, Any]):
        """Forces, pressures and moments on bodies by name."""
        given = _given(locals())
        return self._item("loads", given.pop("name_of"), given.pop("of_kind"), given)

    def signal(self, name_of: str, /, *of_kind: Mapping[str, Any], since: "float | None" = None, scale: "float | None" = None):
        """Numbers to record at every step, columns of signals.csv.

        Parameters:
            since: subtract the value at this time; 0 before, s
            scale: factor, for other units (default 1)
        """
        given = _given(locals())
        return self._item("signals", given.pop("name_of"), given.pop("of_kind"), given)

    def output(self, *of_kind: Mapping[str, Any], rate: "float | None" = None, table_rate: "float | None" = None, checkpoint: "float | None" = None):
        """Rates of recordings and tables.

        Parameters:
            rate: recorded frames per second, 1/s (default 50)
            table_rate: rows of signals.csv and steps.csv per second; expectations and statistics read only those, 1/s (default every step)
            checkpoint: simulated time between checkpoints, s (default every 30 s of wall time)
        """
        given = _given(locals())
        return self._merge("output", given.pop("of_kind"), given)

    def render(self, *of_kind: Mapping[str, Any], size: "Sequence[float] | None" = None, camera: "Sequence[float] | None" = None, target: "Sequence[float] | None" = None, up: "Sequence[float] | None" = None, fov_deg: "float | None" = None, field: "str | None" = None, field_max: "float | None" = None, forces: "bool | None" = None, contact_surfaces: "bool | None" = None, cut: "Mapping[str, Any] | None" = None, rate: "float | None" = None, slow: "float | None" = None, picture_time: "float | None" = None, background: "str | None" = None):
        """Settings of pictures and films.

        Parameters:
            size: width and height of pictures, pixels (default [1280, 960])
            camera: position of the camera, m (default chosen to show all bodies)
            target: point at the centre of the picture, m (default centre of the bodies)
            up: direction that points up in pictures (default against gravity)
            fov_deg: vertical field of view, ° (default 30)
            field: field shown by colours: von_mises, displacement, deformation, contact_pressure, slip or none
            field_max: value at the upper end of the colour scale, in the field's unit (default largest value)
            forces: draw arrows of contact forces, on the body that forces move and from the contact on (default chosen)
            contact_surfaces: draw the faces of hydroelastic contact surfaces (default where field is contact_pressure)
            cut: show bodies cut open (default bodies are whole)
            rate: frames per second of films, 1/s (default 25)
            slow: seconds of a film for one second of the run (default 1)
            picture_time: time that the run's picture shows, s (default the end)
            background: colour "#rrggbb" behind all bodies (default a light gradient)
        """
        given = _given(locals())
        return self._merge("render", given.pop("of_kind"), given)

    def expect(self, name_of: str, /, *of_kind: Mapping[str, Any], signal: "str | None" = None, run: "str | None" = None, stat: "str | None" = None, over: "Sequence[float] | None" = None, min: "float | None" = None, max: "float | None" = None, value: "float | None" = None, within: "float | None" = None):
        """Checks at the end of every run; exit code 1 when one fails.

        Parameters:
            signal: signal that is checked; one of signal and run
            run: number of run.json that is checked, such as unconverged_steps or contacts.mean
            stat: statistic of the signal: last, first, min, max, abs_max, mean, median, p95, rms, std, range, relative_std (default last)
            over: time from and to which the statistic is taken, s (default the whole run)
            min: least value, in the signal's unit
            max: largest value, in the signal's unit
            value: expected value, with within
            within: largest difference from value
        """
        given = _given(locals())
        return self._item("expect", given.pop("name_of"), given.pop("of_kind"), given)
