"""What the page of a deal says by itself, in the reader's language; `{x}` is filled in on the phone."""

from __future__ import annotations

from typing import Any

from flask_babel import gettext

from scorepad.messages import NN_
from scorepad.views.common import CLOSED
from scorepad.views.phone import plural


def texts() -> dict[str, Any]:
    """Every text of the deal's modules by its key."""
    return {
        "max": gettext("Max"),
        "all": gettext("All"),
        "flanks": gettext("Flanks"),
        "pass": gettext("Pass"),
        "declares": gettext("declares, may redouble"),
        "speaks": gettext("to speak"),
        "passed": gettext("passed"),
        "noMore": gettext("No more"),
        "allSpoken": gettext("all have spoken"),
        "soFar": gettext("so far"),
        "ifPassed": gettext("if nobody doubles"),
        "without": gettext("not doubled"),
        "owes": gettext("must double: owes {owed}, {left} left"),
        "must": gettext("{n} must double"),
        "declaredIn": gettext("That was declared in deal {n} already."),
        "usedIn": gettext("deal {n}"),
        "heading": gettext("{name} declares"),
        "correct": gettext("Correct deal {n}"),
        "forgotten": gettext("Forgotten deal {n}"),
        "mend": gettext("Mend deal {n}"),
        "about": gettext("Deal {n} of {all}"),
        "declared": gettext("{name} declared"),
        "playing": gettext("being played"),
        "running": {
            "tricks": gettext("{counted} of {all} tricks"),
            "queens": gettext("{counted} of {all} queens"),
            "hearts": gettext("{counted} of {all} hearts"),
        },
        "missing": {
            "tricks": plural(*NN_("{n} trick still to count", "{n} tricks still to count")),
            "queens": plural(*NN_("{n} queen still to count", "{n} queens still to count")),
            "hearts": plural(*NN_("{n} heart still to count", "{n} hearts still to count")),
        },
        "note": gettext("Note something"),
        "noteTrump": gettext("Trump suit, note"),
        "tooMany": gettext("{n} too many"),
        "claim": gettext("The rest to {name}: {n}"),
        "chooseContract": gettext("Choose the contract"),
        "chooseKing": gettext("Who took the king?"),
        "chooseAce": gettext("Who took the ace of hearts?"),
        "chooseLastTwo": gettext("Who took the last two tricks?"),
        "chooseOrder": gettext("Who finished, in order?"),
        "chooseMost": gettext("Who holds most of a suit?"),
        "save": gettext("Save deal {n}"),
        "saveCorrection": gettext("Save the correction"),
        "passedOut": gettext("Nobody doubled: save"),
        "spoken": plural(*NN_("{n} double", "{n} doubles")),
        "basic": gettext("Basic"),
        "doubles": gettext("Doubles"),
        "score": gettext("Score"),
        "total": gettext("Total"),
        "moves": gettext("{loser} pays {winner} {points}"),
        "left": gettext("left: {list}"),
        "allDeclared": gettext("all declared"),
        "debts": gettext("owes {list}"),
        "debt": gettext("{name} {n}"),
        "noDebts": gettext("owes nobody"),
        "saved": gettext("Deal {n} is saved. Say it aloud"),
        "dropped": gettext("Deal {n} is dropped: {name} declares again"),
        "correctIt": gettext("Correct it"),
        "why": gettext("Why?"),
        "keptHere": gettext("Deal {n} is kept on this phone. Say it aloud"),
        "refused": gettext("Deal {n} was not taken"),
        "reused": gettext("Deal {n} was saved already, with other figures"),
        "stale": gettext("Somebody else saved deal {n} meanwhile"),
        "theirs": gettext("What stands"),
        "yours": gettext("Yours, not saved"),
        "nothing": gettext("nothing yet"),
        "removed": gettext("The deal was removed."),
        "mendMine": gettext("Mend it"),
        "saveMine": gettext("Save mine"),
        "leave": gettext("Leave it as it is"),
        "asNext": gettext("It is another hand: save it as the next"),
        "notNow": gettext("Not now"),
        "play": gettext("Play"),
        "closed": gettext(CLOSED),
        "reopen": gettext("Reopen the match"),
        "again": gettext("Save it again"),
        "drop": gettext("Drop it"),
        "dropSure": gettext("Really drop deal {n}"),
        "overtaken": gettext("Deal {n} was saved on another phone"),
        "notSaved": gettext("What you have entered here is not saved."),
        "goOn": gettext("Go on with deal {n}"),
        "away": gettext(
            "As of {time}: the server cannot be reached. Go on: the deals are kept on this phone."
        ),
        "stays": gettext("The server cannot be reached, so that page cannot be opened. This one goes on."),
        "finished": gettext("All deals are played"),
        "ended": gettext("This phone may no longer score this match."),
        "difference": gettext("The server counts differently: {list}. What it says stands."),
    }
