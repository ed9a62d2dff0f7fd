"""The options of all commands, as the binary explains them, for the docstrings of the package.

Written anew by ``ARBITER=... python tests/options.py``.
"""

from __future__ import annotations

import json
import re

from conftest import ROOT, arbiter

FILE = ROOT / "python/src/chess_arbiter/_options.py"


def listed() -> str:
    """Text of the module: the first paragraph of each option's help."""
    lines = ["# Written by tests/options.py", "# ruff: noqa: E501", "", "OPTIONS = {"]
    for command in ("adjudicate", "replay", "stats", "validate"):
        text = arbiter(command, "--color=never", "--help").decode()
        found = re.findall(r"(?m)^ (?: -\w,|    ) --([\w-]+).*\n((?: {10}\S.*\n)+)", text)
        options = (
            f"        {json.dumps(name)}: {json.dumps(' '.join(use.split()))},"
            for name, use in sorted(found)
        )
        lines += [f'    "{command}": {{', *options, "    },"]
    return "\n".join([*lines, "}", ""])


if __name__ == "__main__":
    FILE.write_text(listed(), encoding="utf-8")
