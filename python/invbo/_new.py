"""The command invbo new for Study.create: its flags from arguments, and its sentences in the names of arguments."""

from __future__ import annotations

import csv
import difflib
import os
import re
import tempfile
from pathlib import Path
from typing import Any, Dict, Iterable, List, Mapping, Optional, Tuple

from . import _check, _server
from ._errors import InvalidError

_OTHERWISE = {"help", "write", "data", "maximize", "minimize"}  # flags that are no options of create
_ROWS = "data: give a file, a DataFrame, rows (mappings), or pairs of a string and its score"


def make(program: str, study: str, data: Any, direction: Optional[str], options: Mapping[str, Any]) -> str:
    """Make the file of a study and return what invbo new says about the data, with its notes at the end."""
    given = _given(_server.options(program), options)
    with tempfile.TemporaryDirectory(prefix="invbo-") as folder:
        if isinstance(data, (str, os.PathLike)):
            table, own = _check.path("data", data), ""
            columns: Dict[str, List[Any]] = {}
        else:
            table = str(Path(folder, "data.csv"))
            own, columns = _write(table, data, several="objective" in given or "property" in given)
        flags = [f"--data={table}"] + ([f"--{direction}"] if direction else [])
        for flag, values in {**columns, **given}.items():
            flags += [f"--{flag}={_text(value)}" for value in values]
        try:
            said, notes = _server.run(program, ["new", *flags, "--", study])
        except InvalidError as e:
            sentence = _translated(str(e), given)
            raise InvalidError((_placed(sentence, table, own) if own else sentence) + _index(data, "; ")) from None
        said = re.sub(r"^Next .*\n?", "", said, flags=re.MULTILINE) + _translated(notes, given)  # without a command
        return (_placed(said, table, own) if own else said) + _index(data, "Note: ", "\n")


def place(value: Any) -> str:
    """Return the path of a study that can be made, or its URL in a database."""
    path = _check.path("study", value, "the path of the file to make")
    if re.match(r"https?:", path, re.IGNORECASE):
        raise InvalidError(f"study is {_check.show(path)}; create makes a file: open a URL with Study.open")
    if "://" in path:
        return path
    if os.path.exists(path):
        raise InvalidError(f"{path} exists already; give another name, or open it if it is a study: Study.open({path!r})")
    name = os.path.basename(path)
    if name.endswith(".toml"):
        raise InvalidError(f"study is {_check.show(path)}; it must be the file to make, such as lab.db")
    if not _check.NAME.fullmatch(name[: -len(".db")] if name.endswith(".db") else name):
        raise InvalidError(f"study is {_check.show(path)}; give a name that {_check.NAMES}")
    return path


def _given(known: Mapping[str, str], options: Mapping[str, Any]) -> Dict[str, List[Any]]:
    """Return the values of flags. known says which there are, and what they take."""
    names = {flag.replace("-", "_") for flag in known if flag not in _OTHERWISE}
    found: Dict[str, List[Any]] = {}
    for name, value in options.items():
        plain = name.replace("-", "_").rstrip("_")  # as_ where Python has a keyword
        if plain in ("maximize", "minimize"):
            raise InvalidError(f'{name}: there is no such option; give direction="{plain}"')
        if plain not in names:
            close = difflib.get_close_matches(plain, names, 1)
            hint = f"did you mean {close[0]}?" if close else "there are " + ", ".join(sorted(names))
            raise InvalidError(f"{name}: there is no such option; {hint}")
        flag = plain.replace("_", "-")
        values = _values(name, value) if known[flag] else _switch(name, value)
        if values:
            found[flag] = values
    return found


def _switch(name: str, value: Any) -> List[Any]:
    if value is None or isinstance(value, bool):
        return [True] if value else []
    raise InvalidError(f"{name} is {_check.show(value)}; it must be True or False")


def _values(name: str, value: Any) -> List[Any]:
    if value is None or value is False:
        return []
    values = list(value) if isinstance(value, (list, tuple)) else [value]
    for v in values:
        if isinstance(v, str) and not v:
            raise InvalidError(f"{name} is empty")
        if isinstance(v, (str, os.PathLike)):
            _check.path(name, v, "text")
        elif isinstance(v, bool) or not hasattr(v, "__float__"):
            raise InvalidError(f"{name} is {_check.show(v)}; it must be text, a number, or a list of them")
    return values


