"""The built site: no warning, no dead link, no answer, nothing from elsewhere, for everybody."""

import functools
import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlsplit

import pytest
from bs4 import BeautifulSoup
from coursesite.errors import common_errors

from tests.browser.browser import look_at
from tests.conftest import REPOSITORY
from tests.docs.looking import look
from tito.course import Course
from tito.leaks import find_leaks

pytestmark = pytest.mark.slow

COURSE = Course(REPOSITORY)
DESKTOP = {"width": 1300, "theme": "light"}
PHONE = {"width": 390, "theme": "dark"}
LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "src"}


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    """The site, built as `make docs` does, with the lessons' outputs that it may have left."""
    if importlib.util.find_spec("sphinx_book_theme") is None:
        pytest.skip("Sphinx is not installed: make docs")
    out = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-j", "2"]
    done = subprocess.run(
        [*command, "-d", str(out / "doctrees"), "docs", str(out / "html")],
        cwd=REPOSITORY,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr[-5000:]
    return out / "html"


@functools.cache
def pages_of(site: Path) -> dict[str, BeautifulSoup]:
    """Every page by its path."""
    return {
        path.relative_to(site).as_posix(): BeautifulSoup(path.read_text("utf-8"), "html.parser")
        for path in sorted(site.rglob("*.html"))
        if "_static" not in path.parts
    }


def dead_links(site: Path) -> list[str]:
    """Every link within the site that leads to no file, or to no place on its page."""
    pages = pages_of(site)
    places = {name: {tag["id"] for tag in page.find_all(id=True)} for name, page in pages.items()}
    dead = []
    for name, page in pages.items():
        links = [tag["href"] for tag in page.find_all("a", href=True)]
        links += [tag["src"] for tag in page.find_all(src=True)]
        for link in dict.fromkeys(links):
            address, place = urldefrag(link)
            if urlsplit(address).scheme:
                continue
            path = (
                (site / name).parent / unquote(urlsplit(address).path) if address else site / name
            )
            target = Path(os.path.normpath(path)).relative_to(site).as_posix()
            if not path.is_file() or (place and unquote(place) not in places.get(target, ())):
                dead.append(f"{name}: {link}")
    return dead


def test_every_notebook_has_a_page_with_its_three_buttons(site):
    for lesson in COURSE.lessons():
        page = pages_of(site)[f"lessons/{lesson.module.folder}/{lesson.name}.html"]
        buttons = [tag["href"] for tag in page.select("ul.launch a")]
        hosts = [urlsplit(link).hostname for link in buttons]
        assert hosts == ["mybinder.org", "colab.research.google.com", "github.com"]
        assert lesson.release.as_posix() in buttons[0]


def test_every_module_has_a_page_with_all_that_is_made_for_it(site):
    for module in COURSE.modules():
        page, many = pages_of(site)[f"modules/{module.folder}.html"], len(module.notebooks)
        assert len(page.select("ul.launch li")) == many
        assert len(page.select("svg.diagram")) == 1
        assert len(page.select("#check-your-understanding details")) == many
        assert len(page.select("#common-errors .message")) == len(common_errors(COURSE, module))
        assert len(page.select("#api dl.py > dt")) > many
        assert page.select("#further-reading li")


def test_no_link_within_the_site_is_dead(site):
    assert dead_links(site) == []


def test_a_dead_link_is_found(tmp_path):
    (tmp_path / "a.html").write_text('<a href="b.html#here">b</a> <img src="c.png">', "utf-8")
    (tmp_path / "b.html").write_text('<p id="there"> <a href="a.html">a</a>', "utf-8")
    assert dead_links(tmp_path) == ["a.html: b.html#here", "a.html: c.png"]


def test_a_page_loads_nothing_from_elsewhere(site):
    loaded = {
        link
        for page in pages_of(site).values()
        for tag in page.find_all([*LOADED, "link"])
        if "canonical" not in tag.get("rel", [])
        for link in (tag.get(LOADED.get(tag.name, "href")),)
        if link and urlsplit(link).scheme in ("http", "https")
    }
    assert loaded == set()


def test_no_page_gives_an_answer_away(site):
    assert list(find_leaks(COURSE, REPOSITORY / "docs" / "lessons")) == []
    assert list(find_leaks(COURSE, COURSE.notebooks / "02_activations")), "solved notebooks do"


def test_the_search_finds_a_name(site):
    html = look_at(f"{(site / 'search.html').as_uri()}?q=RowSparseGrad")
    results = BeautifulSoup(html, "html.parser").select("#search-results a")
    assert any("modules/05_autograd.html" in tag.get("href", "") for tag in results)


@pytest.fixture(scope="module")
def found(site) -> list[dict]:
    """Every page on a phone in the dark, and all but most lessons on a desktop in the light."""
    names = list(pages_of(site))
    wide = [name for name in names if not name.startswith("lessons/") or "tensor" in name]
    jobs = [{"page": name, **PHONE} for name in names]
    return look(site, jobs + [{"page": name, **DESKTOP} for name in wide])


def test_axe_finds_nothing(found):
    assert [job for job in found if "error" in job] == []
    violations = {
        f"{violation['rule']}: {violation['html']} ({job['page']}, {job['theme']})"
        for job in found
        for violation in job["violations"]
    }
    assert sorted(violations) == []


def test_a_phone_shows_every_page_without_scrolling_sideways(found):
    assert {job["page"]: job["overflow"] for job in found if job["overflow"]} == {}


def test_the_keyboard_first_offers_to_skip_the_menu_and_is_seen_wherever_it_goes(found):
    assert all("Skip to main content" in job["first"] for job in found)
    assert {(job["page"], stop) for job in found for stop in job["unseen"]} == set()


def test_what_is_wrong_is_found(tmp_path):
    (tmp_path / "bad.html").write_text(
        '<!doctype html><html lang="en"><title>Bad</title><main><h1>Bad</h1>'
        '<p style="color: #aaa; background: #fff">pale</p><img src="bad.png">'
        '<div style="width: 600px">wide</div><button style="outline: none">b</button></main>',
        encoding="utf-8",
    )
    (job,) = look(tmp_path, [{"page": "bad.html", **PHONE}])
    assert {violation["rule"] for violation in job["violations"]} == {"color-contrast", "image-alt"}
    assert job["overflow"] >= 600
    assert "button" in job["first"]
    assert len(job["unseen"]) == 1
