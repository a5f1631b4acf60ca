"""Checks of arguments. Each returns a value as the API takes it, or raises an InvalidError that begins with the parameter's name."""

from __future__ import annotations

import math
import operator
import os
import re
import struct
from datetime import timedelta
from typing import Any, Dict, Mapping, Optional

from ._errors import InvalidError
from ._trial import Answer, Trial

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")  # of a study, which is a part of URLs
NAMES = "begins with a letter or digit, and has only letters, digits, dots, hyphens and underscores, up to 64"

MOST = 1e100  # the API takes numbers from -MOST to MOST

_LARGEST = 2**63 - 1  # whole number of the API
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def show(value: Any) -> str:
    """Return a value for an error: its repr, shortened."""
    try:
        text = " ".join(repr(value).split())
    except Exception:  # such as an int of more digits than Python prints
        return f"of type {type(value).__name__}"
    return text if len(text) <= 60 else text[:59] + "…"


def whole(name: str, value: Any, least: int = 1, most: int = _LARGEST) -> int:
    """Return a whole number: of Python, NumPy and others."""
    found = _index(value)
    if found is None or found < least:
        raise InvalidError(f"{name} is {show(value)}; it must be a whole number of at least {least}")
    if found > most:
        raise InvalidError(f"{name} is {show(value)}, which is too large")
    return found


def number(name: str, value: Any) -> float:
    """Return a number as a float, which may be infinite or NaN: of Python, NumPy and others, but no text and no truth value.

    One of 32 or 16 bits is the decimal that it is shown as: 1.1, and not 1.100000023841858.
    """
    truth = isinstance(value, bool) or type(value).__name__ in ("bool", "bool_")  # those of NumPy, too
    if hasattr(value, "__float__") and not truth and not isinstance(value, (str, bytes, complex)):
        try:
            return _shortest(float(value), str(getattr(value, "dtype", "")))
        except OverflowError:
            return math.inf if value > 0 else -math.inf
        except Exception:  # such as that of an array with several elements
            pass
    raise InvalidError(f"{name} is {show(value)}, not a number")


def _shortest(value: float, dtype: str) -> float:
    """Return the decimal of the fewest digits that is a value of a type of few bits; of another type the value."""
    name = dtype.rpartition(".")[2]  # torch.float32
    bits = {"float32": "f", "float16": "e"}.get(name)
    if bits is None or not math.isfinite(value):
        return value
    for digits in range(1, 10):
        decimal = float(f"{value:.{digits}g}")
        try:
            if struct.unpack(bits, struct.pack(bits, decimal))[0] == value:
                return decimal
        except OverflowError:  # rounded up beyond the largest
            pass
    return value


def usable(value: float) -> bool:
    """Report whether the API takes a number."""
    return abs(value) <= MOST  # not NaN


def finite(name: str, value: Any, least: float = -MOST, hint: str = "") -> float:
    """Return a number that the API takes."""
    found = number(name, value)
    if not usable(found) or found < least:
        raise InvalidError(f"{name} is {found:g}; it must be a number from {least:g} to {MOST:g}{hint}")
    return found


def text(name: str, value: Any) -> str:
    """Return text that is not empty."""
    if not isinstance(value, str):
        raise InvalidError(f"{name} is {show(value)}; it must be text")
    if not value:
        raise InvalidError(f"{name} is empty")
    if not _encodes(value):
        raise InvalidError(f"{name} is {show(value)}, which is not valid Unicode")
    return value


def reason(name: str, value: Any) -> str:
    """Return text as the server takes reasons: one line of at most 1000 characters."""
    if not isinstance(value, str):
        raise InvalidError(f"{name} is {show(value)}; it must be text")
    line = one_line(value)
    if not line:
        raise InvalidError(f"{name} is empty; say why")
    return line


def one_line(value: str) -> str:
    """Return text without line breaks, control characters and surrogates, of at most 1000 characters."""
    visible = _CONTROL.sub(" ", value.encode("utf-8", "replace").decode())
    return " ".join(visible.split())[:1000]


def path(name: str, value: Any, what: str = "a path") -> str:
    """Return a path as text."""
    try:
        place = os.fspath(value)
        if isinstance(place, str) and place and "\0" not in place and os.fsencode(place):
            return place
    except (TypeError, ValueError):
        pass
    raise InvalidError(f"{name} is {show(value)}; it must be {what}")


