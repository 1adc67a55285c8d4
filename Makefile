# Every target sets up what it needs: a .venv in this folder, made once and made anew when pyproject.toml changes.
PYTHON ?= python3
EXTRAS ?= dev
BIN := .venv/bin

.PHONY: setup play test lint types bench guides install uninstall clean

setup: .venv/.made

.venv/.made: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Broadside needs Python 3.11 or newer: name one with make PYTHON=python3.11")'
	$(PYTHON) -m venv --clear .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[$(EXTRAS)]'
	@touch $@

play: setup
	$(BIN)/broadside play

test: setup
	$(BIN)/python -m pytest

lint: setup
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/lint-imports

types: setup
	$(BIN)/mypy

bench: setup
	$(BIN)/python -m tests.bench

# The wiring guides of the shipped kits, as they are committed; without a household, whose kits of the same name count first.
guides: setup
	@for kit in wiring/kits/*.toml; do name=$$(basename $$kit .toml); \
	BROADSIDE_HOME=/dev/null $(BIN)/broadside guide --kit $$name --out wiring/guides/$$name || exit; done

# On a Raspberry Pi: sudo make install KIT=full. DRY_RUN=1 says what it would do, DESTDIR=… installs into a folder.
install uninstall:
	@$(PYTHON) -B systemd/install.py $@ $(if $(KIT),--kit '$(KIT)') $(if $(DESTDIR),--destdir '$(DESTDIR)') $(if $(DRY_RUN),--dry-run)

clean:
	rm -rf .venv build dist
