#!/bin/bash
# The installer for real, inside a root without a running systemd (enter.sh): installed, installed again, another kit, an
# own kit with a correction, a wrong kit, and taken off. Prints each command and what it said.
step() {
    echo
    echo "\$ $*"
    sh -c "$*" 2>&1
    code=$?
    [ $code = 0 ] || echo "(exit code $code)"
}

# What Raspberry Pi OS has there.
mkdir -p /boot/firmware
cat > /boot/firmware/config.txt <<'CONFIG'
# For more options and information see http://rptl.io/configtxt
#dtparam=i2c_arm=on
#dtparam=spi=on

# Enable audio (loads snd_bcm2835)
dtparam=audio=on
camera_auto_detect=1
dtoverlay=vc4-kms-v3d
arm_64bit=1

[cm4]
otg_mode=1

[all]
CONFIG
cp /boot/firmware/config.txt /tmp/config.original

cd /src || exit
step "sed -n 's/^PRETTY_NAME=//p' /etc/os-release; uname -m; python3 --version"
step "runuser -u nobody -- make install KIT=full DRY_RUN=1"
step "make install KIT=full"
step "make install KIT=full"
step "make install KIT=pi5"
if [ "$(uname -m)" = aarch64 ]; then
    # lgpio makes a FIFO in the working directory as it is imported.
    step 'cd /tmp && "$(dirname "$(readlink -f /opt/broadside/bin/broadside)")/python" -c "import lgpio; print(lgpio.__file__)"'
fi
step "make install KIT=pico"
step "broadside --version"
step "runuser -u broadside -- broadside rules | head -3"
step "broadside doctor --kit pico"
step "ls -l /opt/broadside/bin /opt/broadside/releases"
step "systemd-analyze verify /etc/systemd/system/broadside.service"
if udevadm --help | grep -q verify; then
    step "udevadm verify --resolve-names=early /etc/udev/rules.d/60-broadside.rules /etc/udev/rules.d/60-broadside-pico.rules"
fi
sed 's/^title = .*/title = "Our table"/' wiring/kits/pico.toml > /tmp/ours.toml
step "make install KIT=/tmp/ours.toml"
# As broadside test writes a correction.
sed -i 's/rows = \[2, 3, 4, 5\] # Pico pins 4 to 7/rows = [3, 2, 4, 5] # Pico pins 5, 4, 6, 7/' /var/lib/broadside/kits/ours.toml
step "make install KIT=/tmp/ours.toml"
step "runuser -u nobody -- make install KIT=/tmp/ours.toml DRY_RUN=1"
echo "# New pins." >> /tmp/ours.toml
step "make install KIT=/tmp/ours.toml"
step "ls /var/lib/broadside/kits"
sed 's/pin = 18/pin = 1/' wiring/kits/full.toml > /tmp/wrong.toml
step "make install KIT=/tmp/wrong.toml"
mkdir -p /var/lib/broadside
echo games > /var/lib/broadside/journal.sqlite
chown -R broadside:broadside /var/lib/broadside
step "make uninstall"
step "make uninstall"
step "ls -lA /var/lib/broadside /etc/udev/rules.d /opt /usr/local/bin; getent passwd broadside; getent group gpio spi"
step "diff /boot/firmware/config.txt /tmp/config.original && ls /boot/firmware"
