#!/bin/bash
# boot.sh ROOT CHECKOUT: boot a root that debootstrap made (see enter.sh) with systemd-nspawn, run service.sh in it, print
# what it said. Needs root and Debian's systemd-container. Raspberry Pi kits want CAP_SYS_RAWIO, so the root gets it.
set -eu
root=$(readlink -f "$1") checkout=$(readlink -f "$2")
cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
mkdir -p "$root/src" "$root/etc/systemd/system/multi-user.target.wants"
cat > "$root/etc/systemd/system/trial.service" <<'UNIT'
[Unit]
After=multi-user.target

[Service]
Type=oneshot
Environment=HOME=/root LANG=C.UTF-8 PIP_CERT=/etc/ssl/certs/ca-certificates.crt
ExecStart=/bin/bash /src/tests/systemd/trials/service.sh
StandardOutput=append:/root/trial.log
StandardError=inherit
ExecStopPost=-/bin/systemctl --no-block poweroff
TimeoutStartSec=1200
UNIT
ln -sf ../trial.service "$root/etc/systemd/system/multi-user.target.wants/trial.service"
systemd-nspawn --quiet --directory="$root" --register=no --keep-unit --capability=CAP_SYS_RAWIO,CAP_NET_ADMIN \
    --bind-ro="$checkout:/src" --resolv-conf=copy-host --boot > "$root/root/boot.log" 2>&1
cat "$root/root/trial.log"
