"""The course's site: `make docs`. What is special to a course stands in _ext/coursesite."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "_ext"))

from tito.course import Course  # noqa: E402  (the path above comes first)

settings = Course(HERE.parent).settings

project = settings["title"]
author = settings["author"]
copyright = settings["copyright"]
release = settings["version"]

extensions = ["myst_nb", "coursesite.extension"]
exclude_patterns = ["_ext", "errors"]

# The lessons were run already, with their solutions; what is shown are the blanks.
nb_execution_mode = "off"
nb_merge_streams = True
nb_ipywidgets_js = {}  # no lesson has a widget, and a page must load nothing from elsewhere
myst_enable_extensions = []  # no formulas in TeX: a $ is a $, and no page needs MathJax
myst_heading_anchors = 3
highlight_language = "text"  # a block without a name is a drawing, a list, a formula

html_theme = "sphinx_book_theme"
html_title = project
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = ["site.js"]
html_use_index = False  # the search finds every name
html_domain_indices = False
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_last_updated_fmt = None
html_theme_options = {
    "repository_url": f"https://github.com/{settings['user']}/{settings['repo']}",
    "repository_branch": settings["branch"],
    "use_repository_button": True,
    "use_download_button": False,
    "use_fullscreen_button": False,
    **{f"navbar_{part}": [] for part in ("start", "center", "end", "persistent")},
    "show_navbar_depth": 1,
    "max_navbar_depth": 3,
    "show_toc_level": 2,
    "home_page_in_toc": False,
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}

python_display_short_literal_types = True
add_module_names = False  # the heading above says the module
toc_object_entries = False  # forty functions would hide the sections
