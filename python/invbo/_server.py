"""The program invbo: where it is, what it says, and a server of our own."""

from __future__ import annotations

import os
import re
import secrets
import shutil
import subprocess
import tempfile
import weakref
from pathlib import Path
from typing import Dict, List, Optional, Tuple, Union

from . import _check
from ._errors import InvalidError, ProgramError

Path_ = Union[str, "os.PathLike[str]"]

STOP = 40.0  # seconds to end: invbo serve gives requests 30
USAGE = 2  # exit code of invbo if its input is wrong


def find(program: Optional[Path_]) -> str:
    """Return the path of the program invbo: program, else the environment variable INVBO, else the one on PATH."""
    given = None if program is None or program == "" else _check.path("program", program, "the path of invbo")
    wanted = given or os.environ.get("INVBO") or "invbo"
    found = shutil.which(wanted)
    if found is None:
        raise ProgramError(
            f"the program {wanted} was not found; give its path as program=, in the environment variable INVBO, or by PATH"
        )
    return found


def run(program: str, args: List[str]) -> Tuple[str, str]:
    """Run invbo with arguments and return what it prints, and its notes.

    If it fails, raise its sentence: an InvalidError if it refuses the arguments, otherwise a ProgramError.
    """
    try:
        done = subprocess.run(
            [program, *args],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
        )
    except OSError as e:
        raise _not_started(program, e) from e
    if done.returncode != 0:
        raise (InvalidError if done.returncode == USAGE else ProgramError)(_sentence(done.stderr, done.returncode))
    return done.stdout, re.sub(r"^invbo: ", "", done.stderr, flags=re.MULTILINE)


def options(program: str) -> Dict[str, str]:
    """Return the options of invbo new, each with what it takes, such as COLUMN; nothing for those that are on or off."""
    found = dict(re.findall(r"^ +--([a-z0-9-]+)(?: (\S+))?(?:  |$)", run(program, ["new", "--help"])[0], re.MULTILINE))
    if "data" not in found:
        raise ProgramError(f"the program {program} does not list its options: is it invbo?")
    return found


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
        try:
            with open(self._log, "wb") as log:
                self._process = subprocess.Popen(
                    [program, *args],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=log,
                    start_new_session=True,  # an interrupt of a notebook or of a terminal is not for the server
                    creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),  # the same on Windows
                )
        except OSError as e:
            folder.cleanup()
            raise _not_started(program, e) from e
        self._end = weakref.finalize(self, _end, self._process, folder, os.getpid())
        assert self._process.stdout is not None
        try:
            line = self._process.stdout.readline().decode("utf-8", "replace")
            if not line:
                raise ProgramError(_sentence(self.log(), self._process.wait()))
            serving = re.match(r"Serving +(\S+) at (http://\S+/studies)$", line)
            if serving is None:
                raise ProgramError(f"the program {program} does not say what it serves: is it invbo?")
        except BaseException:
            self.close()
            raise
        self.url = f"{serving[2]}/{serving[1]}"

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
    """Return what invbo said when it ended with an error: the last line of its own, with indented ones that continue it."""
    found = re.findall(r"^invbo: (.*(?:\n .*)*)", stderr, re.MULTILINE)
    if not found:
        return f"invbo ended with status {status}"
    sentence: str = found[-1]
    return sentence.replace("which invbo new makes", "which Study.create makes")


def _not_started(program: str, error: OSError) -> ProgramError:
    return ProgramError(f"the program {program} could not be started: {error.strerror or error}")
