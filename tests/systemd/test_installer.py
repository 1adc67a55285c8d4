"""The installer, whole, into a folder: only the packages from the network are replaced (see offline.py)."""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

SYSTEMD = Path(__file__).resolve().parents[2] / "systemd"
CONFIG = "arm_64bit=1\n\n# Enable audio\ndtparam=audio=on\n"
INSTALLED = {
    "etc/default/broadside",
    "etc/sysusers.d/broadside.conf",
    "etc/systemd/system/broadside.service",
    "etc/systemd/system/broadside.service.d/kit.conf",
    "etc/systemd/system/multi-user.target.wants/broadside.service",
    "usr/local/bin/broadside",
    *(f"etc/udev/rules.d/{rules.name}" for rules in SYSTEMD.glob("*.rules")),
}


class Root:
    """A folder that becomes a Pi's root, with the boot partition's config.txt, and the checkout it is made from."""

    def __init__(self, checkout: Path, folder: Path) -> None:
        self.checkout = checkout
        self.folder = folder
        self.said = ""
        (folder / "boot/firmware").mkdir(parents=True)
        (folder / "boot/firmware/config.txt").write_text(CONFIG)

    def __truediv__(self, path: str) -> Path:
        return self.folder / path

    def command(self, *arguments: str) -> list[str]:
        offline = str(self.checkout / "tests/systemd/offline.py")
        return [sys.executable, "-B", offline, *arguments, "--destdir", str(self.folder)]

    def make(self, *arguments: str, before: str = "") -> subprocess.CompletedProcess[str]:
        """Run the command; `before` is a shell line that goes before it."""
        command = self.command(*arguments)
        if before:
            command = ["sh", "-ec", f'{before}\nexec "$@"', "sh", *command]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def install(self, kit: str = "full", *arguments: str) -> str:
        done = self.make("install", "--kit", kit, *arguments)
        assert done.returncode == 0, done.stderr
        return done.stdout


@pytest.fixture
def root(checkout: Path, tmp_path: Path) -> Root:
    return Root(checkout, tmp_path / "root")


