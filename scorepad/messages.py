"""The sentences of scorepad: for each key of the core its English text, and how its values are written."""

from __future__ import annotations

import string
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from scorepad.contracts import Contract
from scorepad.rules import Message
from scorepad.table import PerSeat, Seat

MINUS = "\N{MINUS SIGN}"
FULL_STOP, STOPS = ".", ".。"


def N_(text: str) -> str:  # noqa: N802  the name gettext tools look for
    """Mark a text for translation; it is translated when it is shown."""
    return text


def NN_(one: str, many: str) -> tuple[str, str]:  # noqa: N802  a name of the same kind
    """Mark a text that has a form for one and a form for many."""
    return one, many


CONTRACT_NAMES: Mapping[Contract, str] = {
    Contract.B: N_("Barbu"),
    Contract.M: N_("Misère"),
    Contract.NQ: N_("No Queens"),
    Contract.NH: N_("No Hearts"),
    Contract.NL2: N_("No Last Two"),
    Contract.T: N_("Trumps"),
    Contract.D: N_("Dominoes"),
    Contract.RC: N_("Ravage City"),
}

PRESET_NAMES: Mapping[str, str] = {
    "standard": N_("Standard"),
    "seven-in-a-row": N_("Seven in a row"),
    "german": N_("German"),
    "german-other-values": N_("German with the other values"),
    "ravage-city": N_("Ravage City"),
}

PRESET_ABOUT: Mapping[str, str] = {
    "standard": N_("The declaration goes round after every deal."),
    "seven-in-a-row": N_("Each player declares all his contracts in a row."),
    "german": N_("Seven in a row; a deal that nobody doubles is played."),
    "german-other-values": N_("The same, with the king at −15 and Dominoes at 40, 20, 10, −10."),
    "ravage-city": N_("Standard, with an eighth contract: most cards of one suit. 32 deals."),
}

WORDS: Mapping[str, str] = {
    "tricks": N_("tricks"),
    "queens": N_("queens"),
    "hearts": N_("hearts"),
    "result": N_("result"),
    "deal": N_("deal"),
    "doubles": N_("doubles"),
    "rules": N_("rules"),
    "title": N_("title"),
    "place": N_("place"),
    "note": N_("note"),
    "reason": N_("reason"),
    "currency": N_("currency"),
    "object": N_("a group of fields in { }"),
    "text": N_("text in quotes"),
    "boolean": N_("true or false"),
    "list": N_("a list in [ ]"),
    "two players": N_("a list of two players"),
    "four players": N_("a list of all four players"),
    "four numbers": N_("a list of four whole numbers"),
}

