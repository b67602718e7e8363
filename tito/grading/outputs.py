"""The outputs of one cell, taken from a kernel's messages; nothing in those is relied on."""

from dataclasses import dataclass, field

from nbformat import NotebookNode
from nbformat.v4 import new_output

from tito.grading.challenge import MIME


@dataclass
class Budget:
    """How many bytes of messages a run may still send."""

    left: int

    def spend(self, size: int) -> bool:
        """Whether a message of `size` bytes may still come in."""
        self.left -= size
        return self.left >= 0


@dataclass
class Outputs:
    """What a cell displayed so far. Messages that are not as they should be are left out."""

    dropped: bool = False
    secret: str | None = None  # lines of tracebacks that hold it are left out
    _items: list[NotebookNode | tuple[str, list[str]]] = field(default_factory=list)
    _clear_before_next: bool = False

    def add(self, kind: str, content: dict) -> None:
        """Take in the content of a message of this kind. Raises KeyError or TypeError on junk."""
        if kind == "clear_output":
            self._clear_before_next = True
            if not content.get("wait"):
                self._clear()
        elif kind == "stream":
            self._clear()
            name = "stderr" if content["name"] == "stderr" else "stdout"
            self._stream(name).append(_text(content["text"]))
        elif kind in ("display_data", "execute_result"):
            self._clear()
            data = {
                _text(mime): _safe(value) for mime, value in content["data"].items() if mime != MIME
            }
            if data:  # an execute_result has a number, which nothing here needs
                self._items.append(new_output("display_data", data=data))
        elif kind == "error":
            self._clear()
            lines = [self._without_secret(_text(frame)) for frame in content["traceback"]]
            self.fail(_text(content["ename"]), _text(content["evalue"]), lines)

    def fail(self, kind: str, message: str, traceback: list[str] | None = None) -> None:
        lines = traceback or [f"{kind}: {message}"]
        self._items.append(new_output("error", ename=kind, evalue=message, traceback=lines))

    def fail_first(self, kind: str, message: str) -> None:
        """Put an error before all else: the first one is the reason of a cell."""
        self.fail(kind, message)
        self._items.insert(0, self._items.pop())

    @property
    def failed(self) -> bool:
        return any(not isinstance(i, tuple) and i.output_type == "error" for i in self._items)

    def as_list(self) -> list[NotebookNode]:
        """The outputs as a notebook holds them."""
        return [
            new_output("stream", name=item[0], text="".join(item[1]))
            if isinstance(item, tuple)
            else item
            for item in self._items
        ]

    def _without_secret(self, frame: str) -> str:
        if self.secret is None:
            return frame
        return "\n".join(line for line in frame.split("\n") if self.secret not in line)

    def _stream(self, name: str) -> list[str]:
        last = self._items[-1] if self._items else None
        if not (isinstance(last, tuple) and last[0] == name):
            last = (name, [])
            self._items.append(last)
        return last[1]

    def _clear(self) -> None:
        if self._clear_before_next:
            self._items, self._clear_before_next = [], False


def _text(value: object) -> str:
    """A string that can be written as UTF-8. Raises TypeError for anything else."""
    if not isinstance(value, str):
        raise TypeError(f"{type(value).__name__} where text was expected")
    return value.encode("utf-8", "replace").decode("utf-8")


def _safe(value: object) -> object:
    """The data of one MIME type as text: JSON may nest deeper than can be written again."""
    return _text(value) if isinstance(value, str) else _text(str(value))
