"""Errors. The message is the sentence of the server or of the program, where it gave one, in the names of this package."""


class Error(Exception):
    """Base class of all errors of this package."""


class InvalidError(Error, ValueError, TypeError):
    """An argument is wrong, by its value or its type, or the server refuses it (400, 413, 415, 422)."""


class AccessError(Error):
    """The token is missing or unknown, or its role may not do this (401, 403)."""


class NotFoundError(Error):
    """The server has no such study (404)."""


class ConflictError(Error):
    """The study is in a state that does not permit this, such as an ask when the budget is spent (409)."""


class BusyError(Error):
    """The server accepts no more requests now (429, 503), also after repetitions."""


class ServerError(Error):
    """The server failed (500 and other statuses), or its answer is not that of invbo serve."""


class ConnectionLost(Error, ConnectionError):
    """The server cannot be reached, or the connection ended before its answer."""


class ProgramError(Error):
    """The program invbo was not found, could not be started, or ended with an error."""


class PackageError(Error, ImportError):
    """A Python package that the method needs is not installed."""


def of_status(status: int, message: str) -> Error:
    """Return the error of an HTTP status."""
    kinds = {
        400: InvalidError,
        401: AccessError,
        403: AccessError,
        404: NotFoundError,
        409: ConflictError,
        413: InvalidError,
        415: InvalidError,
        422: InvalidError,
        429: BusyError,
        503: BusyError,
    }
    return kinds.get(status, ServerError)(message)