#: What is wrong, where, and what to mend: the code of each mistake with its sentence.
MISTAKES: Mapping[str, str] = {
    "ace_without_hearts": N_(
        "{player} took the ace of hearts, so {player} took at least one heart. "
        "Correct the hearts, or who took the ace."
    ),
    "agreed_after_no_deal": N_("Agreed points stand after deal {after_deal}; the deals are 0 to {most}."),
    "agreed_too_large": N_("Agreed points go up to {most}."),
    "contract_declared_twice": N_(
        "{declarer} declared {contract} in deal {used} already. "
        "Choose another contract, or correct deal {used}."
    ),
    "contract_not_in_game": N_("{contract} is not played at this table. Choose another contract."),
    "count_is_negative": N_("{player} cannot take {counted} {what:word}. The least is 0."),
    "count_missing": N_("How many {what:word} did {player} take? 0 counts too."),
    "declarer_may_only_redouble": N_(
        "{player} declares, so {player} may double only those who doubled {player}; {doubled} did not."
    ),
    "double_of_oneself": N_("{player} cannot double {player}."),
    "field_missing": N_("“{name}” is missing."),
    "field_twice": N_("“{name}” stands twice in the same place. Keep one."),
    "file_not_json": N_("This is not a match file: it stops being JSON at line {line}, column {column}."),
    "file_not_utf8": N_("This is not a match file: it is not UTF-8 text."),
    "file_too_large": N_("This is not a match file: it is larger than {most} bytes."),
    "flank_double_not_allowed": N_("{player} may double only the declarer, {declarer}, here; not {doubled}."),
    "most_names_nobody": N_("Say who holds most cards of a suit: one to four players, each once."),
    "name_missing": N_("Every player needs a name."),
    "name_not_printable": N_("A name cannot hold control characters."),
    "name_too_long": N_("A name has at most {most} characters."),
    "named_twice": N_("{name} is named twice. Name each player once."),
    "names_alike": N_("“{name}” and “{other}” look the same. Give one of them another name."),
    "no_match_in_pdf": N_(
        "There is no match in this PDF. Take a sheet of scorepad as it was downloaded, or the match file: "
        "a PDF that was printed or saved anew on the way has lost it."
    ),
    "nobody_doubled": N_(
        "Nobody doubled, so {contract} is passed out and has no result. "
        "Enter the doubles, or mark it passed out."
    ),
    "not_a_date": N_("“{found}” is not a day. Write it as 2026-11-30."),
    "not_a_whole_number": N_("“{found}” is not a whole number in plain digits."),
    "not_an_amount": N_("“{found}” is not an amount. Write it as “0.05”."),
    "noted_elsewhere": N_("“{name}” does not belong to {contract}."),
    "number_too_large": N_("“{name}”: numbers go up to {most}."),
    "open_but_not_last": N_("This deal has no result. Only the last deal may be open."),
    "open_with_result": N_("The hand is still being played, so it has no result. Save it as a deal."),
    "order_names_twice": N_("{players} is named twice in the finishing order. Everybody finishes once."),
    "passed_out_but_doubled": N_("Somebody doubled, so the deal was played. Enter its result."),
    "passed_out_but_played_here": N_(
        "At this table {contract} is played even when nobody doubles. Enter its result."
    ),
    "passed_out_with_result": N_("A deal that was passed out was not played and has no result."),
    "pdf_not_readable": N_("This PDF cannot be read: it is broken, cut short or locked by a password."),
    "players_not_four": N_("Barbu is for four players; {counted} are named."),
    "positive_passed_out": N_("{contract} is always played. Enter its result."),
    "ravage_city_does_not_divide": N_(
        "Ravage City at {value} cannot be shared by two, three or four. Choose a multiple of {unit}."
    ),
    "replaced_at_no_deal": N_(
        "A player is replaced from deal {from_deal} on; that must be one of the deals 1 to {most}."
    ),
    "bad_id": N_("A save needs an id of 8 to 64 letters, digits, - and _; “{found}” is none."),
    "result_missing": N_("The result is missing: say who took what."),
    "result_and_passed_out": N_("A deal that was passed out has no result. Keep one of the two."),
    "tally_does_not_add_up": N_("The {what:word} must make {expected}; these make {counted}."),
    "text_not_printable": N_("The {name:word} cannot hold control characters or line breaks."),
    "text_too_long": N_("The {name:word} has at most {most} characters."),
    "too_many_compulsory_doubles": N_(
        "{asked} compulsory doubles cannot all be made. Choose a number from 0 to {most}."
    ),
    "too_many_deals": N_("There are {counted} deals; only the first {most} were looked at."),
    "too_many_entries": N_("“{name}” has {counted} entries; only the first {most} were looked at."),
    "unknown_field": N_("“{name}” is not a field of the match file. Remove it, or correct its spelling."),
    "unknown_player": N_("“{name}” is not at this table."),
    "unknown_value": N_("“{name}” cannot be “{found}”. It can be: {allowed:in order}."),
    "value_too_large": N_("“{name}”: values go up to {most}."),
    "wrong_format": N_("This is not a match file: its “format” should be “{wanted}”, not “{found}”."),
    "wrong_kind": N_("“{name}” should hold {wanted:word}."),
    "wrong_tally": N_("This result belongs to another contract than {contract}."),
}

