"""The installer, whole, into a folder: only the packages from the network are replaced (see offline.py)."""

from __future__ import annotations

import fcntl
import os
import re
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

    def command(self, *arguments: str, into: str = "") -> list[str]:
        offline = str(self.checkout / "tests/systemd/offline.py")
        return [sys.executable, "-B", offline, *arguments, "--destdir", into or str(self.folder)]

    def make(self, *arguments: str, before: str = "", into: str = "") -> subprocess.CompletedProcess[str]:
        """Run the command; `before` is a shell line that goes before it, `into` another folder."""
        command = self.command(*arguments, into=into)
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
    assert "What this kit needs of /boot/firmware/config.txt:\n      dtparam=audio=off: to be written\n" in said
    assert orders == [
        line.strip() for line in undisturbed.said.splitlines() if line.startswith("  ") and line[2] != " "
    ]


def test_a_dry_run_says_how_every_line_of_config_txt_stands(installed: Root, root: Root) -> None:
    config = installed / "boot/firmware/config.txt"
    said = installed.install("full", "--dry-run")
    assert "dtparam=audio=off: stands there already, in the lines of an earlier installation\n" in said
    assert "dtparam=spi=off: holds already, as the default of the firmware\n" in said
    config.write_text("dtparam=i2c=off,audio=off\ndtparam=spi=on\n")
    said = installed.install("full", "--dry-run")
    assert "dtparam=audio=off: stands there already\n" in said
    assert "dtparam=i2c_arm=off: stands there already\n" in said
    assert "dtparam=spi=off: to be written\n" in said
    config.unlink()
    said = installed.install("full", "--dry-run")
    assert "There is no config.txt here" in said
    assert "\n      dtparam=audio=off\n      dtparam=spi=off\n      dtparam=i2c_arm=off\n" in said
    assert "This kit needs no line of config.txt." in installed.install("pico", "--dry-run")


def test_a_dry_run_by_a_user_who_may_not_look(installed: Root) -> None:
    """The games' folder is the service's; even root is kept out of it here, without capabilities."""
    powerless = []
    if os.geteuid() == 0:
        if not (setpriv := shutil.which("setpriv")):
            pytest.skip("to give up root's power needs setpriv")
        powerless = [setpriv, "--bounding-set=-all", "--inh-caps=-all"]
    home = installed / "var/lib/broadside"
    home.mkdir(parents=True)
    home.chmod(0)
    kit = installed.folder.parent / "mine.toml"
    shutil.copy(installed.checkout / "wiring/kits/full.toml", kit)
    try:
        dones = [
            subprocess.run(
                [*powerless, *installed.command("install", *arguments, "--dry-run")],
                capture_output=True,
                text=True,
                check=False,
            )
            for arguments in (["--kit", str(kit)], [], ["--kit", "mine"])
        ]
    finally:
        home.chmod(0o750)
    assert [done.returncode for done in dones] == [0, 0, 2], [done.stderr for done in dones]
    assert f"would perhaps copy {kit} to /var/lib/broadside/kits/mine.toml; this user may not look" in dones[0].stdout
    assert all("this user may not look into /var/lib/broadside" in done.stdout for done in dones[:2])
    assert dones[2].stderr.startswith("There is no kit 'mine' that this user may look at")


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
    root.install()
    assert "etc/modprobe.d/broadside.conf" not in contents(root)


