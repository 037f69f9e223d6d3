"""Sessions, states, errors and the end of processes."""

import os
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import numpy as np

import curlfree
from curlfree import _server

from .scenes import pad


class Sessions(unittest.TestCase):
    def test_a_session_is_a_run(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "scene.yaml")
            pad().save(path)
            subprocess.run([_server.find_binary(), "run", path, "-o", os.path.join(folder, "run"), "--no-picture"], check=True, capture_output=True)
            run = curlfree.read(os.path.join(folder, "run"))
            sim = curlfree.load(path)
            with sim.record(os.path.join(folder, "mine")) as recording:
                while sim.time < sim.duration - 1e-9:
                    sim.step()
            self.assertEqual(sim.hash(), run.summary["state_hash"])
            self.assertEqual(recording.summary["state_hash"], run.summary["state_hash"])
            mine = curlfree.read(recording.directory)
            for name in run.signals:
                np.testing.assert_array_equal(mine.signals[name], run.signals[name])
            self.assertAlmostEqual(sim.signals["height"], run.signals["height"][-1], 5)
            frames = run.recording.vertices("pad")
            self.assertEqual(frames.shape, (len(run.recording.times), sim.deformables["pad"], 3))
            np.testing.assert_allclose(frames[-1], sim.vertices("pad"), atol=1e-6)
            np.testing.assert_allclose(run.recording.poses("ball")[-1], sim.poses["ball"], atol=1e-6)
            self.assertEqual(len(run.steps), sim.steps)
            rest, tets, triangles = run.recording.mesh("pad")
            self.assertEqual((rest.shape[1], tets.shape[1], triangles.shape[1]), (3, 4, 3))

    def test_states_come_back_with_their_bits(self):
        sim = pad().load()
        sim.drives["turn"].target = 0.4
        sim.step(12)
        state = pickle.loads(pickle.dumps(sim.state))
        sim.step(8)
        end = sim.hash()
        for other in (sim, pad().load()):
            other.state = state
            self.assertEqual((other.time, other.steps), (state.time, state.steps))
            other.step(8)
            self.assertEqual(other.hash(), end)
        q = state.q.copy()
        with self.assertRaises(ValueError):
            state.q[0] = 1.0
        q[-1] += 1e-3
        sim.state = state.replace(q=q)
        np.testing.assert_array_equal(sim.state.q, q)
        with self.assertRaises(curlfree.RequestError):
            state.replace(q=q[:-1])

    def test_values_of_the_state(self):
        sim = pad().load(set={"bodies.ball.pose.xyz.2": 0.155})
        sim.advance(0.1)
        self.assertEqual(sim.steps, 10)
        c = sim.contacts
        self.assertGreater(len(c.gap), 0)
        self.assertEqual(set(c.bodies.ravel()), {"ball", "pad"})
        on_ball = np.where(c.bodies[:, 1] == "ball", 1, -1)[:, None] * c.force
        self.assertAlmostEqual(on_ball.sum(0)[2], sim.signals["force"], 9)
        self.assertEqual(sim.vertices("pad").shape, sim.velocities("pad").shape)
        np.testing.assert_allclose(sim.poses["ball"][3], [0, 0, 0, 1])
        self.assertEqual(sim.joints["arm"][0], sim.signals["q"])
        picture = sim.render(size=(64, 48), quality="draft")
        self.assertEqual((picture.shape, picture.dtype), ((48, 64, 3), np.uint8))
        self.assertGreater(picture.std(), 1)

    def test_drives_obey(self):
        sim = pad().load()
        turn = sim.drives["turn"]
        turn.target, turn.velocity = 0.3, 0.0
        sim.step(200)
        self.assertAlmostEqual(sim.joints["arm"][0], 0.3, 3)
        turn.effort = 2.0  # kp 20: a tenth of a radian further
        sim.step(400)
        self.assertAlmostEqual(sim.joints["arm"][0], 0.4, 3)
        turn.release()
        sim.step(400)
        self.assertAlmostEqual(sim.joints["arm"][0], 0.0, 3)
        for wrong in (float("nan"), float("inf")):
            with self.assertRaises(curlfree.RequestError):
                turn.target = wrong
        self.assertIsNone(turn.target)
        with self.assertRaises(curlfree.RequestError):
            turn.control = 1.0
        with self.assertRaises(KeyError):
            sim.drives["trun"]

    def test_derivatives_agree_with_differences(self):
        b = pad()
        sim = b.load(set={"bodies.ball.pose.xyz.2": 0.155})
        j = sim.jacobian(["turn"], [0.0])
        self.assertEqual(j.state.shape, (2 * sim.nv, 2 * sim.nv))
        self.assertEqual(j.inputs.shape, (2 * sim.nv, 1))
        s, ends = sim.state, []
        for u in (-1.0, 1.0):
            sim.state = s
            sim.drives["turn"].effort = u
            sim.step()
            ends.append(sim.state.v)
        np.testing.assert_allclose(j.inputs[sim.nv :, 0], (ends[1] - ends[0]) / 2, atol=1e-6)
        g = sim.gradient("height@0.1", ["materials.foam.youngs_modulus"])
        ends = []
        for f in (1 - 1e-4, 1 + 1e-4):
            one = b.load(set={"bodies.ball.pose.xyz.2": 0.155, "materials.foam.youngs_modulus": 1e5 * f})
            one.step(10)
            ends.append(one.signals["height"])
        difference = (ends[1] - ends[0]) / 20
        self.assertAlmostEqual(g["materials.foam.youngs_modulus"] / difference, 1, 3)

    def test_randomized_scenes(self):
        sim = pad().load(randomize={"bodies.ball.pose.xyz.2": {"uniform": [0.2, 0.3]}})
        drawn = sim.reset(seed=4)
        self.assertAlmostEqual(sim.signals["height"], float(drawn["bodies.ball.pose.xyz.2"]))
        self.assertEqual(sim.reset(seed=4), drawn)
        self.assertNotEqual(sim.reset(seed=5), drawn)

    def test_what_the_collector_finds_within_a_call(self):
        """Sessions that nothing refers to end without a request in the middle of another."""
        sim = pad().load()
        for _ in range(30):
            a, b = [pad().load()], [pad().load()]
            a.append(b), b.append(a)
            del a, b
            for _ in range(30):
                sim.state = sim.state
        self.assertEqual(sim.steps, 0)

    def test_no_growth(self):
        """Calls leave no memory behind, in this process or in the program."""
        sim = pad().load(threads=1)

        def memory(pid):
            with open(f"/proc/{pid}/statm") as f:
                return int(f.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

        if not os.path.exists("/proc/self/statm"):
            self.skipTest("the system has no /proc")
        pid = sim._server._line.process.pid

        def work(n):
            for _ in range(n):
                sim.step(0)
                sim.signals
                sim.state = sim.state

        work(3000)
        before = memory("self"), memory(pid)
        work(3000)
        after = memory("self"), memory(pid)
        self.assertLess(after[0] - before[0], 2 << 20)
        self.assertLess(after[1] - before[1], 16 << 20)  # the collector of Go leaves some room


class Errors(unittest.TestCase):
    def test_faults_of_scenes_have_their_places(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "scene.yaml")
            with open(path, "w") as f:
                f.write("time: {step: 0.01, duration: 1}\nbodies:\n  a: {mas: 1}\n  b: {mass: -1, shapes: [{sphere: {radius: 1}}]}\n")
            with self.assertRaises(curlfree.SceneError) as e:
                curlfree.load(path)
            self.assertEqual(e.exception.faults[0].line, 3)
            self.assertIn("mass", str(e.exception))
        with self.assertRaises(FileNotFoundError):
            curlfree.load("gone.yaml")

    def test_names_and_shapes(self):
        sim = pad().load()
        for wrong, want in (
            (lambda: sim.signals["hight"], "height"),
            (lambda: sim.vertices("pat"), "pad"),
            (lambda: sim.values["x"], "live value"),
            (lambda: sim.gradient("hight@last", "bodies.ball.mass"), "height"),
            (lambda: sim.jacobian(["turn"], [1.0, 2.0]), "shape"),
            (lambda: sim.step(-1), "n is -1"),
            (lambda: sim.advance(float("nan")), "no time"),
        ):
            with self.assertRaises(curlfree.Error) as e:
                wrong()
            self.assertIn(want, str(e.exception))
        sim.step()

    def test_a_step_that_fails(self):
        sim = pad().load()
        s = sim.state
        v = s.v.copy()
        v[-1] = 1e12
        sim.state = s.replace(v=v)
        with self.assertRaises(curlfree.StepError):
            sim.step(3)
        self.assertEqual(sim.steps, 0)
        sim.state = s
        sim.step()

    def test_a_killed_server_is_an_exception(self):
        server = curlfree.Server()
        sim = curlfree.load(pad(), server=server)
        server._line.process.kill()
        with self.assertRaises(curlfree.ServerError):
            sim.step()
        with self.assertRaises(curlfree.ServerError):
            sim.signals
        pad().load().step()  # others continue

    def test_another_version_is_refused(self):
        before = _server.PROTOCOL
        _server.PROTOCOL = before + 1
        try:
            with self.assertRaises(curlfree.ProtocolError) as e:
                curlfree.Server()
            self.assertIn("the same version", str(e.exception))
        finally:
            _server.PROTOCOL = before

    def test_what_is_no_server_is_refused(self):
        with self.assertRaises(curlfree.ServerError):
            curlfree.Server(binary=sys.executable)
        with self.assertRaises(curlfree.ServerError):
            curlfree.Server(binary=os.path.join("gone", "curlfree"))


@unittest.skipIf(os.name == "nt", "signals of POSIX")
class Processes(unittest.TestCase):
    def test_an_interrupt_stops_at_once(self):
        sim = pad().load()
        timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        began = time.monotonic()
        with self.assertRaises(KeyboardInterrupt):
            sim.step(100_000_000)
        self.assertLess(time.monotonic() - began, 5)
        steps = sim.steps
        self.assertGreater(steps, 0)
        sim.step()
        self.assertEqual(sim.steps, steps + 1)

    def test_a_killed_client_leaves_no_process(self):
        code = "import sys, curlfree; from tests.scenes import pad; s = pad().load(); print(s._server._line.process.pid, flush=True); s.step(100_000_000)"
        root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
        child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, cwd=root)
        pid = int(child.stdout.readline())
        time.sleep(0.2)
        child.kill()
        child.wait()
        child.stdout.close()
        for _ in range(100):
            try:
                os.kill(pid, 0)
            except ProcessLookupError:
                return
            with open(f"/proc/{pid}/stat") as f:  # one that nobody waits for has ended all the same
                if f.read().rsplit(")", 1)[1].split()[0] == "Z":
                    return
            time.sleep(0.05)
        self.fail("the program continues")

    def test_a_socket(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "s")
            server = subprocess.Popen([_server.find_binary(), "serve", "--socket", path], stdin=subprocess.DEVNULL)
            try:
                for _ in range(200):
                    if os.path.exists(path):
                        break
                    time.sleep(0.02)
                clients = [curlfree.load(pad(), server=curlfree.Server(socket=path)) for _ in range(2)]
                hashes = []
                for sim in clients:
                    sim.step(5)
                    hashes.append(sim.hash())
                self.assertEqual(hashes[0], hashes[1])
                for sim in clients:
                    sim._server.close()
            finally:
                server.terminate()
                server.wait(10)
            with self.assertRaises(curlfree.ServerError):
                curlfree.Server(socket=path)


if __name__ == "__main__":
    unittest.main()
