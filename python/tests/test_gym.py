"""The rules of Gymnasium, which are repeated here since it may not be installed."""

import unittest

import numpy as np

import curlfree
from curlfree import _gym
from curlfree._expression import Expression

from .scenes import pad

RANDOM = {"bodies.ball.pose.xyz.2": {"uniform": [0.2, 0.3]}, "materials.foam.youngs_modulus": {"log_uniform": [1e4, 1e6]}}


def vector(n=3, **options):
    options = {"actions": {"turn": (-1.0, 1.0)}, "reward": "q - 0.1*abs(height)", "substeps": 2, "max_steps": 4, **options}
    return curlfree.VectorEnv(pad(), n, **options)


def env(**options):
    options = {"actions": {"turn": (-1.0, 1.0)}, "reward": "q", "substeps": 2, "max_steps": 4, **options}
    return curlfree.Env(pad(), **options)


class OneState(unittest.TestCase):
    def test_rules(self):
        e = env(randomize=RANDOM, render_mode="rgb_array", picture={"size": (64, 48)})
        observation, info = e.reset(seed=3)
        self.assertIsInstance(info, dict)
        self.assertTrue(e.observation_space.contains(observation))
        self.assertEqual(observation.dtype, e.observation_space.dtype)
        again, _ = e.reset(seed=3)
        np.testing.assert_array_equal(observation, again)
        other, _ = e.reset()
        self.assertFalse(np.array_equal(observation, other))
        self.assertFalse(np.array_equal(observation, e.reset(seed=4)[0]))
        e.action_space.seed(1)
        for k in range(4):
            action = e.action_space.sample()
            self.assertTrue(e.action_space.contains(action))
            observation, reward, terminated, truncated, info = e.step(action)
            self.assertTrue(e.observation_space.contains(observation))
            self.assertEqual([type(x) for x in (reward, terminated, truncated, info)], [float, bool, bool, dict])
            self.assertEqual((terminated, truncated), (False, k == 3))
        with self.assertRaises(curlfree.RequestError):
            e.step(action)  # the episode has ended
        e.reset()
        self.assertEqual(e.render().shape, (48, 64, 3))
        self.assertEqual(e.unwrapped, e)
        e.close()

    def test_observations_do_not_change_later(self):
        e = env()
        first, _ = e.reset(seed=1)
        kept = first.copy()
        e.step([1.0])
        np.testing.assert_array_equal(first, kept)

    def test_ends_of_episodes(self):
        e = env(terminated="height < 0.19", max_steps=100)
        e.reset()
        for _ in range(50):
            o, _, terminated, truncated, _ = e.step([0.0])
            if terminated:
                break
        self.assertTrue(terminated and not truncated)
        self.assertLess(o[0], 0.19)


