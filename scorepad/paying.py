"""What is paid, in words: amounts as they are written, and who pays whom."""

from __future__ import annotations

from scorepad.labels import isolated
from scorepad.match import Stake
from scorepad.messages import MINUS, N_, Words
from scorepad.settling import Settling, settling
from scorepad.standing import Standing

PAYS = N_("{payer} pays {payee} {amount}.")
NOBODY_PAYS = N_("Nobody owes anybody anything.")


def payments(where: Standing, stake: Stake, say: Words) -> tuple[str, ...]:
    """Who pays whom how much, in words; one sentence says so when nobody pays."""
    settled = settling(where.totals, stake)
    made = tuple(
        say.fill(
            PAYS, {"payer": p.payer, "payee": p.payee, "amount": in_currency(money(p.amount, settled), stake)}
        )
        for p in settled.payments
    )
    return made or (say.gettext(NOBODY_PAYS),)


def in_currency(amount: str, stake: Stake) -> str:
    """An amount with its currency, which never stand on two lines."""
    return f"{amount}\N{NO-BREAK SPACE}{isolated(stake.currency)}" if stake.currency else amount


def money(amount: int, settled: Settling, *, plus: str = "") -> str:
    """An amount of smallest units as it is written: 4.05, −4.05; with a plus where that is wanted."""
    sign = MINUS if amount < 0 else plus if amount else ""
    whole, part = divmod(abs(amount), 10**settled.decimals)
    return f"{sign}{whole}.{part:0{settled.decimals}d}" if settled.decimals else f"{sign}{whole}"