@pytest.fixture(scope="module")
def undisturbed(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Root:
    """An installation for the full kit, to look at and to copy."""
    root = Root(checkout, tmp_path_factory.mktemp("undisturbed"))
    root.said = root.install()
    return root


@pytest.fixture
def installed(undisturbed: Root, root: Root) -> Root:
    """A copy of it, to change."""
    shutil.rmtree(root.folder)
    shutil.copytree(undisturbed.folder, root.folder, symlinks=True)
    return root


@pytest.fixture
def whole(undisturbed: Root) -> dict[str, object]:
    """What an undisturbed installation leaves."""
    return contents(undisturbed)


def tree(root: Root) -> dict[str, tuple[object, ...]]:
    """All that is there, but the log and what a virtual environment holds."""
    found: dict[str, tuple[object, ...]] = {}
    for folder, folders, files in os.walk(root.folder):
        if "pyvenv.cfg" in files:
            folders[:] = []
            files = ["complete"] if "complete" in files else []
        for name in [*files, *(name for name in folders if Path(folder, name).is_symlink())]:
            path = Path(folder, name)
            content = str(path.readlink()) if path.is_symlink() else path.read_text()
            found[str(path.relative_to(root.folder))] = (
                content,
                stat.S_IFMT(path.lstat().st_mode),
                path.lstat().st_mtime_ns,
            )
    found.pop("var/log/broadside-install.log", None)
    return found


def contents(root: Root) -> dict[str, object]:
    return {name: content for name, (content, *_) in tree(root).items()}


def test_everything_is_put_where_it_belongs(undisturbed: Root) -> None:
    there = contents(undisturbed)
    assert set(there) >= INSTALLED
    assert "User=root" in str(there["etc/systemd/system/broadside.service.d/kit.conf"])
    assert "BROADSIDE_KIT=full" in str(there["etc/default/broadside"])
    assert str(there["boot/firmware/config.txt"]).startswith(CONFIG)
    assert "+dtparam=audio=off" in undisturbed.said
    assert there["boot/firmware/config.txt.before-broadside"] == CONFIG
    assert "opt/broadside/unfinished" not in there
    assert (undisturbed / "usr/local/bin/broadside").stat().st_mode & 0o777 == 0o755


def test_the_program_runs_there_and_has_forgotten_the_folder(undisturbed: Root) -> None:
    script = undisturbed / "opt/broadside/bin/broadside"
    assert script.read_text().startswith("#!/opt/broadside/releases/")
    python = script.resolve().with_name("python")
    done = subprocess.run([python, script, "--version"], capture_output=True, text=True, check=False)
    assert done.stdout.startswith("broadside 0."), done.stderr


def test_a_second_run_changes_nothing(undisturbed: Root) -> None:
    before = tree(undisturbed)
    assert "nothing to change" in undisturbed.install()
    assert tree(undisturbed) == before
    again = undisturbed.make("install")
    assert "nothing to change" in again.stdout, "without KIT it is the installed one"


def test_a_dry_run_says_all_and_changes_nothing(undisturbed: Root, root: Root) -> None:
    before = tree(root)
    said = root.install("full", "--dry-run")
    assert tree(root) == before
    assert [path.name for path in root.folder.iterdir()] == ["boot"]
    for path in INSTALLED:
        assert f"/{path}" in said
    assert "+dtparam=audio=off" in said
    orders = [line.removeprefix("  would ") for line in said.splitlines() if line.startswith("  would ")]
    assert orders == [
        line.strip() for line in undisturbed.said.splitlines() if line.startswith("  ") and line[2] != " "
    ]


def test_uninstalling_leaves_the_games_alone(installed: Root) -> None:
    games = installed / "var/lib/broadside/journal.sqlite"
    games.parent.mkdir(parents=True)
    games.write_text("games")
    own = installed / "etc/systemd/system/broadside.service.d/own.conf"
    own.write_text("[Service]\nNice=5\n")
    before = installed.make("uninstall", "--dry-run")
    assert "would remove /opt/broadside\n" in before.stdout
    assert set(contents(installed)) >= INSTALLED
    done = installed.make("uninstall")
    assert done.returncode == 0, done.stderr
    assert "The games stay" in done.stdout
    left = {"boot/firmware/config.txt": CONFIG, "var/lib/broadside/journal.sqlite": "games"}
    assert contents(installed) == left | {"etc/systemd/system/broadside.service.d/own.conf": "[Service]\nNice=5\n"}
    assert "nothing to take off" in installed.make("uninstall").stdout
    assert not (installed / "opt/broadside").exists()


def test_an_update_keeps_the_old_release_until_the_new_one_is_whole(installed: Root) -> None:
    old = (installed / "opt/broadside/bin/broadside").readlink()
    said = installed.install("pi5").splitlines()
    new = (installed / "opt/broadside/bin/broadside").readlink()
    assert old != new
    assert [path.name for path in (installed / "opt/broadside/releases").iterdir()] == [new.parts[2]]
    last = [
        line.strip() for line in said if "complete" in line or " /opt/broadside/bin/" in line or "no longer" in line
    ]
    assert [line.split()[0] for line in last] == ["mark", "point", "remove"]


def test_another_kit_brings_its_own_lines_and_drop_in(installed: Root) -> None:
    installed.install("pi5")
    there = contents(installed)
    assert "dtoverlay=ws2812-pio,gpio=18,num_leds=200,brightness=0\n" in str(there["boot/firmware/config.txt"])
    assert "audio=off" not in str(there["boot/firmware/config.txt"])
    assert "DeviceAllow=/dev/leds0" in str(there["etc/systemd/system/broadside.service.d/kit.conf"])
    assert there["boot/firmware/config.txt.before-broadside"] == CONFIG


def test_spi_gets_its_buffer_and_gives_it_back(root: Root, tmp_path: Path) -> None:
    kit = tmp_path / "spi_board.toml"
    text = (root.checkout / "wiring/kits/one-chain.toml").read_text()
    # GPIO10 is SPI's data pin; the keypad leaves SPI's chip selects.
    text = text.replace("pin = 18 ", "pin = 10 ").replace("[23, 24, 8, 7]", "[23, 24, 13, 18]")
    kit.write_text(text.replace('driver = "rpi_ws281x"', 'driver = "rpi_ws281x"\nspi_buffer = 32768'))
    root.install(str(kit))
    there = contents(root)
    assert there["etc/modprobe.d/broadside.conf"] == "options spidev bufsiz=32768\n"
    assert "dtparam=spi=on\n" in str(there["boot/firmware/config.txt"])
    assert there["var/lib/broadside/kits/spi_board.toml"] == kit.read_text()
    assert "BROADSIDE_KIT=spi_board\n" in str(there["etc/default/broadside"])
    assert "nothing to change" in root.install(str(kit))
    assert "nothing to change" in root.install("spi_board")
    kit.write_text(kit.read_text() + "# moved\n")
    root.install(str(kit))
    assert "# moved" in str(contents(root)["var/lib/broadside/kits/spi_board.toml"])
    assert "# moved" not in str(contents(root)["var/lib/broadside/kits/spi_board.toml.before"])
    root.install()
    assert "etc/modprobe.d/broadside.conf" not in contents(root)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("pin = 18", "pin = 1"), "GPIO1 (pin 28) is reserved"),
        (("kit = 1", "kit = "), "is not TOML"),
        (('driver = "rpi_ws281x"', 'driver = "dmx"'), "dmx"),
        (("[leds]", "[lights]"), "'driver' is missing"),
        (('model = "pi4"', 'model = "pi17"'), "pi17"),
    ],
)
def test_a_wrong_kit_is_not_installed(change: tuple[str, str], words: str, root: Root, tmp_path: Path) -> None:
    kit = tmp_path / "wrong.toml"
    text = (root.checkout / "wiring/kits/full.toml").read_text()
    assert change[0] in text
    kit.write_text(text.replace(*change))
    before = tree(root)
    done = root.make("install", "--kit", str(kit))
    assert done.returncode == 2
    assert words in done.stderr
    assert done.stderr.count("\n") == 1
    assert tree(root) == before
    assert not (root / "opt/broadside").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "Say which kit was built"),
        (["--kit", "fulll"], "There is no kit 'fulll'"),
        (["--kit", "nowhere/kit.toml"], "There is no kit file nowhere/kit.toml"),
    ],
)
def test_no_kit(arguments: list[str], words: str, root: Root) -> None:
    done = root.make("install", *arguments)
    assert done.returncode == 2
    assert words in done.stderr
    assert [path.name for path in root.folder.iterdir() if path.name != "run"] == ["boot"]


