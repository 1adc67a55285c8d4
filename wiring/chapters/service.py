"""The service: the game starts by itself when the board is switched on."""

from __future__ import annotations

from hardware.machine_needs import ServiceKind
from wiring.document.blocks import Block, Chapter, Commands, Heading, Items, SeeNow, Table, Text
from wiring.players import BLINKS, LIGHTS, RULES
from wiring.steps import DANGERS, ONE_PANEL, SERVICE, see
from wiring.subject import Subject

_ACCOUNT = {
    ServiceKind.PWM: "as root, but with one capability only (CAP_SYS_RAWIO, for /dev/mem), no network and a read-only system",
    ServiceKind.SPI: "as the user `broadside` with the groups gpio and spi; no root",
    ServiceKind.PIO: "as the user `broadside` with the group gpio; no root",
    ServiceKind.PICO: "as the user `broadside` with the groups dialout and plugdev; no root",
}


def service(subject: Subject) -> Chapter:
    """Return the chapter."""
    runs = f" It runs {_ACCOUNT[subject.needs.service]}." if subject.needs else ""
    blocks: list[Block] = []
    if subject.on_any_computer:
        blocks.append(
            Text(
                f"On a laptop there is no service: `broadside play --board pico --kit {subject.name}` starts the game, and closing it (Ctrl-C) leaves every LED dark. "
                f"On a Raspberry Pi that belongs to the board, `sudo make install KIT={subject.name}` installs it and switches it on, and after the tests this does:"
            )
        )
    else:
        blocks.append(
            Text(
                f"You installed it in {see(ONE_PANEL)} already, and switched it off for the tests. Now it may start with the Pi:"
            )
        )
    blocks += [
        Commands(("sudo systemctl enable --now broadside", "systemctl status broadside")),
        Text(
            f"The service starts at boot, says that it is ready after the first picture is on the panels, and is started again when it should hang.{runs}"
        ),
        Table(
            ("To", "Type"),
            (
                ("see what it says", "`journalctl -u broadside -e`"),
                (
                    "stop it for a test, and start it after it",
                    "`sudo systemctl stop broadside`, `sudo systemctl start broadside`",
                ),
                (
                    "keep it off while you work on the wiring",
                    "`sudo systemctl disable --now broadside`; `enable --now`, or an installation, switches it on again",
                ),
                ("take it over into another kit", "`sudo make install KIT=…`"),
                (
                    "keep games, settings and kits",
                    "`sudo broadside backup broadside.tar.gz`, and `restore` on a new card",
                ),
                ("take it off, games kept", "`sudo make uninstall`"),
            ),
            (40, 60),
        ),
        Heading("The first game, from the wall switch on"),
        Items(
            (
                f"Switch on in the right order ({see(DANGERS)}). The panels stay dark while the computer starts, for some tens of seconds, until the program shows its first picture.",
                "The lobby asks for rules, opponent, kingdom and names; its words run over the target panels. A digit chooses, # accepts what is offered, * goes back. Jack is the easiest opponent; choose a friend to play against each other.",
                "Place the fleet, or press A for one. # sails. When both have sailed the light that runs around a target panel says whose turn it is.",
                "Dial a square (D, column, row) or move there, and fire with #.",
                "Switched off in the middle? The next start goes on at the last told state.",
            ),
            numbered=True,
        ),
        Heading("What the lights mean"),
        Table(
            ("Light", "Is", "That is"),
            tuple((light.name, light.meaning, light.sentence) for light in LIGHTS),
            (30, 15, 55),
        ),
        Items(BLINKS),
        Heading("The rules in eight lines"),
        Items(RULES, numbered=True),
        SeeNow(
            (
                "After switching on: the lobby, or the game that was not finished, with no keyboard, no screen and no log-in.",
                "`systemctl status broadside` says `active (running)`.",
            )
        ),
    ]
    return Chapter(SERVICE, tuple(blocks))
