"""Compiles the translations while the package is built; hatchling calls it (see pyproject.toml)."""

from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompileTranslations(BuildHookInterface[Any]):
    """Puts beside every catalogue (.po) the form that gettext reads (.mo)."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile every catalogue there is; none at all is fine."""
        for po in Path(self.root, "scorepad", "translations").rglob("*.po"):
            with po.open("rb") as source:
                catalogue = read_po(source)
            with po.with_suffix(".mo").open("wb") as compiled:
                write_mo(compiled, catalogue)
