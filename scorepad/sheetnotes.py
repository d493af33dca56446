"""The notes of the sheet: marked lines, who replaced whom, what the fonts lack; and why each deal scored."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from scorepad.explain import why
from scorepad.glyphs import called, numbered
from scorepad.labels import isolated
from scorepad.match import AgreedPoints, Deal
from scorepad.messages import N_, NN_, Words
from scorepad.rules import Message
from scorepad.sheetlines import deal_notes
from scorepad.standing import DealResult, Standing

MOST_LACKING = 40  # characters that are listed; more of them fill the page with numbers

AGREED_NOTE = N_("Agreed after deal {deal}: {points}. {reason}")
POINTS = N_("{player} {points:+}")
DEAL_NOTE = N_("Deal {deal}: {text}")
REPLACED_NOTE = N_("{name} plays for {before} from deal {deal} on.")
LACKING_NOTE = N_("In [ ] stand the names of characters that this sheet’s fonts lack: {characters}.")
MORE_LACKING = NN_("and {n} more", "and {n} more")


@dataclass(frozen=True, slots=True)
class Explained:
    """Why one deal scored as it did: what is said first, and how each pair settled."""

    heading: str
    told: str
    basic: str
    pairs: tuple[str, ...]


def notes(where: Standing, say: Words, corrected: Mapping[int, int]) -> Iterator[str]:
    """The notes to the lines that are marked, and who replaced whom."""
    for r in where.match.replaced:
        names = {"name": isolated(r.name), "before": isolated(where.match.names_at(r.from_deal - 1)[r.seat])}
        yield say.fill(REPLACED_NOTE, {**names, "deal": r.from_deal})
    for number in range(len(where.deals) + 1):
        if number and (
            told := " ".join(deal_notes(where.deals[number - 1], _at(where, number, say), corrected))
        ):
            yield say.fill(DEAL_NOTE, {"deal": number, "text": told})
        yield from (
            _agreed(a, _at(where, number, say)) for a in where.match.agreed_points if a.after_deal == number
        )


def _at(where: Standing, number: int, say: Words) -> Words:
    """The words at the table when a deal was played."""
    return replace(say, names=where.match.names_at(number).map(isolated))


def _agreed(agreed: AgreedPoints, say: Words) -> str:
    """What was agreed, and why."""
    each = (say.fill(POINTS, {"player": s, "points": n}) for s, n in agreed.points.seats() if n)
    values = {"points": ", ".join(each), "reason": isolated(agreed.reason), "deal": agreed.after_deal}
    return say.fill(AGREED_NOTE, values).strip()


def lacking_note(lacking: Sequence[str], say: Words) -> str:
    """The characters that the fonts lack, by name and number; nothing when there are none."""
    if not lacking:
        return ""
    told = [numbered(g) if called(g) == numbered(g) else f"{called(g)} {numbered(g)}" for g in lacking]
    if more := len(told) - MOST_LACKING:
        told[MOST_LACKING:] = [say.fill_counted(MORE_LACKING, {"n": more})] if more > 0 else []
    return say.fill(LACKING_NOTE, {"characters": ", ".join(told)})


def explained(where: Standing, say: Words) -> Iterator[Explained]:
    """Each deal that has figures, in words."""
    for result in where.deals:
        if (told := _explained(result, where, _at(where, result.number, say))) is not None:
            yield told


def _explained(result: DealResult, where: Standing, say: Words) -> Explained | None:
    """One deal in words, or None while it has no figures."""
    found, deal = why(result, where.match.rules), result.deal
    if found is None or not isinstance(deal, Deal):
        return None
    opening = Message(
        "read_back", {"number": result.number, "declarer": deal.declarer, "contract": deal.contract}
    )
    return Explained(
        heading=say(opening),
        told=say.all(found.tally if deal.passed_out else (*found.doubles, *found.tally)),
        basic="; ".join(say(m) for m in found.basic),
        pairs=tuple(say(m) for m in found.pairs),
    )
