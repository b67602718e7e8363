"""The one exception that `tito` shows to people."""


class TitoError(Exception):
    """A failure somebody can act on: one line that says what is wrong and what to do."""
