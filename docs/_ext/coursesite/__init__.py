"""The course's site, as far as Sphinx and MyST-NB do not know it; `extension.py` ties it in."""
