"""The program invbo: where it is, what it says, and a server of our own."""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
import tempfile
import weakref
from pathlib import Path
from typing import List, Optional

from ._errors import ProgramError

STOP = 40.0  # seconds to end: invbo serve gives requests 30


def find(program: Optional[str]) -> str:
    """Return the path of the program invbo: program, else the environment variable INVBO, else the one on PATH."""
    wanted = program or os.environ.get("INVBO") or "invbo"
    found = shutil.which(wanted)
    if found is None:
        raise ProgramError(
            f"the program {wanted} was not found; give its path as program=, in the environment variable INVBO, or by PATH"
        )
    return found


def run(program: str, args: List[str]) -> str:
    """Run invbo with arguments and return what it prints; raise a ProgramError with its sentence if it fails."""
    done = subprocess.run(
        [program, *args], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"
    )
    if done.returncode != 0:
        raise ProgramError(_sentence(done.stderr, done.returncode))
    return done.stdout


class Server:
    """A process of invbo serve for one study, at a free port of this machine, with a random token.

    It ends with close, with this object, with the interpreter, or when this process dies: its standard input ends then.
    """

    def __init__(self, program: str, study: str) -> None:
        folder = tempfile.TemporaryDirectory(prefix="invbo-")
        self._log = Path(folder.name, "log")
        self.token = secrets.token_urlsafe()
        token_file = Path(folder.name, "token")
        with open(os.open(token_file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(self.token + "\n")
        args = ["serve", "--addr=127.0.0.1:0", f"--token-file={token_file}", "--until-eof", "--", study]
        with open(self._log, "wb") as log:
            self._process = subprocess.Popen(
                [program, *args],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                start_new_session=True,  # an interrupt of a notebook or of a terminal is not for the server
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),  # the same on Windows
            )
        self._end = weakref.finalize(self, _end, self._process, folder, os.getpid())
        assert self._process.stdout is not None
        try:
            line = self._process.stdout.readline().decode()  # "Serving     lab at http://127.0.0.1:40001/studies"
            if not line:
                raise ProgramError(_sentence(self.log(), self._process.wait()))
        except BaseException:
            self.close()
            raise
        name, _, address = line.split(None, 1)[1].strip().rpartition(" at ")
        self.url = f"{address}/{name}"

    @property
    def closed(self) -> bool:
        """Whether close was called."""
        return not self._end.alive

    def log(self) -> str:
        """Return the log; empty after close."""
        return self._log.read_text("utf-8", "replace") if not self.closed else ""

    def check(self) -> None:
        """Raise a ProgramError if the server has ended."""
        if self.closed:
            raise ProgramError("the study is closed")
        status = self._process.poll()
        if status is not None:
            raise ProgramError("the server has ended: " + _sentence(self.log(), status))

    def close(self) -> None:
        """End the server and wait for it."""
        self._end()


def _end(process: subprocess.Popen[bytes], folder: tempfile.TemporaryDirectory[str], owner: int) -> None:
    if os.getpid() != owner:  # a fork
        return
    for pipe in (process.stdin, process.stdout):
        assert pipe is not None
        pipe.close()
    try:
        process.wait(STOP)
    except subprocess.TimeoutExpired:
        process.kill()  # each answer was stored before it was acknowledged
        process.wait()
    folder.cleanup()


def _sentence(stderr: str, status: int) -> str:
    """Return what invbo said when it ended with an error."""
    lines = [line[len("invbo: ") :] for line in stderr.splitlines() if line.startswith("invbo: ")]
    return lines[-1] if lines else f"invbo ended with status {status}"
