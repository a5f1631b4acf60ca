"""Client of InvBO, Bayesian optimization of strings: ask for proposals, measure them, tell the scores.

Start at Study.create and Study.open. All errors are an Error.
"""

from ._errors import (
    AccessError,
    BusyError,
    ConflictError,
    ConnectionLost,
    Error,
    InvalidError,
    NotFoundError,
    PackageError,
    ProgramError,
    ServerError,
)
from ._study import Study
from ._trial import Answer, Event, Front, Measurement, Outcome, Status, Trial, Trials

__all__ = [
    "AccessError",
    "Answer",
    "BusyError",
    "ConflictError",
    "ConnectionLost",
    "Error",
    "Event",
    "Front",
    "InvalidError",
    "Measurement",
    "NotFoundError",
    "Outcome",
    "PackageError",
    "ProgramError",
    "ServerError",
    "Status",
    "Study",
    "Trial",
    "Trials",
]
