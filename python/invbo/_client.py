"""HTTP: requests, their repetition, and streams of events."""

from __future__ import annotations

import email.utils
import http.client
import itertools
import json
import re
import socket
import ssl
import time
import urllib.parse
from typing import Any, Callable, Dict, Iterator, Mapping, Optional, Tuple, TypeVar

from . import _check
from ._errors import ConnectionLost, Error, InvalidError, ServerError, of_status

T = TypeVar("T")

CONNECT = 10.0  # seconds for a connection
SILENCE = 60.0  # seconds without data; a stream has a comment every 15


class _Unsent(Exception):
    """No connection was made: nothing was sent."""


class _Later(Exception):
    """The server refused a request, and says when to repeat it."""

    def __init__(self, wait: float, error: Error) -> None:
        self.wait, self.error = wait, error


class Client:
    """Makes requests about the study at url, such as http://localhost:8080/studies/lab.

    For up to patience seconds a request is repeated if the server answers 429 or 503 with Retry-After, or if a server
    that has answered before cannot be reached. If the connection is lost after that, only a safe request is repeated.
    Before a repetition check is called, which raises an Error if the server is gone for good.

    Redirects are not followed and proxies are not used, so that the token is sent to no other server.
    """

    def __init__(self, url: str, token: Optional[str], patience: float, check: Callable[[], None]) -> None:
        scheme, self._host, self._port, self._path = _parts(url)
        self._tls = ssl.create_default_context() if scheme == "https" else None
        self._token, self._patience, self._check = token, patience, check
        self._reached = False  # whether the server has answered

    def get(self, path: str, read: Callable[[Any], T]) -> T:
        """Return what read makes of the JSON that the server answers."""
        answer = self._repeat(lambda: _json(self._send("GET", path, None, {}, SILENCE)), safe=True)
        return _read(read, answer)

    def post(
        self,
        path: str,
        body: Mapping[str, Any],
        read: Callable[[Any], T],
        *,
        safe: bool,
        silence: Optional[float] = SILENCE,
    ) -> T:
        """Return what read makes of the JSON that the server answers. A safe request changes nothing when it arrives again.

        After silence seconds without an answer the connection counts as lost; None waits for as long as it takes.
        """
        text = json.dumps(body).encode()
        answer = self._repeat(lambda: _json(self._send("POST", path, text, {}, silence)), safe=safe)
        return _read(read, answer)

    def stream(self, path: str, after: Optional[int]) -> http.client.HTTPResponse:
        """Open a stream of the events after the one with the id after; None: of those from now on."""
        headers = {} if after is None else {"Last-Event-ID": str(after)}
        return self._repeat(lambda: self._send("GET", path, None, headers, SILENCE), safe=True)

    def _repeat(self, attempt: Callable[[], T], *, safe: bool) -> T:
        end = time.monotonic() + self._patience
        for n in itertools.count():
            wait = 0.0 if n == 0 else min(0.25 * 2**n, 8.0)
            try:
                return attempt()
            except _Later as refused:
                wait, error = refused.wait, refused.error
            except _Unsent as e:
                error = ConnectionLost(f"{self._host}: the server cannot be reached: {e.__cause__}")
                if not self._reached:
                    raise error from e.__cause__
            except (OSError, http.client.HTTPException) as e:
                error = ConnectionLost(f"{self._host}: the connection was lost: {e or type(e).__name__}")
                if not safe:
                    raise error from e
            self._check()
            if time.monotonic() + wait > end:
                raise error
            time.sleep(wait)
        raise AssertionError("unreachable")

    def _send(
        self, method: str, path: str, body: Optional[bytes], headers: Dict[str, str], silence: Optional[float]
    ) -> http.client.HTTPResponse:
        """Return the response to a request that was accepted."""
        if self._tls:
            connection: http.client.HTTPConnection = http.client.HTTPSConnection(
                self._host, self._port, timeout=CONNECT, context=self._tls
            )
        else:
            connection = http.client.HTTPConnection(self._host, self._port, timeout=CONNECT)
        try:
            connection.connect()
        except OSError as e:
            raise _Unsent from e
        connection.sock.settimeout(silence)
        connection.sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)  # finds a dead network while ask waits
        headers = {**headers, "Connection": "close"}  # the response then owns the connection
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        if body is not None:
            headers["Content-Type"] = "application/json"
        try:
            connection.request(method, self._path + path, body, headers)
            response = connection.getresponse()
        except BaseException:
            connection.close()
            raise
        self._reached = True
        if response.status == 200:
            return response
        with response:
            error = of_status(response.status, _sentence(response))
        after = response.headers.get("Retry-After")
        if response.status in (429, 503) and after is not None:
            raise _Later(_seconds(after), error)
        raise error