def _text(value: Any) -> str:
    """Return what a flag takes."""
    if isinstance(value, os.PathLike):
        return str(os.fspath(value))
    return "true" if value is True else str(value)


def _index(data: Any, before: str, after: str = "") -> str:
    """Return a note that the index of a DataFrame is not read, if it holds text; empty if it has none."""
    index = getattr(data, "index", None) if hasattr(data, "to_csv") else None
    if not isinstance(index, Iterable) or not any(isinstance(label, (str, tuple)) for label in index):
        return ""
    return f"{before}the index of data is not read: if it holds the strings or their names, give data.reset_index(){after}"


def _write(table: str, data: Any, several: bool) -> Tuple[str, Dict[str, List[Any]]]:
    """Write data as CSV. Return how a row is called, such as data[%d], and the flags that the table needs.

    several says that there are several objectives, for which pairs have too few scores.
    """
    flags: Dict[str, List[Any]] = {}
    try:
        if hasattr(data, "to_csv"):
            data.to_csv(table, index=False)
            return "data.iloc[%d]", flags
        rows = _rows(data)
        if not all(isinstance(row, Mapping) for row in rows):
            if several:
                raise InvalidError("data: pairs have only one score; give rows or a table with a column for each objective")
            rows = [{"input": input, "score": score} for input, score in rows]
            flags = {"input": ["input"], "score": ["score"]}
        for i, row in enumerate(rows):
            for value in row.values():
                if isinstance(value, bytes):
                    raise InvalidError(f"data[{i}] has {_check.show(value)}, which is bytes and not text: decode it")
        columns = list(dict.fromkeys(column for row in rows for column in row))
        with open(table, "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, columns)
            writer.writeheader()
            writer.writerows(rows)
    except InvalidError:
        raise
    except (AttributeError, TypeError, ValueError, csv.Error) as e:
        raise InvalidError(f"data cannot be written as a table: {e}") from e
    return "data[%d]", flags


def _rows(data: Any) -> List[Any]:
    """Return rows: mappings, or pairs."""
    if isinstance(data, (bytes, Mapping)) or not isinstance(data, Iterable):
        raise InvalidError(f"{_ROWS}; it is {_check.show(data)}")
    rows = list(data)
    if not rows:
        raise InvalidError(f"data is empty: {_ROWS[len('data: '):]}")
    if all(isinstance(row, Mapping) for row in rows):
        return rows
    pairs = []
    for i, row in enumerate(rows):
        pair = () if isinstance(row, (str, bytes, Mapping)) or not isinstance(row, Iterable) else tuple(row)
        if len(pair) != 2:
            raise InvalidError(f"{_ROWS}; data[{i}] is {_check.show(row)}")
        pairs.append(pair)
    return pairs


def _translated(sentence: str, given: Mapping[str, List[Any]]) -> str:
    """Return a sentence about flags as one about arguments."""
    sentence = re.sub(r"; see invbo new --help$", "", sentence)
    for flag, values in given.items():
        for value in values:
            sentence = sentence.replace(f"--{flag} {_text(value)}", f"{flag.replace('-', '_')}={value!r}")
    sentence = re.sub(r"--(maximize|minimize)\b", r'direction="\1"', sentence)
    sentence = re.sub(
        r'(?<![\w-])--([a-z][a-z0-9-]*)( "[^"\n]*"| [A-Z]{2,}(?!\w))?',
        lambda found: found[1].replace("-", "_") + (f"={found[2][1:]}" if found[2] else ""),
        sentence,
    )
    return sentence.replace("leave the flag out", "leave it out")


def _placed(text: str, table: str, own: str) -> str:
    """Return text in which the table that _write made is called data, and its lines are rows."""
    lines: Dict[str, str] = {}
    with open(table, newline="", encoding="utf-8") as file:
        reader = csv.reader(file)
        begins = 1
        for i, _ in enumerate(reader):
            lines[str(begins)], begins = own % (i - 1) if i else "the heading", reader.line_num + 1
    text = text.replace(table, "data")
    return re.sub(
        r"\blines? (\d+(?:(?:, | and | to |–|-)\d+)*)",
        lambda found: re.sub(r"\d+", lambda n: lines.get(n[0], f"line {n[0]}"), found[1]),
        text,
    )