class TestInterrupted:
    """Whatever stops it, a second run leaves what an undisturbed one leaves."""

    @pytest.mark.parametrize("call", [0, 2, 7, 12])
    def test_a_power_cut(self, call: int, root: Root, whole: dict[str, object]) -> None:
        """Killed as it syncs its nth file: one is half made beside its place, or in it and the next not begun."""
        program = (
            "import os, signal, sys\n"
            f"sys.path[:0] = [{str(root.checkout / 'systemd')!r}, {str(root.checkout / 'tests/systemd')!r}]\n"
            "import install, offline\n"
            "sync, calls = os.fsync, []\n"
            "def fsync(descriptor):\n"
            "    calls.append(descriptor)\n"
            f"    os.kill(os.getpid(), signal.SIGKILL) if len(calls) > {call} else sync(descriptor)\n"
            "os.fsync = fsync\n"
            "install.main(sys.argv[1:], offline.execute)\n"
        )
        command = [sys.executable, "-B", "-c", program, "install", "--kit", "full", "--destdir", str(root.folder)]
        assert subprocess.run(command, capture_output=True, check=False).returncode == -signal.SIGKILL
        assert contents(root) != whole
        assert "nothing to change" not in root.install()
        assert contents(root) == whole

    @pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
    def test_a_signal(self, number: signal.Signals, root: Root, whole: dict[str, object]) -> None:
        command = root.command("install", "--kit", "full")
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
            assert running.stdout is not None
            for line in running.stdout:
                if "check " in line:
                    running.send_signal(number)
                    break
            _, said = running.communicate()
        assert running.returncode == 130
        assert said == "Interrupted. Run the same command again: it mends what is half done.\n"
        root.install()
        assert contents(root) == whole

    def test_no_network(self, root: Root, whole: dict[str, object]) -> None:
        done = root.make("install", "--kit", "full", before="export REAL_PIP=1")
        assert done.returncode == 2
        assert done.stderr.startswith("There is no way to the package servers (")
        assert done.stderr.count("\n") == 1
        assert not (root / "opt/broadside/bin").exists()
        assert not (root / "etc").exists()
        root.install()
        assert contents(root) == whole

    @pytest.mark.parametrize(
        ("mount", "words"),
        [
            ("mount -t tmpfs -o size=4k,nr_inodes=40 tmpfs {root}/etc", "The disk is full"),
            ("mount -t tmpfs -o size=100m tmpfs {root}/opt", "Broadside needs 500 MB of free space"),
            ("mount -t tmpfs -o ro tmpfs {root}/etc", "is read-only, as a card with errors becomes"),
            (
                "mount --bind {root} {root} && mount -o remount,bind,ro {root}",
                "is read-only, as a card with errors becomes",
            ),
        ],
        ids=["full disk", "no room", "read-only folder", "read-only root"],
    )
    def test_a_disk_that_refuses(self, mount: str, words: str, root: Root, whole: dict[str, object]) -> None:
        unshare = shutil.which("unshare")
        if unshare is None or subprocess.run([unshare, "--mount", "true"], capture_output=True, check=False).returncode:
            pytest.skip("mounting needs root and unshare")
        for folder in ("etc", "opt"):
            (root / folder).mkdir()
        command = ["unshare", "--mount", "sh", "-ec", f'{mount.format(root=root.folder)}; exec "$@"', "sh"]
        command += root.command("install", "--kit", "full")
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 2, done.stderr
        assert words in done.stderr
        assert done.stderr.count("\n") == 1
        root.install()
        assert contents(root) == whole


