"""Pages as a phone without JavaScript meets them: what they say, their links, and their forms."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

NAMES = ("Anna", "Ben", "Carla", "Dan")

VOID = {"meta", "link", "input", "br", "hr", "img", "source", "wbr", "col"}
NOT_SHOWN = {"script", "style", "template", "head"}


@dataclass
class Element:
    """An element of a page: its attributes, and the elements and texts in it."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    inside: list[Element | str] = field(default_factory=list)

    def all(self, tag: str = "", **attributes: str) -> Iterator[Element]:
        """This element and those in it, of this kind and with these attributes (`class_` for the class)."""
        wanted = {name.rstrip("_").replace("_", "-"): value for name, value in attributes.items()}
        if tag in {"", self.tag} and all(self._has(n, v) for n, v in wanted.items()):
            yield self
        for part in self.inside:
            if isinstance(part, Element):
                yield from part.all(tag, **attributes)

    def _has(self, name: str, value: str) -> bool:
        """Whether an attribute is as wanted; one word of it is enough for a class."""
        found = self.attributes.get(name)
        return found is not None and (value in found.split() if name == "class" else value == found)

    def one(self, tag: str = "", **attributes: str) -> Element:
        """The only element of this kind with these attributes."""
        (found,) = self.all(tag, **attributes)
        return found

    @property
    def text(self) -> str:
        """What is read, spaces as a browser shows them; what is hidden by its kind is left out."""
        return " ".join("".join(self._texts()).split())

    def _texts(self) -> Iterator[str]:
        for part in self.inside:
            if isinstance(part, str):
                yield part
            elif part.tag not in NOT_SHOWN:
                yield " " if part.tag not in {"b", "em", "span", "bdi", "abbr", "small"} else ""
                yield from part._texts()
                yield " "


class _Builder(HTMLParser):
    """Builds the elements of a page, and is stricter than a browser: every element is closed in its turn."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open = [Element("document")]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element begins."""
        assert len({name for name, _ in attrs}) == len(attrs), f"an attribute twice: <{tag} {attrs}>"
        made = Element(tag, {name: value or "" for name, value in attrs})
        self.open[-1].inside.append(made)
        if tag not in VOID:
            self.open.append(made)

    def handle_endtag(self, tag: str) -> None:
        """An element ends."""
        if tag not in VOID:
            assert self.open.pop().tag == tag, f"</{tag}> at line {self.getpos()[0]} closes nothing"

    def handle_data(self, data: str) -> None:
        """A text."""
        self.open[-1].inside.append(data)


def elements(html: str) -> Element:
    """The elements of a page."""
    builder = _Builder()
    builder.feed(html)
    builder.close()
    (document,) = builder.open
    return document


class Form:
    """A form as it would be sent: the values of its fields, each a list."""

    def __init__(self, page: Element, form: Element, address: str) -> None:
        self.action = form.attributes.get("action") or address
        self.method = form.attributes.get("method", "get").upper()
        self.values: dict[str, list[str]] = {}
        #: What can be chosen, for fields that offer a choice.
        self.choices: dict[str, list[str]] = {}
        inside = [e for e in form.all() if "form" not in e.attributes]
        outside = list(page.all(form=form.attributes["id"])) if "id" in form.attributes else []
        for element in (*inside, *outside):
            self._take(element)

    def _take(self, element: Element) -> None:
        """Take over one field as it stands."""
        name, value = element.attributes.get("name", ""), element.attributes.get("value", "")
        kind = element.attributes.get("type", "text")
        if not name or element.tag not in {"input", "select"} or "disabled" in element.attributes:
            return
        if element.tag == "select":
            options = [(o, o.attributes.get("value", o.text)) for o in element.all("option")]
            chosen = [v for o, v in options if "selected" in o.attributes]
            self.choices[name] = [v for _, v in options]
            self.values[name] = chosen or [options[0][1]]
        elif kind in {"radio", "checkbox"}:
            self.choices.setdefault(name, []).append(value)
            self.values.setdefault(name, [])
            if "checked" in element.attributes:
                self.values[name].append(value)
        elif kind != "file":
            self.values.setdefault(name, []).append(value)

    def fill(self, **values: str | int | list[str]) -> Form:
        """Set fields to what is typed or chosen; the same form."""
        for name, value in values.items():
            self.values[name] = [str(v) for v in value] if isinstance(value, list) else [str(value)]
        return self

    def __getitem__(self, name: str) -> str:
        """The one value of a field, "" when nothing is chosen."""
        values = self.values[name]
        assert len(values) < 2, f"{name}: {values}"
        return values[0] if values else ""

    def typed(self) -> dict[str, list[str]]:
        """What a person typed or chose, without what the server hid in the form."""
        hidden = {"csrf_token", "id", "seen", "number", "draft", "without", "do", "looked"}
        return {n: sorted(v) for n, v in self.values.items() if n not in hidden and any(v)}


