"""The program curlfree as a child process, or at a socket, that answers requests."""

import atexit
import collections
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import weakref

from . import _msgpack
from .errors import ProtocolError, RequestError, ServerError, from_answer

PROTOCOL = 1
MAX_FRAME = 1 << 28

_BUFFER = 1 << 18
_F_SETPIPE_SZ = 1031  # of Linux
_PIPE_SIZE = 1 << 20


def find_binary():
    """Return the path of the program: CURLFREE_BINARY, that of the wheel, or that of the PATH."""
    given = os.environ.get("CURLFREE_BINARY")
    if given:
        if not os.path.isfile(given):
            raise ServerError(f"CURLFREE_BINARY is {given}, which is no file")
        return given
    name = "curlfree.exe" if os.name == "nt" else "curlfree"
    inside = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", name)
    if os.path.isfile(inside):
        return inside
    found = shutil.which("curlfree")
    if found is None:
        raise ServerError(
            "the program curlfree is not found: install the wheel of this system, put it in the PATH, or set CURLFREE_BINARY"
        )
    return found


class _Pipes:
    """A child process with its pipes."""

    def __init__(self, binary):
        self.said = tempfile.TemporaryFile()
        options = {"start_new_session": True}  # Ctrl-C in a terminal goes to this process alone
        if os.name == "nt":
            options = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
        try:
            self.process = subprocess.Popen(
                [binary, "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.said, bufsize=0, **options
            )
        except OSError as e:
            self.said.close()
            raise ServerError(f"{binary} cannot be started: {e}") from e
        self._in = self.process.stdin.fileno()
        if sys.platform == "linux":
            import fcntl

            for f in (self._in, self.process.stdout.fileno()):
                try:  # large states then pass without a change of process; smaller pipes work too
                    fcntl.fcntl(f, _F_SETPIPE_SZ, _PIPE_SIZE)
                except OSError:
                    pass

    def read_into(self, view):
        return self.process.stdout.readinto(view)

    def write(self, view):
        return os.write(self._in, view)

    def why(self):
        """Say why the process ended."""
        try:
            code = self.process.wait(2)
        except subprocess.TimeoutExpired:
            self.process.kill()
            code = self.process.wait()
        self.said.seek(0)
        words = self.said.read()[-4000:].decode("utf-8", "replace").strip()
        how = f"was ended by the signal {-code}" if code < 0 else f"ended with the exit code {code}"
        return f"the program curlfree {how}" + (f":\n{words}" if words else "")

    def close(self):
        for f in (self.process.stdin, self.process.stdout):
            try:
                f.close()
            except OSError:
                pass
        try:
            self.process.wait(1)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.said.close()


class _Socket:
    """A server that listens at a Unix socket."""

    def __init__(self, path):
        self._path = path
        self._socket = socket.socket(socket.AF_UNIX)
        try:
            self._socket.connect(path)
        except OSError as e:
            self._socket.close()
            raise ServerError(f"no server answers at {path}: {e}; start one with curlfree serve --socket {path}") from e

    def read_into(self, view):
        return self._socket.recv_into(view)

    def write(self, view):
        return self._socket.send(view)

    def why(self):
        return f"the server at {self._path} has closed the connection"

    def close(self):
        self._socket.close()


class Server:
    """A process of the program, which may have any number of scenes.

    A process answers one request after the other: programs that step scenes at the same time start one for each.
    ``socket`` is the path of a Unix socket of ``curlfree serve --socket`` in place of a process of its own.
    """

    def __init__(self, binary=None, socket=None):
        self._lock = threading.RLock()
        self._pid = os.getpid()
        self._id = 0
        self._buffer = memoryview(bytearray(_BUFFER))
        self._have = 0  # bytes of it that came
        self._dead = None
        self._left = collections.deque()
        self._line = _Socket(socket) if socket else _Pipes(binary or find_binary())
        _servers.add(self)
        try:
            hello = self._receive()
        except ServerError:
            self.close()
            raise
        if not isinstance(hello, dict) or hello.get("protocol") != PROTOCOL:
            speaks = hello.get("protocol") if isinstance(hello, dict) else None
            version = hello.get("curlfree") if isinstance(hello, dict) else None
            self.close()
            raise ProtocolError(
                f"the program curlfree {version} speaks protocol {speaks}, this package {PROTOCOL}: install program and package of the same version"
            )
        #: Version of the program.
        self.version = hello["curlfree"]

    def call(self, do, **arguments):
        """Send a request and return its answer. Ctrl-C ends it at once and leaves the server usable."""
        return self._call(do, arguments)

    def _call(self, do, arguments):
        with self._lock:
            if self._pid != os.getpid():
                raise ServerError("this process was forked: it cannot share a server with its parent; load the scene again")
            if self._dead:
                raise ServerError(self._dead)
            while self._left:
                try:
                    self._exchange(*self._left.popleft())
                except RequestError:
                    pass  # it has ended already
            return self._exchange(do, arguments)

    def later(self, do, arguments):
        """Send a request before the next one: that of an object that the collector found, maybe within a request."""
        self._left.append((do, arguments))

    def _exchange(self, do, arguments):
        self._id += 1
        arguments["id"], arguments["do"] = self._id, do
        frame = bytearray(4)
        _msgpack.pack(arguments, frame)
        frame[:4] = (len(frame) - 4).to_bytes(4, "little")
        if len(frame) - 4 > MAX_FRAME:
            raise ServerError(f"a request of {len(frame)} bytes: a frame has at most {MAX_FRAME}")
        answer = self._guarded(frame)
        if type(answer) is not dict or answer.get("id") not in (self._id, 0):
            self._fail("the program sent an answer to another request")
        if "ok" in answer:
            return answer["ok"]
        raise from_answer(answer.get("error") or {})

    def _guarded(self, frame):
        """Send a frame and receive the answer. An interrupt is sent on to the server, whose answer is awaited."""
        if threading.current_thread() is not threading.main_thread():
            self._send(frame)
            return self._receive()
        came = []
        sent = False

        def interrupt(number, where):
            came.append((number, where))
            if len(came) > 2:  # it does not answer: give it up
                self._fail("the program did not end a request that was interrupted", kill=True)
            if sent:
                self._interrupt()

        before = signal.getsignal(signal.SIGINT)
        if not callable(before):
            self._send(frame)
            return self._receive()
        signal.signal(signal.SIGINT, interrupt)
        try:
            self._send(frame)
            sent = True
            if came:
                self._interrupt()
            answer = self._receive()
        finally:
            signal.signal(signal.SIGINT, before)
            if came:
                before(*came[0])  # mostly raises KeyboardInterrupt
        return answer

    def _interrupt(self):
        frame = bytearray(4)
        _msgpack.pack({"id": self._id, "do": "interrupt"}, frame)
        frame[:4] = (len(frame) - 4).to_bytes(4, "little")
        self._send(frame)

    def _send(self, frame):
        view = memoryview(frame)
        try:
            while view:
                view = view[self._line.write(view) :]
        except OSError:
            self._fail(None)

    def _receive(self):
        """Receive a frame. Bytes come into one buffer, from which frames are copied: arrays are views of the copy."""
        have = self._have
        while have < 4:
            have += self._read_into(self._buffer[have:])
        n = int.from_bytes(self._buffer[:4], "little")
        if n > MAX_FRAME:
            self._fail(f"the program sent a frame of {n} bytes, which is none of this protocol")
        if 4 + n <= len(self._buffer):
            while have < 4 + n:
                have += self._read_into(self._buffer[have:])
            frame = bytes(self._buffer[4 : 4 + n])
            self._have = have - 4 - n
            if self._have:
                self._buffer[: self._have] = bytes(self._buffer[4 + n : have])
        else:
            whole = bytearray(n)
            whole[: have - 4] = self._buffer[4:have]
            self._have = 0
            view = memoryview(whole)[have - 4 :]
            while view:
                view = view[self._read_into(view) :]
            frame = memoryview(whole).toreadonly()
        try:
            return _msgpack.unpack(frame)
        except _msgpack.FormatError as e:
            self._fail(f"the program sent a frame that is none: {e}")

    def _read_into(self, view):
        try:
            n = self._line.read_into(view)
        except OSError:
            n = 0
        if not n:
            self._fail(None)
        return n

    def _fail(self, why, kill=False):
        """End the server and raise."""
        if kill and isinstance(self._line, _Pipes):
            self._line.process.kill()
        broken = why is not None
        why = why or self._line.why()
        self._dead = why + "; what was loaded is lost"
        self._line.close()
        raise (ProtocolError if broken else ServerError)(self._dead)

    def close(self):
        """End the process. What it has loaded is lost."""
        if self._pid == os.getpid() and not self._dead:
            self._dead = "the server was closed"
            self._line.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


_servers = weakref.WeakSet()
_default = None
_default_lock = threading.Lock()


def default_server():
    """Return the server that load uses, which starts with the first call and after its end."""
    global _default
    with _default_lock:
        if _default is None or _default._dead or _default._pid != os.getpid():
            _default = Server()
        return _default


@atexit.register
def _close_all():
    for server in list(_servers):
        server.close()
