"""Virtual environments from the hashed locks, with uv when it is on PATH, else venv and pip."""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

from devtools import catalogues
from devtools.say import die, say

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
BENCH_VENV = ROOT / ".venv-bench"
STAMP = ".installed"
NO_VENV = """cannot create a virtual environment:
{reason}

On Debian and Ubuntu:  apt-get install -y python3-venv   (as root), then run this again."""


def python_of(venv: Path) -> Path:
    return venv / "bin" / "python"


def lock_digest(lock: Path) -> str:
    return hashlib.sha256(lock.read_bytes()).hexdigest()


def is_installed(venv: Path, lock: Path) -> bool:
    """Whether this lock, unchanged, was installed into the environment and the environment still lies where it was."""
    stamp = venv / STAMP
    if not python_of(venv).exists() or not stamp.exists():
        return False
    place, *digests = stamp.read_text().split("\n")
    return place == str(venv) and lock_digest(lock) in digests


def install(which: str, venv: Path = VENV) -> Path:
    """Install requirements/WHICH.txt into the environment unless it is there; the environment's Python.

    `dev` holds all of `run`. Two calls at once take turns.
    """
    lock = ROOT / "requirements" / f"{which}.txt"
    wider = ROOT / "requirements" / "dev.txt"
    if not (is_installed(venv, lock) or (which == "run" and is_installed(venv, wider))):
        var = ROOT / "var"
        var.mkdir(exist_ok=True)
        with (var / "install.lock").open("w") as turn:
            fcntl.flock(turn, fcntl.LOCK_EX)
            if not is_installed(venv, lock):
                _install(lock, venv)
    if venv == VENV and catalogues.stale():
        command = [str(python_of(venv)), "-m", "devtools.catalogues", "compile"]
        if subprocess.run(command, cwd=ROOT, check=False).returncode:
            die("a catalogue in fantan_site/locale cannot be read (see above)", 1)
    return python_of(venv)


def _install(lock: Path, venv: Path) -> None:
    uv = None if os.environ.get("DEV_NO_UV") else shutil.which("uv")
    stamp = venv / STAMP
    digests = stamp.read_text().split("\n") if stamp.exists() else [str(venv)]
    if not python_of(venv).exists() or digests[0] != str(venv):
        digests = [str(venv)]
        _create(venv, uv)
    stamp.unlink(missing_ok=True)
    say(f"installing {lock.relative_to(ROOT)} with {'uv' if uv else 'pip'}")
    python = str(python_of(venv))
    if uv:
        command = [uv, "pip", "install", "--quiet", "--python", python, "--require-hashes", "-r", str(lock)]
    else:
        options = ["--quiet", "--disable-pip-version-check", "--prefer-binary", "--require-hashes"]
        command = [python, "-m", "pip", "install", *options, "-r", str(lock)]
    if subprocess.run(command, stdout=sys.stderr, stdin=subprocess.DEVNULL, check=False).returncode:
        die(f"installing {lock.relative_to(ROOT)} failed (see above)", 1)
    stamp.write_text("\n".join([*digests, lock_digest(lock)]))
    say("installed")


def _create(venv: Path, uv: "str | None") -> None:
    say(f"creating {venv.name}")
    shutil.rmtree(venv, ignore_errors=True)
    python = getattr(sys, "_base_executable", sys.executable)
    command = [uv, "venv", "--quiet", str(venv), "--python", python] if uv else [python, "-m", "venv", str(venv)]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    if made.returncode:
        shutil.rmtree(venv, ignore_errors=True)
        die(NO_VENV.format(reason=(made.stdout + made.stderr).strip()))
