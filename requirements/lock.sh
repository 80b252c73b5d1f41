#!/bin/sh
# Writes the hashed locks from pyproject.toml. Needs uv. One resolution for run and dev: run is cut from dev's versions.
set -eu
cd "$(dirname "$0")/.."
lock() { uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate "$@"; }
lock pyproject.toml --extra embedded --group dev --output-file requirements/dev.txt
lock pyproject.toml --extra embedded --constraints requirements/dev.txt --output-file requirements/run.txt
lock --group bench --constraints requirements/dev.txt --output-file requirements/bench.txt
