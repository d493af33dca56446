"""One deal without a match: the whole question in the address, the explained result on the page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from urllib.parse import urlencode

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext
from werkzeug.datastructures import MultiDict

from scorepad import explain
from scorepad.contracts import Contract
from scorepad.house import CHOICES as HOUSE
from scorepad.house import house_rules
from scorepad.match import Deal, Match, name_mistakes
from scorepad.matchfile import read_match
from scorepad.messages import N_, PRESET_NAMES, Words
from scorepad.question import (
    CHOICES,
    LONGEST_ADDRESS,
    NO_PRESET,
    QuestionForm,
    match_file,
    names_in,
    question,
)
from scorepad.rules import Rules, Values, preset_of
from scorepad.standing import DealResult, Problem, standing
from scorepad.table import SEATS, PerSeat, Seat, clockwise_from
from scorepad.views.common import words
from scorepad.views.dealpage import errors_of

pages = Blueprint("calculator", __name__)

#: The players of a question that names nobody.
COMPASS = PerSeat(N_("North"), N_("East"), N_("South"), N_("West"))

#: The values that can be other than in the preset: contract, field, what it is.
VALUES: tuple[tuple[Contract, str, str], ...] = (
    (Contract.B, "king", N_("King of hearts")),
    (Contract.M, "trick", N_("Trick")),
    (Contract.NQ, "queen", N_("Queen")),
    (Contract.NH, "heart", N_("Heart")),
    (Contract.NH, "ace", N_("Ace of hearts")),
    (Contract.NL2, "second_last_trick", N_("Second last trick")),
    (Contract.NL2, "last_trick", N_("Last trick")),
    (Contract.T, "trump_trick", N_("Trick")),
    (Contract.D, "dominoes_0", N_("First")),
    (Contract.D, "dominoes_1", N_("Second")),
    (Contract.D, "dominoes_2", N_("Third")),
    (Contract.D, "dominoes_3", N_("Fourth")),
    (Contract.RC, "ravage_city", N_("Most of a suit")),
)


@dataclass(frozen=True)
class Result:
    """The figures of the deal asked about, and why."""

    result: DealResult
    why: explain.Why
    say: Words
    contract: str
    rules: str
    address: str


@dataclass(frozen=True)
class CalculatorPage:
    """Everything the page shows; no `result` before a question is asked, or while something is wrong."""

    form: QuestionForm
    names: PerSeat[str]
    compass: PerSeat[str]
    declarer: str
    contracts: tuple[tuple[Contract, str], ...]
    presets: tuple[tuple[str, str], ...]
    choices: tuple[tuple[str, str], ...]
    values: tuple[tuple[Contract, str, str], ...]
    has_own_rules: bool
    result: Result | None = None
    errors: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    clockwise: tuple[Seat, ...] = clockwise_from(Seat.NORTH)


@pages.get("/calculator")
def calculator() -> ResponseReturnValue:
    """The form; with a question in the address its result, under the shortest address that asks it."""
    form, compass = QuestionForm(request.args), compass_names()
    if len(request.full_path) > LONGEST_ADDRESS:
        told = gettext("This address is too long: at most %(n)s characters.", n=LONGEST_ADDRESS)
        return _again(form, compass, {"form": (told,)}, 414)
    if not {"ask", "contract"} & request.args.keys():
        return render_template("calculator.html", page=_page(form, compass, compass))
    return _answer(form, compass)


def _answer(form: QuestionForm, compass: PerSeat[str]) -> ResponseReturnValue:
    """The answer to a question, where it has a shorter address from there, or what is wrong with it."""
    names = names_in(form, compass)
    if (form.declarer.data or "") not in {"", *(str(s.value) for s in SEATS)}:
        return _again(form, compass, {"declarer": (gettext("Say who declared."),)})
    form.declarer.data = form.declarer.data or "0"
    match, problems = read_match(match_file(form))
    problems = (*(Problem(None, mistake) for mistake in name_mistakes(names)), *problems)
    if match is None or problems or not isinstance(match.deals[0], Deal):
        return _again(form, compass, _errors(problems, names))
    preset = form.preset.data or NO_PRESET
    shortest = question(match.deals[0], match.rules, names, compass, preset=preset)
    if list(shortest.items(multi=True)) != list(request.args.items(multi=True)):
        return redirect(address_of(shortest))
    match = replace(match, players=names)
    page = _page(form, names, compass, result=_result(match, shortest))
    return render_template("calculator.html", page=page)


def address_of(asked: MultiDict[str, str], *, external: bool = False) -> str:
    """The address of a question; `external` is one to be sent to somebody."""
    page = url_for("calculator.calculator", _external=external)
    return f"{page}?{urlencode(list(asked.items(multi=True)))}"


def address_of_deal(deal: Deal, rules: Rules, names: PerSeat[str]) -> str:
    """The address that asks about a deal of a match; without the names where they are too long for it."""
    compass, preset = compass_names(), preset_of(rules) or NO_PRESET
    address = address_of(question(deal, rules, names, compass, preset=preset))
    if len(address) <= LONGEST_ADDRESS:
        return address
    return address_of(question(deal, rules, compass, compass, preset=preset))


def compass_names() -> PerSeat[str]:
    """The four sides of the table in the reader’s language."""
    return COMPASS.map(lambda name: str(gettext(name)))


def _again(
    form: QuestionForm, compass: PerSeat[str], errors: Mapping[str, tuple[str, ...]], status: int = 422
) -> ResponseReturnValue:
    """The form with what is wrong beside its fields, the inputs kept."""
    page = _page(form, names_in(form, compass), compass, errors=errors)
    return render_template("calculator.html", page=page), status


def _page(
    form: QuestionForm,
    names: PerSeat[str],
    compass: PerSeat[str],
    *,
    result: Result | None = None,
    errors: Mapping[str, tuple[str, ...]] | None = None,
) -> CalculatorPage:
    """What the page shows."""
    say = words(names)
    own = [*CHOICES, *(f"v_{name}" for _, name, _ in VALUES)]
    return CalculatorPage(
        form=form,
        names=names,
        compass=compass,
        declarer=form.declarer.data or "0",
        contracts=tuple((c, say.write(c)) for c in Contract),
        presets=tuple((key, say.gettext(name)) for key, name in PRESET_NAMES.items()),
        choices=tuple((name, say.gettext(HOUSE[choice])) for name, choice in CHOICES.items()),
        values=tuple((c, name, say.gettext(text)) for c, name, text in VALUES),
        has_own_rules=any(form[name].data for name in own),
        result=result,
        errors=errors or {},
    )


def _result(match: Match, asked: MultiDict[str, str]) -> Result | None:
    """The figures of a match of one deal, and why; None for a deal without any."""
    (result,), say = standing(match).deals, words(match.players)
    why, contract = explain.why(result, match.rules), say.write(result.deal.contract)
    address = address_of(asked, external=True)
    return Result(result, why, say, contract, house_rules(match.rules, say), address) if why else None


def _errors(problems: tuple[Problem, ...], names: PerSeat[str]) -> dict[str, tuple[str, ...]]:
    """What is wrong, by the field it belongs beside."""
    say = words(names)
    of_deal = tuple(p for p in problems if p.deal is not None)
    errors = errors_of(of_deal, say, 1)
    for problem in problems:
        if problem.deal is None:
            where = _beside(problem, names)
            errors[where] = (*errors.get(where, ()), say(problem.mistake.message))
    return errors


def _beside(problem: Problem, names: PerSeat[str]) -> str:
    """The field that a mistake in the names or the house rules belongs beside."""
    values = problem.mistake.values
    if "seat" in values:
        return f"name_{values['seat'].value}"
    if problem.mistake.code == "names_alike":
        return f"name_{max(s.value for s in SEATS if names[s] == values['name'])}"
    if problem.mistake.code == "ravage_city_does_not_divide":
        return "v_ravage_city"
    name = str(values.get("name", ""))
    if name in Values.__dataclass_fields__:
        return f"v_{name}" if name != "dominoes" else "v_dominoes_0"
    return "preset"