class Page:
    """A page as it arrived, after all redirects."""

    def __init__(self, answer: TestResponse) -> None:
        self.status = answer.status_code
        self.headers = answer.headers
        self.address = answer.request.full_path.rstrip("?")
        self.passed = [one.request.path for one in answer.history]
        self.html = answer.text
        self.elements = elements(self.html)

    @property
    def body(self) -> Element:
        """What is shown."""
        return self.elements.one("body")

    @property
    def text(self) -> str:
        """All that is read on the page."""
        return self.body.text

    @property
    def heading(self) -> str:
        """The page's first heading."""
        return self.elements.one("h1").text

    @property
    def wrong(self) -> dict[str, list[str]]:
        """What is said to be wrong, by the field it stands beside; "" where it belongs to no field."""
        told: dict[str, list[str]] = {}
        for sentence in self.elements.all(class_="wrong"):
            where = sentence.attributes.get("id", "").removeprefix("wrong-").partition("-")[0]
            told.setdefault(where, []).append(sentence.text)
        return told

    @property
    def links(self) -> list[str]:
        """Where the links lead."""
        return [a.attributes["href"] for a in self.elements.all("a")]

    def form(self, id: str = "") -> Form:  # noqa: A002  as in HTML
        """The form with this id, or the only one."""
        found = self.elements.one("form", id=id) if id else self.elements.one("form")
        return Form(self.elements, found, self.address)


class Phone:
    """A phone without JavaScript: opens pages, keeps cookies, sends forms as they stand."""

    def __init__(self, client: FlaskClient) -> None:
        self.client = client

    def open(self, address: str) -> Page:
        """Open a page, and follow where it leads."""
        return Page(self.client.get(address, follow_redirects=True, buffered=True))

    def send(self, form: Form, **values: str | int | list[str]) -> Page:
        """Send a form with these fields changed; the page it leads to."""
        form.fill(**values)
        assert form.method == "POST"
        return Page(self.client.post(form.action, data=form.values, follow_redirects=True))

    def send_seen(self, form: Form, **values: str | int | list[str]) -> Page:
        """Send the form of a deal that first shows what saving it does, then save it."""
        page = self.send(form, **values)
        assert list(page.elements.all("section", id="effect"))
        return self.send(page.form("deal"))

    def start(self, *names: str, **values: str | int) -> str:
        """Start a match through the form, the first player declaring; its slug."""
        seats = {f"name_{n}": name for n, name in enumerate(names or NAMES)}
        page = self.send(self.open("/new").form("start"), **{**seats, "first": 0, **values})
        assert page.status == 200, page.wrong
        return page.address.split("/")[2].partition("?")[0]

    def join(self, address: str) -> Page:
        """Open a scoring link and say yes."""
        return self.send(self.open(address).form())

    def next_deal(self, slug: str) -> Form:
        """The form of the next deal."""
        return self.open(f"/m/{slug}/deals/new").form("deal")
