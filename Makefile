# Every target sets up what it needs: a .venv in this folder, made once and brought up to date when pyproject.toml changes.
PYTHON ?= python3
EXTRAS ?= dev
BIN := .venv/bin

.PHONY: setup play test lint types bench pictures guides words install uninstall clean

setup: .venv/.made

.venv/.made: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Broadside needs Python 3.11 or newer: name one with make PYTHON=python3.11")'
	$(PYTHON) -m venv .venv
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

# The README's pictures: a scripted game on the simulator, recorded without a display.
pictures: setup
	$(BIN)/python docs/pictures/make.py

# The wiring guides of the shipped kits, as they are committed; without a household, whose kits of the same name count first.
guides: setup
	@for kit in wiring/kits/*.toml; do name=$$(basename $$kit .toml); \
	BROADSIDE_HOME=/dev/null $(BIN)/broadside guide --kit $$name --out wiring/guides/$$name || exit; done

# What players read, from the program into companion/locale; then translate what is new in the .po and run it again.
words: setup
	$(BIN)/pybabel --quiet extract --no-default-keywords --keywords 'say:2 refuse:2 words:1 mark:1 IllegalMove:1 Sentence:1' \
	--add-location=file --omit-header --no-wrap --output companion/locale/broadside.pot \
	companion/game companion/table companion/service.py \
	hardware/writer.py hardware/sound.py hardware/drivers/*_keypad.py firmware_bridge/link.py
	$(BIN)/pybabel --quiet update --domain broadside --input-file companion/locale/broadside.pot --output-dir companion/locale \
	--ignore-pot-creation-date --no-fuzzy-matching --ignore-obsolete --no-wrap
	$(BIN)/pybabel --quiet compile --domain broadside --directory companion/locale

# On a Raspberry Pi: sudo make install KIT=full. DRY_RUN=1 says what it would do, DESTDIR=… installs into a folder.
install uninstall:
	@$(PYTHON) -B systemd/install.py $@ $${KIT:+--kit="$$KIT"} $${DESTDIR:+--destdir="$$DESTDIR"} $(if $(DRY_RUN),--dry-run)

clean:
	rm -rf .venv build dist
