"""Lighthouse on a phone, where Node is there to run it: three scores, and what keeps them from 100."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

from conftest import BROWSER_ARGUMENTS, Server, case
from fingers import hand_at, join, start_match
from playwright.sync_api import Browser

from benchmarks import report

CATEGORIES = ("performance", "accessibility", "best-practices")
LIGHTHOUSE = ["npx", "--yes", "lighthouse@12"]  # 13 wants a newer Node than many have

FILE = case("matches/full-match")
DEALS = 14


def measure(browser: Browser, server: Server, chromium: str, folder: Path) -> None:
    """The table and the next deal of a match, looked at by the phone that keeps its score."""
    report.heading("Lighthouse 12, mobile")
    if missing := why_not():
        print(f"  left out: {missing}")
        return
    match = start_match(server, {**FILE, "deals": FILE["deals"][:DEALS]})
    with hand_at(browser, server) as hand:
        join(hand, match["score_url"])
        cookie = "; ".join(f"{c.get('name')}={c.get('value')}" for c in hand.page.context.cookies())
    for name, path in (("table", ""), ("deal", "/deals/new")):
        url = f"{server.url}/m/{match['slug']}{path}"
        show(name, audited(url, cookie, chromium, folder / f"{name}.json"))


def why_not() -> str:
    """What keeps Lighthouse from running, or nothing."""
    if not shutil.which("node") or not shutil.which("npx"):
        return "there is no Node here"
    try:
        asked = subprocess.run([*LIGHTHOUSE, "--version"], capture_output=True, timeout=180, check=False)
    except subprocess.TimeoutExpired:
        return "npm did not bring Lighthouse in three minutes"
    return "npm cannot bring Lighthouse here" if asked.returncode else ""


def audited(url: str, cookie: str, chromium: str, answer: Path) -> Any:
    """What Lighthouse says about a page."""
    profile = answer.with_suffix(".profile")
    options = [
        "--quiet",
        "--output=json",
        f"--output-path={answer}",
        f"--only-categories={','.join(CATEGORIES)}",
        f"--extra-headers={json.dumps({'Cookie': cookie})}",
        f"--chrome-flags={' '.join([*BROWSER_ARGUMENTS, f'--user-data-dir={profile}'])}",
    ]
    environment = {**os.environ, "CHROME_PATH": chromium}
    subprocess.run([*LIGHTHOUSE, url, *options], env=environment, check=True, timeout=180)
    return json.loads(answer.read_text(encoding="utf-8"))


def show(page: str, answer: Any) -> None:
    """The scores of a page, and under each that is not full what cost points."""
    for category in CATEGORIES:
        found = answer["categories"][category]
        report.line(f"{found['title'].lower()} of the {page} page", f"{found['score'] * 100:9.0f}", "100")
        for weighed in found["auditRefs"] if found["score"] < 1 else ():
            audit = answer["audits"][weighed["id"]]
            if costs(audit, weighed["weight"]):
                print(f"      {audit['title']}: {audit.get('displayValue', '')} {elements(audit)}".rstrip())


def costs(audit: Any, weight: float) -> bool:
    """Whether an audit takes points off, or says what would bring some back."""
    if any(audit.get("metricSavings", {}).values()):
        return True
    return bool(weight) and audit["score"] is not None and audit["score"] < 1


def elements(audit: Any) -> str:
    """The first things that an audit means: elements as they stand in the page, or addresses."""
    items = audit.get("details", {}).get("items", [])[:5]
    nodes = [item["node"] for item in items if isinstance(item.get("node"), dict)]
    named = [f"{node.get('snippet')} “{node.get('nodeLabel', '')[:40]}”" for node in nodes]
    return " ".join([*named, *(str(item["url"]) for item in items if "url" in item)]).replace("\n", " ")
