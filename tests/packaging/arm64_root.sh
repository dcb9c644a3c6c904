#!/bin/sh
# Makes a folder with Debian's libraries for arm64, to build against with --sysroot and to run from with qemu-user.
# Needs no root: apt's lists, status and packages are in the folder, and nothing is installed. Usage:
# tests/packaging/arm64_root.sh FOLDER
set -eu
[ $# -eq 1 ] || { echo "usage: tests/packaging/arm64_root.sh FOLDER" >&2; exit 2; }
if ! command -v apt-get >/dev/null || ! command -v dpkg-deb >/dev/null; then
    echo "arm64_root.sh: needs apt-get and dpkg-deb" >&2
    exit 4
fi
[ ! -e "$1/complete" ] || exit 0
packages='libgsl-dev libcjson-dev libmd-dev libmd4c-dev zlib1g-dev '\
'libarchive-dev libgomp1 libc6-dev'
rm -rf "$1"
mkdir -p "$1/apt/lists/partial" "$1/apt/archives/partial" "$1/usr"
folder=$(CDPATH='' cd -- "$1" && pwd)
: >"$folder/apt/status"

apt() {
    apt-get -qq -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Dir::State="$folder/apt" -o \
        Dir::State::lists="$folder/apt/lists" \
        -o Dir::State::status="$folder/apt/status" -o Dir::Cache="$folder/apt" -o \
        Dir::Cache::archives="$folder/apt/archives" \
        -o Debug::NoLocking=1 -o APT::Sandbox::User= "$@"
}

apt update
# shellcheck disable=SC2086 # a list of words
apt -y --download-only --no-install-recommends install $packages
for package in "$folder"/apt/archives/*.deb; do
    dpkg-deb -x "$package" "$folder"
done
# Links to /lib would lead out of the folder.
find "$folder" -type l -lname '/*' | while read -r link; do
    ln -sfn "$folder$(readlink "$link")" "$link"
done
rm -rf "$folder/apt"
: >"$folder/complete"
