"""Commands in a folder of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

WHEEL = os.environ.get("ARBITER_WHEEL")


class Shell:
    """Runs commands in a folder, with an environment of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "work"
        self.folder.mkdir(parents=True)
        tools = Path(sys.executable).parent
        self.env = {
            "PATH": os.pathsep.join([str(tools), os.environ["PATH"]]),
            "HOME": str(folder),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_AUTHOR_NAME": "a",
            "GIT_AUTHOR_EMAIL": "a@example.org",
            "GIT_COMMITTER_NAME": "a",
            "GIT_COMMITTER_EMAIL": "a@example.org",
            **{name: value for name, value in os.environ.items() if name.startswith("PIP_")},
        }
        if WHEEL:  # it need not be published
            links = [str(Path(WHEEL).parent), os.environ.get("PIP_FIND_LINKS", "")]
            self.env["PIP_FIND_LINKS"] = " ".join(links).strip()

    def __call__(self, *words: str | Path, code: int = 0) -> str:
        """Output of a command that ends with this exit code."""
        ran = subprocess.run(
            words,
            cwd=self.folder,
            env=self.env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert ran.returncode == code, ran.stdout
        return ran.stdout

    def write(self, name: str, content: bytes | str) -> None:
        data = content.encode() if isinstance(content, str) else content
        (self.folder / name).write_bytes(data)
