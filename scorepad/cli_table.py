"""A match as lines of text, for `scorepad score`."""

from __future__ import annotations

from collections.abc import Callable

from scorepad.match import Deal
from scorepad.messages import N_, Words, signed
from scorepad.standing import DealResult, Standing
from scorepad.table import SEATS

LONGEST_COLUMN = 12


def table_lines(where: Standing, say: Words) -> list[str]:
    """The match as lines of text: a row for each deal, totals, what is owed, the zero check."""
    names = [_short(n) for n in where.match.names]
    width = max(5, *(len(n) for n in names))
    lines = [_row("", names, width)]
    lines += [_row(_label(d, say), _figures(d), width) for d in where.deals]
    lines.append(_row(say.gettext(N_("Total")), [signed(t) for t in where.totals], width))
    lines.append(_row(say.gettext(N_("Rank")), [str(r) for r in where.ranks], width))
    lines += ["", *_owed_lines(where, say), *_ending(where, say)]
    return lines


def _short(name: str) -> str:
    """A name cut to what a column holds."""
    return name if len(name) <= LONGEST_COLUMN else name[: LONGEST_COLUMN - 1] + "…"


def _row(label: str, cells: list[str], width: int) -> str:
    """A line of the table."""
    return f"{label:<30}" + "".join(f"  {cell:>{width}}" for cell in cells)


def _label(result: DealResult, say: Words) -> str:
    """Which deal a row is: its number, declarer, contract."""
    deal = result.deal
    declarer = "?" if deal.declarer is None else _short(say.names[deal.declarer])
    contract = "?" if deal.contract is None else deal.contract.value
    note = ""
    if isinstance(deal, Deal):
        note = say.gettext(N_(" passed out")) if deal.passed_out else ""
        note = say.gettext(N_(" being played")) if result.playing else note
    return f"{result.number:>2} {declarer} {contract}{note}"


def _figures(result: DealResult) -> list[str]:
    """The four scores of a row."""
    return [signed(p) for p in result.score] if result.score else ["–"] * len(SEATS)


def _owed_lines(where: Standing, say: Words) -> list[str]:
    """Who owes whom how many doubles, and what can no longer be made."""
    kinds: tuple[tuple[Callable[..., int], str], ...] = (
        (where.owed, N_("{player} owes {declarer} {n}.")),
        (where.shortfall, N_("{player} can no longer double {declarer} {n} times.")),
    )
    return [
        say.fill(text, {"player": p, "declarer": d, "n": n})
        for count, text in kinds
        for p in SEATS
        for d in p.others
        if (n := count(p, d))
    ]


def _ending(where: Standing, say: Words) -> list[str]:
    """What comes next, and the zero check."""
    lines = []
    if following := where.next:
        values = {"number": following.deal, "declarer": following.declarer, "all": where.deals_in_all}
        lines.append(say.fill(N_("Deal {number} of {all}: {declarer} declares."), values))
    if where.is_complete:
        lines.append(say.fill(N_("{winners} won."), {"winners": where.winners}))
    check = N_("Check: the totals make {actual:+}; the contracts {expected:+}, agreed points {agreed:+}.")
    values = {"actual": sum(where.totals), "expected": where.expected, "agreed": where.agreed}
    lines.append(say.fill(check, values))
    left = [f"{say.names[s]}: {' '.join(c.value for c in where.left(s))}" for s in SEATS if where.left(s)]
    if left:
        lines.append(say.gettext(N_("Left: ")) + ", ".join(left))
    return lines