def _parts(url: str) -> Tuple[str, str, int, str]:
    """Return scheme, host, port and path of the URL of a study."""
    error = f"study: {_check.show(url)} is not the URL of a study, such as http://localhost:8080/studies/lab"
    try:
        parts = urllib.parse.urlsplit(url)
        base, _, name = parts.path.rstrip("/").rpartition("/")
        name = urllib.parse.unquote(name)
        path = urllib.parse.quote(base, safe="/%!$&'()*+,;=:@~") + f"/{name}"
    except ValueError:
        raise InvalidError(error) from None
    if parts.scheme not in ("http", "https") or not parts.hostname or not base.endswith("/studies") or not name:
        raise InvalidError(error)
    if not _check.NAME.fullmatch(name):
        raise InvalidError(f"{error}: the study's name {_check.NAMES}")
    try:
        port = (443 if parts.scheme == "https" else 80) if parts.port is None else _check.whole("port", parts.port)
    except ValueError:
        raise InvalidError(f"{error}: the port must be a number from 1 to 65535") from None
    try:
        parts.hostname.encode("idna")
        http.client.HTTPConnection(parts.hostname, port)  # checks characters
    except (UnicodeError, http.client.InvalidURL):
        raise InvalidError(f"{error}: {_check.show(parts.hostname)} is not a host name") from None
    return parts.scheme, parts.hostname, port, path


def events(
    stream: http.client.HTTPResponse, read: Callable[[str, Any, Optional[int]], T]
) -> Iterator[Tuple[Optional[int], Optional[T]]]:
    """Yield the id of each message of a stream until it ends, and what read makes of its kind, data and id.

    The id is None if more messages about the event follow. The first message has only the id of the latest event before it.
    """

    def message(fields: Dict[str, str]) -> Tuple[Optional[int], Optional[T]]:
        id = int(fields["id"]) if "id" in fields else None
        return id, read(fields["event"], json.loads(fields["data"]), id) if fields.get("event") else None

    fields: Dict[str, str] = {}
    with stream:
        while True:
            try:
                line = stream.readline().decode("utf-8", "replace")
            except (OSError, http.client.HTTPException):
                return
            if not line:
                return
            name, _, value = line.rstrip("\r\n").partition(":")
            if name:
                fields[name] = value.strip()
            elif value == "" and fields:
                yield _read(message, fields)
                fields = {}


def _json(response: http.client.HTTPResponse) -> object:
    with response:
        text = response.read()
    try:
        answer: object = json.loads(text)
    except (ValueError, RecursionError):
        raise ServerError("the answer is not JSON: is this the URL of a study of invbo serve?") from None
    return answer


def _read(read: Callable[[Any], T], answer: object) -> T:
    """Return what read makes of an answer, which may be that of another server."""
    try:
        return read(answer)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as e:
        raise ServerError("the answer is not that of a study: is this the URL of a study of invbo serve?") from e


_PLACE = re.compile(r"^(body|header|path|query)\.")


def _sentence(response: http.client.HTTPResponse) -> str:
    """Return what the server says about an error: application/problem+json, or the status if it is another server."""
    try:
        problem = json.loads(response.read())
        details = [f"{_PLACE.sub('', d['location'])}: {d['message']}" for d in problem.get("errors") or ()]
        sentence = str(problem["detail"])
        if details and sentence.startswith("the request is wrong at "):
            sentence = ""  # the details say where, too
        return ": ".join(filter(None, [sentence, "; ".join(details)]))
    except (ValueError, KeyError, TypeError, AttributeError):
        return f"the server answers {response.status} {response.reason}"


def _seconds(after: str) -> float:
    """Return the seconds of Retry-After, which is a number or a date."""
    try:
        return max(0.0, float(after))
    except ValueError:
        pass
    try:
        return max(0.0, email.utils.parsedate_to_datetime(after).timestamp() - time.time())
    except (TypeError, ValueError):
        return 1.0
