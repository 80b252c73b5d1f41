"""The checks that come before the tests: style, types, layers, migrations, the API's schema, catalogues of languages,
production settings, clean files."""

import os
import re
import secrets
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from devtools import compatible
from devtools.install import ROOT
from devtools.say import say

SITE_VARIABLES = ("SECRET_KEY", "DATABASE_URL", "REDIS_URL", "DEBUG", "HTTPS", "ALLOWED_HOSTS", "FANTAN_EMBEDDED")
# Written so that this file does not hold what it looks for.
REGISTRIES = ["pypi" + ".org", "python" + "hosted.org", "npm" + "js.org", "deb.debian" + ".org", "crates" + ".io"]
LOCK_LINE = re.compile(r"[a-z0-9][\w.-]*==\S+( ; .+)? \\|    --hash=sha256:[0-9a-f]{64}( \\)?")


def run_checks(python: Path) -> list[str]:
    """Run every check, as many at once as there are cores; the names of those that failed. Failures print in full."""
    bare = {k: v for k, v in os.environ.items() if k not in SITE_VARIABLES}
    offline = {**bare, "FANTAN_OFFLINE": "1"}
    with tempfile.TemporaryDirectory() as static:
        server = {
            **bare,
            "SECRET_KEY": secrets.token_urlsafe(50),
            "ALLOWED_HOSTS": "fantan.example.org",
            "DATABASE_URL": "postgres://fantan@localhost/fantan",
            "REDIS_URL": "redis://localhost:6379/0",
            "STATIC_ROOT": static,
        }
        manage = [str(python), "-W", "error::RuntimeWarning", "manage.py"]
        commands: dict[str, tuple[list[str], dict[str, str]]] = {
            "mypy": ([str(python), "-m", "mypy", "--no-error-summary"], offline),
            "ruff check": ([str(python), "-m", "ruff", "check", "--quiet"], bare),
            "ruff format --check": ([str(python), "-m", "ruff", "format", "--check", "--quiet"], bare),
            "lint-imports": ([str(python.with_name("lint-imports"))], offline),
            "makemigrations --check": ([*manage, "makemigrations", "--check", "--dry-run"], offline),
            "openapi --check": ([*manage, "openapi", "--check"], offline),
            "catalogues check": ([str(python), "-m", "devtools.catalogues", "check"], offline),
            "check --deploy": ([*manage, "check", "--deploy", "--fail-level", "WARNING"], server),
        }
        failed = []
        with ThreadPoolExecutor(os.cpu_count() or 2) as pool:
            results = {name: pool.submit(_run, command, env) for name, (command, env) in commands.items()}
            for name, result in results.items():
                code, output = result.result()
                if code:
                    failed.append(name)
                    say(f"FAILED {name}\n{output.strip()}")
    if broken := compatible.main():
        failed.append("compatible API")
        say("FAILED compatible API\n" + "\n".join([*broken, compatible.ADVICE]))
    found = unclean_files()
    if found:
        failed.append("clean files")
        say("FAILED clean files\n" + "\n".join(found))
    say("checks passed" if not failed else f"checks failed: {', '.join(failed)}")
    return failed


def _run(command: list[str], env: dict[str, str]) -> tuple[int, str]:
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    return done.returncode, done.stdout.decode(errors="replace")


def unclean_files(root: Path = ROOT) -> list[str]:
    """What must not be in the project's files: hosts of package registries, this machine's paths, loose lock lines."""
    found = []
    for path in tracked_files(root):
        name = path.relative_to(root)
        text = path.read_bytes().decode("utf-8", "replace")
        found += [f"{name} names a package registry: {host}" for host in REGISTRIES if host in text]
        if len(root.parts) > 2 and f"{root}/" in text:
            found.append(f"{name} holds a path of this machine: {root}")
        if name.parts[0] == "requirements" and path.suffix == ".txt":
            lines = text.splitlines()
            found += [f"{name}:{n} is not a hashed pin" for n, li in enumerate(lines, 1) if not LOCK_LINE.fullmatch(li)]
    return found


def tracked_files(root: Path) -> list[Path]:
    """The files under version control; without git, all that .gitignore would not hide by their folder's name."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, check=False)
    if listed.returncode == 0:
        return [path for n in listed.stdout.split(b"\0") if n and (path := root / os.fsdecode(n)).is_file()]
    hidden = {"var", "__pycache__"}
    return [
        path
        for path in root.rglob("*")
        if path.is_file() and not any(p in hidden or p.startswith(".") for p in path.relative_to(root).parts[:-1])
    ]