#: What is true but irregular.
WARNINGS: Mapping[str, str] = {
    "declared_out_of_turn": N_("{declarer} declared out of turn; it was {proposed}’s turn."),
    "forced_double_missing": N_("{player} had to double {declarer} and did not."),
}

#: Sentences of `explain`.
SENTENCES: Mapping[str, str | tuple[str, str]] = {
    "took_king": N_("{player} took the king of hearts."),
    "took_tricks": NN_("{player} took {n} trick.", "{player} took {n} tricks."),
    "took_queens": NN_("{player} took {n} queen.", "{player} took {n} queens."),
    "took_hearts": NN_("{player} took {n} heart.", "{player} took {n} hearts."),
    "took_hearts_and_ace": NN_(
        "{player} took {n} heart, the ace.", "{player} took {n} hearts, the ace among them."
    ),
    "took_last_two": N_("{player} took both last tricks."),
    "took_second_last": N_("{player} took the second last trick."),
    "took_last": N_("{player} took the last trick."),
    "finished": N_("{first} finished first, then {then:in order}."),
    "held_most": NN_("{players} held most of a suit.", "{players} tied for most of a suit."),
    "was_passed_out": N_("Nobody doubled: passed out."),
    "is_open": N_("The hand is being played."),
    "basic_count": N_("{player}: {n} × {each} = {basic:+}"),
    "basic_hearts_and_ace": N_("{player}: {n} × {each}, the ace {ace}: {basic:+}"),
    "basic_last_two": N_("{player}: {second_last}, {last} = {basic:+}"),
    "basic_shared": N_("{player}: {all}, shared by {n} = {basic:+}"),
    "basic_place": N_("{player}: place {place}: {basic:+}"),
    "basic_plain": N_("{player}: {basic:+}"),
    "basic_passed_out": N_("{player}: a third of it: {basic:+}"),
    "basic_passed_out_declarer": N_("{player} declared: the rest: {basic:+}"),
    "pair_without_business": N_("{first} and {second} had no business: nothing moves."),
    "pair_doubled": NN_(
        "{doubler} doubled {doubled}. {doubler} {doubler_basic:+}, {doubled} {doubled_basic:+}: "
        "{n} point passes from {loser} to {winner}.",
        "{doubler} doubled {doubled}. {doubler} {doubler_basic:+}, {doubled} {doubled_basic:+}: "
        "{n} points pass from {loser} to {winner}.",
    ),
    "pair_doubled_equal": N_(
        "{doubler} doubled {doubled}. Both have {doubler_basic:+}: equal, so nothing moves."
    ),
    "pair_redoubled": N_(
        "{doubler} and {doubled} doubled each other. "
        "{doubler} {doubler_basic:+}, {doubled} {doubled_basic:+}: "
        "twice {difference}, so {n} points pass from {loser} to {winner}."
    ),
    "pair_redoubled_equal": N_(
        "{doubler} and {doubled} doubled each other. Both have {doubler_basic:+}: equal, so nothing moves."
    ),
    "row_check": N_("The four scores make {total:+}, the value of {contract}."),
    "doubled": N_("{player} doubled {whom}."),
    "doubled_everybody": N_("{player} doubled everybody."),
    "redoubled": N_("{player} redoubled {whom}."),
    "doubled_and_redoubled": N_("{player} doubled {whom} and redoubled {back}."),
    "no_doubles": N_("Nobody doubled."),
    "double_counts": N_("{player} doubled {declarer}: it counts, {left} still owed."),
    "double_was_forced": N_("{player} had to double {declarer}, and did: {left} still owed."),
    "double_does_not_count": N_(
        "{player} doubled {declarer}: in {contract} it does not count, {left} still owed."
    ),
    "double_not_needed": N_("{player} doubled {declarer}: it counts for nothing more, {left} owed."),
    "double_forced_but_missing": N_("{player} had to double {declarer}, owing {n}, and did not."),
    "stake_king": N_("the king"),
    "stake_trick": N_("one trick"),
    "stake_queen": N_("one queen"),
    "stake_heart": N_("one heart"),
    "stake_ace": N_("the ace"),
    "stake_trick_number": N_("trick {number}"),
    "stake_place": N_("place {place}"),
    "stake_most": N_("most of a suit"),
    "in_deal": N_("Deal {number}: {sentence}"),
    "read_back": N_("Deal {number}: {declarer} declared {contract}."),
    "moved": NN_("{n} point from {loser} to {winner}.", "{n} points from {loser} to {winner}."),
    "moved_twice": NN_(
        "redoubled, {n} point from {loser} to {winner}.", "redoubled, {n} points from {loser} to {winner}."
    ),
    "moved_nothing": N_("nothing between {first} and {second}."),
    "who_deals": N_("{dealer} deals, {cutter} cuts, {leader} leads."),
    "must_double": N_("{player} must double {declarer}: owes {n}, {left} left."),
    "deal_counted": N_("Deal {number}, {contract}: doubled, counts."),
    "deal_not_doubled": N_("Deal {number}, {contract}: not doubled."),
    "deal_not_doubled_forced": N_("Deal {number}, {contract}: not doubled, though it was forced."),
    "deal_passed_out": N_("Deal {number}, {contract}: passed out."),
    "deal_passed_out_forced": N_("Deal {number}, {contract}: passed out, though a double was forced."),
    "deal_not_needed": N_("Deal {number}, {contract}: doubled, when nothing was owed any more."),
    "deal_open": N_("Deal {number}, {contract}: being played, not doubled so far."),
    "deal_positive_not_counted": N_("Deal {number}, {contract}: doubled, but does not count at this table."),
    "double_not_made": N_("{player} did not double {declarer}: {n} still owed."),
    "owed_before": N_("Owed before this deal: {n}. Declarations left then, this one included: {left}."),
    "owes_nothing": N_("{player} owes {declarer} nothing more."),
    "owes_more": NN_(
        "{player} still owes {declarer} {n} double: {made} counted so far.",
        "{player} still owes {declarer} {n} doubles: {made} counted so far.",
    ),
    "to_come": NN_(
        "{declarer} has {n} contract still to declare: {contracts}.",
        "{declarer} has {n} contracts still to declare: {contracts}.",
    ),
    "to_come_counting": NN_("Only {n} of them can still count.", "Only {n} of them can still count."),
    "nothing_to_come": N_("{declarer} has declared everything."),
    "must_double_in_hand": N_("{player} must double {declarer} in the hand that is being played."),
    "must_double_each": N_("So {player} must double {declarer} each time."),
    "must_double_in": N_("So {player} must double {declarer} in {contracts}."),
    "is_short": NN_(
        "{n} double can no longer be made: a shortfall.", "{n} doubles can no longer be made: a shortfall."
    ),
    "double_missing_now": N_("Deal {number}: {player} now had to double {declarer}, and did not."),
    "double_missing_no_more": N_("Deal {number}: {player} no longer had to double {declarer}."),
    "double_made_up": N_("Deal {number}: {player}’s double of {declarer}, which was missing, is there now."),
    "double_forced_now": N_("Deal {number}: {player}’s double of {declarer} is forced now."),
    "double_forced_no_more": N_(
        "Deal {number}: {player}’s double of {declarer} was forced and no longer is."
    ),
    "double_counts_now": N_("Deal {number}: {player}’s double of {declarer} counts now."),
    "double_counts_not_now": N_("Deal {number}: {player}’s double of {declarer} does not count now."),
    "double_not_needed_now": N_("Deal {number}: {player}’s double of {declarer} is no longer needed."),
    "short_now": N_("{player} is now short of {declarer} by {n}."),
    "short_no_more": N_("{player} is no longer short of {declarer}."),
    "owes_now": N_("{player} owes {declarer} {n}; it was {before}."),
}