class ManyStates(unittest.TestCase):
    def test_rules(self):
        v = vector(randomize=RANDOM)
        self.assertEqual(v.num_envs, 3)
        self.assertEqual(v.action_space.shape, (3, 1))
        self.assertEqual(v.observation_space.shape, (3, 3))
        first, infos = v.reset(seed=10)
        self.assertTrue(v.observation_space.contains(first))
        np.testing.assert_array_equal(first, v.reset(seed=10)[0])
        np.testing.assert_array_equal(first, v.reset(seed=[10, 11, 12])[0])
        self.assertFalse(np.array_equal(first, v.reset(seed=11)[0]))
        np.testing.assert_array_equal(v.reset(seed=11)[0][0], first[1])  # state i has the seed of state 0 of another
        v.reset(seed=10)
        for k in range(4):
            o, r, terminated, truncated, infos = v.step(np.full((3, 1), 0.5))
            self.assertEqual([x.dtype.kind for x in (o, r, terminated, truncated)], list("ffbb"))
            self.assertEqual([x.shape for x in (o, r, terminated, truncated)], [(3, 3), (3,), (3,), (3,)])
        self.assertTrue(truncated.all() and not terminated.any())
        # the next step begins other episodes, and ignores its action
        o, r, terminated, truncated, infos = v.step(np.full((3, 1), 0.5))
        self.assertFalse(truncated.any() or terminated.any() or r.any())
        np.testing.assert_array_equal(o[:, 2], 0)
        self.assertFalse(np.array_equal(o, first))
        v.step(np.full((3, 1), 0.5))
        v.close()
        v.close()

    def test_states_are_those_of_one(self):
        v, e = vector(n=4, randomize=RANDOM), env(randomize=RANDOM)
        o, _ = v.reset(seed=5)
        actions = np.random.default_rng(1).uniform(-1, 1, (3, 4, 1))
        many = [v.step(a)[0] for a in actions]
        for i in range(4):
            one, _ = e.reset(seed=5 + i)
            np.testing.assert_array_equal(one, o[i])
            for k in range(3):
                np.testing.assert_array_equal(e.step(actions[k, i])[0], many[k][i])

    def test_episodes_end_one_by_one(self):
        v = vector(randomize={"bodies.ball.pose.xyz.2": {"uniform": [0.16, 0.4]}}, terminated="height < 0.15", max_steps=40)
        v.reset(seed=0)
        ended = np.zeros(3, int)
        for _ in range(30):
            before = v._done.copy()
            o, r, terminated, truncated, _ = v.step(np.zeros((3, 1)))
            self.assertFalse((before & (terminated | truncated)).any())
            self.assertTrue((o[before, 0] > 0.15).all())
            ended += terminated
        self.assertTrue(ended.all())

    def test_faults(self):
        v = vector()
        with self.assertRaises(curlfree.RequestError):
            v.step(np.zeros((3, 1)))  # before reset
        v.reset()
        for wrong, want in ((np.zeros((3, 2)), "shape"), (np.full((3, 1), np.nan), "finite"), ("x", "numbers")):
            with self.assertRaises(curlfree.RequestError) as e:
                v.step(wrong)
            self.assertIn(want, str(e.exception))
        v.step(np.zeros((3, 1)))
        for options, want in (
            ({"observations": ["hight"]}, "height"),
            ({"actions": {"trun": (-1, 1)}}, "turn"),
            ({"actions": {"turn": (1, -1)}}, "upper bound"),
            ({"actions": {"turn": {"as": "control"}}}, "control"),
            ({"reward": "hight"}, "height"),
            ({"reward": "__import__('os')"}, "no function"),
            ({"reward": "height.real"}, "no arithmetic"),
            ({"randomize": {"bodies.bal.mass": {"uniform": [1, 2]}}}, "bodies.bal.mass"),
        ):
            with self.assertRaises(curlfree.Error) as e:
                vector(**options)
            self.assertIn(want, str(e.exception))

    def test_a_failing_state_is_truncated_alone(self):
        # the foam of some states is too soft for steps of this length to carry a ball of lead
        v = vector(n=2, reward=lambda values: values["height"])
        v.reset()
        v._task.rollouts._server.call("vector_reset", vector=v._task.rollouts._number)
        o, r, *_ = v.step(np.zeros((2, 1)))
        np.testing.assert_array_equal(r, o[:, 0])

    def test_gymnasium_itself(self):
        if _gym.gymnasium is None:
            self.skipTest("gymnasium is not installed")
        from gymnasium.utils.env_checker import check_env

        check_env(env(randomize=RANDOM, render_mode="rgb_array", picture={"size": (64, 48)}), skip_render_check=True)


class Expressions(unittest.TestCase):
    def test_values(self):
        x = {"a": np.array([1.0, 2.0]), "b": np.array([3.0, -1.0])}
        for text, want in (
            ("a + 2*b", [7, 0]), ("min(a, b, 1.5)", [1, -1]), ("a if b > 0 else -a", [1, -2]), ("0 < b < 4 and not a > 1", [1, 0]),
            ("a^2 - abs(b)", [-2, 3]), ("sqrt(a*a)", [1, 2]), ("3", 3),
        ):
            np.testing.assert_allclose(Expression(text, x)(x), want)


if __name__ == "__main__":
    unittest.main()