def seconds(name: str, value: Any) -> float:
    """Return a time in seconds, which may be infinite."""
    found = number(name, value)
    if not found >= 0:
        raise InvalidError(f"{name} is {found:g}; it must be a number of seconds, 0 or more")
    return found


def lease(value: Any) -> str:
    """Return a lease as the server takes it, which checks the text."""
    if isinstance(value, timedelta):
        if not timedelta(seconds=1) <= value <= timedelta(days=90):
            raise InvalidError(f"lease is {value}; it must be from 1 second to 90 days")
        return f"{value.total_seconds():.6f}s"
    if not isinstance(value, str) or not 0 < len(value) <= 20:
        raise InvalidError(f'lease is {show(value)}; it must be a time with its unit, such as "90m", or a timedelta')
    return value


def trial(value: Any) -> int:
    """Return the number of a trial."""
    found = _index(value.number if isinstance(value, Trial) else value)
    if found is None or not 1 <= found <= _LARGEST:
        raise InvalidError(f"trial is {show(value)}; it must be a Trial, or its number from 1")
    return found


def answer(a: Any, missing: str = "give score, failed or others") -> Dict[str, Any]:
    """Return an answer for the API. The error is missing if there is neither a number nor a reason."""
    if not isinstance(a, Answer):
        raise InvalidError(f"it is {show(a)}, not an Answer")
    body: Dict[str, Any] = {"input": text("trial", a.trial)} if isinstance(a.trial, str) else {"trial": _of(a.trial)}
    if a.score is not None:
        body["score"] = finite("score", a.score, hint="; call fail for a measurement without a score")
    if _given(a.bound):
        body["bound"] = _bound(a)
    if _given(a.unit):
        body["unit"] = text("unit", a.unit)
        if a.score is None:
            raise InvalidError("unit needs a score")
    if a.se is not None:
        body["se"] = finite("se", a.se, 0)
    if a.others is not None:
        body["others"] = _others(a.others)
    if a.other_bounds:
        body["other_bounds"] = _other_bounds(a)
    if _given(a.failed):
        body["failed"] = reason("failed", a.failed)
        if a.score is not None:
            raise InvalidError("give either score or failed")
    if not (body.keys() & {"score", "failed"} or body.get("others")):
        raise InvalidError(missing)
    if _given(a.name):
        body["name"] = text("name", a.name)
        if _CONTROL.search(a.name):
            raise InvalidError(f"name is {show(a.name)}; it must be one line, without control characters")
    return body


def _of(value: Any) -> int:
    """Return the number of a trial where a string may be given, too."""
    try:
        return trial(value)
    except InvalidError:
        raise InvalidError(f"trial is {show(value)}; it must be a Trial, its number from 1, or a string") from None


def _bound(a: Answer) -> str:
    if not isinstance(a.bound, str) or a.bound not in (">", "<"):
        raise InvalidError(f'bound is {show(a.bound)}; it must be ">" or "<"')
    if a.score is None:
        raise InvalidError("bound needs a score")
    return a.bound


def _other_bounds(a: Answer) -> Dict[str, str]:
    if not isinstance(a.other_bounds, Mapping):
        raise InvalidError(f'other_bounds is {show(a.other_bounds)}; it must be a mapping from names to ">" or "<"')
    for name, bound in a.other_bounds.items():
        if name not in (a.others or {}):
            raise InvalidError(f"other_bounds has {show(name)}, and others has not; give its number there")
        if not isinstance(bound, str) or bound not in (">", "<"):
            raise InvalidError(f'the bound of {name} is {show(bound)}; it must be ">" or "<"')
    return dict(a.other_bounds)


def _others(value: Any) -> Dict[str, float]:
    if not isinstance(value, Mapping) or not all(isinstance(name, str) for name in value):
        raise InvalidError(f"others is {show(value)}; it must be a mapping from names to numbers")
    return {text("a name in others", name): finite(name, found) for name, found in value.items()}


def _given(value: Any) -> bool:
    return value is not None and not (isinstance(value, str) and value == "")


def _index(value: Any) -> Optional[int]:
    """Return a whole number; None if value is something else, such as a truth value."""
    if isinstance(value, bool):
        return None
    try:
        return operator.index(value)
    except TypeError:
        return None


def _encodes(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True