#: Why there is no PDF, and what to do; the keys are the reasons of `pdf`.
PDF_UNAVAILABLE: Mapping[str, str] = {
    "libraries_missing": N_(
        "This computer lacks the libraries that make PDFs. On Debian or Ubuntu: "
        "apt-get install libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0. On macOS: brew install pango."
    ),
    "worker_crashed": N_("Making the PDF failed. Try once more."),
    "took_too_long": N_("Making the PDF took too long. Try once more."),
    "busy": N_("Many sheets are being printed at this moment. Try once more in a few seconds."),
    "failed": N_("Making the PDF failed. Perhaps the disk is full."),
}

AND = N_("{first} and {last}")
#: Between the clauses of one sentence.
THEN = N_("; ")


def signed(points: int) -> str:
    """Points as players write them: +6, 0, −6 with a true minus sign."""
    return f"+{points}" if points > 0 else unsigned(points)


def unsigned(number: int) -> str:
    """A number with a true minus sign and no plus."""
    return f"{MINUS}{-number}" if number < 0 else str(number)


class _Writer(string.Formatter):
    """Writes the values of a sentence: seats as names, contracts by their names, points with their sign."""

    def __init__(self, words: Words) -> None:
        self.words = words

    def format_field(self, value: Any, format_spec: str) -> str:
        """One value in a sentence."""
        if format_spec == "in order":
            return ", ".join(self.words.write(v) for v in value)
        if format_spec == "word":
            return self.words.gettext(WORDS[value])
        if format_spec == "+":
            return signed(value)
        return self.words.write(value)


