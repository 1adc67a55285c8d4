#!/bin/bash
# enter.sh ROOT CHECKOUT COMMAND…: run a command inside a root that debootstrap made, with the checkout at /src, read-only.
# Needs root. For another processor the root wants qemu-user-static registered with binfmt_misc.
#   debootstrap --variant=minbase --include=ca-certificates,python3,sudo,make,systemd,udev,dbus bookworm ROOT
#   enter.sh ROOT CHECKOUT bash /src/tests/systemd/trials/install.sh
set -eu
root=$(readlink -f "$1") checkout=$(readlink -f "$2")
shift 2
cp /etc/resolv.conf "$root/etc/resolv.conf"
cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
mkdir -p "$root/src"
# shellcheck disable=SC2016
exec unshare --mount --pid --fork --kill-child bash -ec '
    root=$1 checkout=$2
    shift 2
    mount -t proc proc "$root/proc"
    mount -t sysfs -o ro sys "$root/sys"
    mount -t tmpfs tmpfs "$root/run"
    mkdir -p "$root/run/lock"
    mount --bind /dev "$root/dev"
    mount --bind "$checkout" "$root/src"
    mount -o remount,bind,ro "$root/src"
    exec chroot "$root" /usr/bin/env -i HOME=/root TERM=dumb LANG=C.UTF-8 PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        PIP_CERT=/etc/ssl/certs/ca-certificates.crt "$@"
' enter "$root" "$checkout" "$@"