class TestOwnKit:
    """A kit file of the household, which `broadside test` corrects where the service reads it."""

    @pytest.fixture
    def given(self, installed: Root, tmp_path: Path) -> Path:
        """The file that was installed."""
        path = tmp_path / "mine.toml"
        shutil.copy(installed.checkout / "wiring/kits/full.toml", path)
        installed.install(str(path))
        return path

    @staticmethod
    def correct(kit: Path, title: str = "Corrected") -> str:
        text = re.sub(r"(?m)^title = .*", f'title = "{title}"', kit.read_text())
        kit.write_text(text)
        return text

    def test_a_correction_stays(self, given: Path, installed: Root) -> None:
        kept = installed / "var/lib/broadside/kits/mine.toml"
        corrected = self.correct(kept)
        before = tree(installed)
        for arguments in ([str(given)], [str(given), "--dry-run"]):
            said = installed.install(*arguments)
            assert "/var/lib/broadside/kits/mine.toml stays as it is, for it was corrected since." in said
            assert '\n      +title = "Corrected"\n' in said
            assert f"To use {given} instead, rename /var/lib/broadside/kits/mine.toml" in said
            assert "nothing to change" in said
            assert tree(installed) == before
        assert kept.read_text() == corrected

    def test_what_the_machine_needs_follows_the_corrected_kit(self, given: Path, installed: Root) -> None:
        kept = installed / "var/lib/broadside/kits/mine.toml"
        kept.write_text((installed.checkout / "wiring/kits/pi5.toml").read_text())
        assert "driven by PIO" in installed.install(str(given))
        assert "dtoverlay=ws2812-pio,gpio=18" in str(contents(installed)["boot/firmware/config.txt"])

    def test_what_is_new_in_the_given_file_counts(self, given: Path, installed: Root) -> None:
        """Each time the copy that was there is kept under a further number."""
        kept = installed / "var/lib/broadside/kits/mine.toml"
        corrected = []
        for number in (1, 2):
            corrected.append(self.correct(kept, f"Corrected {number}"))
            given.write_text(f"{given.read_text()}# moved {number}\n")
            said = installed.install(str(given))
            assert f"kept as mine.toml.bak{number}, with corrections that are not in the new one:" in said
            assert f'\n      -title = "Corrected {number}"\n' in said
            assert kept.read_text() == given.read_text()
            assert "nothing to change" in installed.install(str(given))
        assert [kept.with_name(f"mine.toml.bak{number}").read_text() for number in (1, 2)] == corrected

    def test_a_copy_without_corrections_is_brought_up_to_date(self, given: Path, installed: Root) -> None:
        before = given.read_text()
        given.write_text(before + "# moved\n")
        said = installed.install(str(given))
        assert "kept as mine.toml.bak1:\n" in said
        kept = installed / "var/lib/broadside/kits/mine.toml"
        assert kept.read_text() == before + "# moved\n"
        assert kept.with_name("mine.toml.bak1").read_text() == before

    def test_taken_off_and_installed_again(self, given: Path, installed: Root) -> None:
        """What was given before is not known any more, so the copy stays."""
        kept = installed / "var/lib/broadside/kits/mine.toml"
        corrected = self.correct(kept)
        assert installed.make("uninstall").returncode == 0
        said = installed.install(str(given))
        assert "may have been corrected since" in said
        assert kept.read_text() == corrected
        kept.rename(kept.with_name("corrected.toml"))
        installed.install(str(given))
        assert kept.read_text() == given.read_text()

    def test_a_shipped_kit_by_its_path_is_the_corrected_one(self, installed: Root) -> None:
        shipped = installed.checkout / "wiring/kits/full.toml"
        kept = installed / "var/lib/broadside/kits/full.toml"
        kept.parent.mkdir(parents=True)
        kept.write_text((installed.checkout / "wiring/kits/pi5.toml").read_text())
        assert "driven by PIO" in installed.install(str(shipped))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("pin = 18", "pin = 1"), "GPIO1 (pin 28) is reserved"),
        (("kit = 1", "kit = "), "is not TOML"),
        (('driver = "rpi_ws281x"', 'driver = "dmx"'), "dmx"),
        (("[leds]", "[lights]"), "leds"),
        (('model = "pi4"', 'model = "pi17"'), "pi17"),
        (("kit = 1", "a = " + "[" * 5000 + "]" * 5000), "nested too deep"),
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
        (["--kit", "~nobody-of-this-name/kit.toml"], "There is no kit file '~nobody-of-this-name/kit.toml'"),
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


@pytest.mark.parametrize("what", ["install", "uninstall"])
def test_a_file_for_a_folder(what: str, root: Root, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    kit = ["--kit", "full"] if what == "install" else []
    for folder in ("file", "file/below"):
        done = root.make(what, *kit, into=str(tmp_path / folder))
        assert done.returncode == 2
        assert done.stderr == f"DESTDIR={tmp_path / folder} is no folder, and cannot become one: name another.\n"


def test_a_folder_where_none_can_be(root: Root) -> None:
    done = root.make("install", "--kit", "full", into="/proc/x")
    assert done.returncode == 2
    assert done.stderr == (
        "/proc/x cannot be used (No such file or directory): mend that and run the same command again.\n"
    )


@pytest.mark.parametrize("name", ["it's", 'a "b" `c` \\d; e', "--x"])
def test_make_quotes(name: str, root: Root) -> None:
    command = ["make", "--silent", "install", f"KIT={name}", f"DESTDIR={root.folder}", f"PYTHON={sys.executable}"]
    done = subprocess.run(command, cwd=root.checkout, capture_output=True, text=True, check=False)
    assert done.stderr.startswith(f"There is no kit {name!r}: name a kit file")


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