@dataclass(frozen=True)
class Words:
    """Puts the messages of the core into a language: the names at the table, and a gettext function."""

    names: PerSeat[str]
    gettext: Callable[[str], str] = N_
    ngettext: Callable[[str, str, int], str] = lambda one, many, n: one if n == 1 else many

    def __call__(self, message: Message) -> str:
        """The sentence of a message."""
        text = TEXTS[message.key]
        if isinstance(text, str):
            return self.fill(text, message.values)
        return self.fill_counted(text, message.values)

    def fill(self, text: str, values: Mapping[str, Any]) -> str:
        """A text in the reader's language with its values written in."""
        return _Writer(self).vformat(self.gettext(text), (), values)

    def fill_counted(self, forms: tuple[str, str], values: Mapping[str, Any]) -> str:
        """The same for a text with a form for one and a form for many (`n`)."""
        return _Writer(self).vformat(self.ngettext(*forms, values["n"]), (), values)

    def all(self, messages: Iterable[Message]) -> str:
        """Several sentences in a row."""
        return " ".join(self(m) for m in messages)

    def one(self, messages: Iterable[Message]) -> str:
        """Several messages as one sentence, to be said in one breath; nothing when there are none."""
        clauses = [self(m).rstrip(STOPS) for m in messages]
        return self.gettext(THEN).join(clauses) + FULL_STOP if clauses else ""

    def write(self, value: Any) -> str:
        """One value: a seat as the player's name, a list with "and" before its last."""
        if isinstance(value, Seat):
            return self.names[value]
        if isinstance(value, Contract):
            return self.gettext(CONTRACT_NAMES[value])
        if isinstance(value, tuple):
            return self.listed([self.write(v) for v in value])
        if isinstance(value, int):
            return unsigned(value)
        return str(value)

    def listed(self, items: list[str]) -> str:
        """Anna, Ben and Carla."""
        if len(items) < 2:
            return "".join(items)
        return self.gettext(AND).format(first=", ".join(items[:-1]), last=items[-1])


#: Every sentence of the core by its key.
TEXTS: Mapping[str, str | tuple[str, str]] = {**MISTAKES, **WARNINGS, **SENTENCES}