def test_two_at_once(root: Root) -> None:
    with (root.checkout / "systemd/install.py").open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        done = root.make("install", "--kit", "full")
    assert done.returncode == 2
    assert "Another installation from this folder is at work" in done.stderr


def test_only_root_changes_the_system(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    import install as command

    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    for what in ("install", "uninstall"):
        assert command.main([what]) == 2
        assert f"run sudo make {what}" in capsys.readouterr().err


def test_make_hands_its_variables_on(root: Root) -> None:
    command = [
        "make",
        "--silent",
        "install",
        "KIT=full",
        f"DESTDIR={root.folder}",
        "DRY_RUN=1",
        f"PYTHON={sys.executable}",
    ]
    done = subprocess.run(command, cwd=root.checkout, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Broadside for the kit full, driven by PWM:" in done.stdout
    assert "Nothing was changed." in done.stdout


def test_an_interrupted_removal_is_finished_by_the_next(installed: Root) -> None:
    """Killed after its first file, as it would be with systemd yet to be told."""
    program = (
        "import os, pathlib, signal, sys\n"
        f"sys.path.insert(0, {str(installed.checkout / 'systemd')!r})\n"
        "import install\n"
        "unlink = pathlib.Path.unlink\n"
        "def kill(path, missing_ok=False):\n"
        "    unlink(path, missing_ok)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
        "pathlib.Path.unlink = kill\n"
        "install.main(sys.argv[1:])\n"
    )
    command = [sys.executable, "-B", "-c", program, "uninstall", "--destdir", str(installed.folder)]
    assert subprocess.run(command, capture_output=True, check=False).returncode == -signal.SIGKILL
    assert (installed / "opt/broadside/unfinished").exists()
    assert installed.make("uninstall").returncode == 0
    assert contents(installed) == {"boot/firmware/config.txt": CONFIG}
