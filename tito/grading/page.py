"""Pages that come with their style and cannot do anything: no script, no link, nothing to load."""

import base64
import hashlib
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

_PAGES = Path(__file__).parent / "pages"
_COLOURED = HtmlFormatter(style="friendly", cssclass="code")
_TEMPLATES = Environment(
    loader=FileSystemLoader(_PAGES),
    autoescape=True,  # what students wrote is text
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_TEMPLATES.filters["points"] = lambda value: f"{value:g}"
_TEMPLATES.filters["python"] = lambda source: Markup(highlight(source, PythonLexer(), _COLOURED))


def render(template: str, **values: object) -> str:
    """A page of `pages/` with these values, all of them escaped.

    Its content security policy lets a browser apply this very style sheet and show inline pictures,
    and nothing else, should ever a live tag come through.
    """
    style = (_PAGES / "page.css").read_text(encoding="utf-8") + _COLOURED.get_style_defs(".code")
    digest = base64.b64encode(hashlib.sha256(style.encode("utf-8")).digest()).decode("ascii")
    policy = (
        f"default-src 'none'; img-src data:; style-src 'sha256-{digest}'; "
        "base-uri 'none'; form-action 'none'"
    )
    page = _TEMPLATES.get_template(template)
    return page.render(style=Markup(style), policy=policy, **values)
