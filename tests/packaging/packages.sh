#!/bin/sh
# Builds the Debian packages from make dist's tarball on Debian 12 and 13, each in a root of debootstrap: twice, in
# different surroundings, for the same bytes. lintian and autopkgtest check them. Then runs in such roots all tests as
# an ordinary user, the jobs of .github/workflows/test.yml for this processor, the steps of the
# Containerfile and those of default.nix. No root has LANG.
# `make test-packages` runs this file, as root. It keeps the roots in build/packages, some 4 GB, for the next time.
# SUITES="bookworm" runs it for Debian 12 only; PARTS="bare packages matrix container nix" are its parts.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"
suites=${SUITES:-bookworm trixie}
parts=${PARTS:-bare packages matrix container nix}
roots=$root/build/packages
processors=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
base_packages='apt-utils ca-certificates'

lacks=''
[ "$(id -u)" = 0 ] || lacks='needs root'
for command in debootstrap git unshare; do
    command -v $command >/dev/null || lacks="$command is not installed"
done
[ -n "$lacks" ] || unshare --mount --pid --fork true 2>/dev/null || lacks='unshare is not allowed here'
if [ -n "$lacks" ]; then
    for part in $parts; do
        skip "$part" "$lacks"
    done
    finish
fi

# in_root ROOT USER COMMAND [MODE]: a line of shell in the root, whose mounts and processes end with it. /dev/shm has
# this mode, by default 1777. Prints to $work/err.
in_root() {
    # shellcheck disable=SC2016 # for the inner shell
    unshare --mount --pid --fork --kill-child sh -c '
        mount -t proc proc "$1/proc" && mount -t tmpfs -o mode="$4" shm "$1/dev/shm" &&
            mkdir -p "$1/dev/pts" && mount -t devpts -o newinstance,ptmxmode=666 pts "$1/dev/pts" &&
            exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/nonexistent \
                DEBIAN_FRONTEND=noninteractive chroot --userspec="$2" "$1" sh -ec "$3"' \
        in_root "$1" "$2" "$3" "${4:-1777}" >"$work/err" 2>&1
    status=$?
    # The tests that failed, and the end of a long log, say why it failed.
    { sed -n '/^FAILED/,/^  ok/p' "$work/err" && tail -n 40 "$work/err"; } >"$work/tail" && mv "$work/tail" "$work/err"
    return $status
}

# install_in ROOT PACKAGES: installs them in the root.
install_in() {
    in_root "$1" 0:0 "apt-get -qq update && apt-get -qq install -y --no-install-recommends $2"
}

# base SUITE: makes the root $roots/SUITE, once.
base() {
    [ ! -e "$roots/$1.complete" ] || return 0
    # A debootstrap that was killed leaves its mounts.
    umount "$roots/$1/proc" "$roots/$1/sys" 2>/dev/null
    rm -rf "${roots:?}/$1"
    mkdir -p "$roots"
    debootstrap --variant=minbase "$1" "$roots/$1" >"$work/err" 2>&1 || { tail -n 20 "$work/err" >&2; return 1; }
    # These roots may be lost, and syncing each file takes longer than all else.
    echo force-unsafe-io >"$roots/$1/etc/dpkg/dpkg.cfg.d/unsafe-io"
    cp /etc/resolv.conf "$roots/$1/etc/resolv.conf" 2>/dev/null
    printf '#!/bin/sh\nexit 101\n' >"$roots/$1/usr/sbin/policy-rc.d" && chmod +x "$roots/$1/usr/sbin/policy-rc.d"
    echo 'user:x:1000:1000::/nonexistent:/bin/sh' >>"$roots/$1/etc/passwd"
    install_in "$roots/$1" "$base_packages" && : >"$roots/$1.complete"
}

# fresh SUITE NAME: a copy of that root, $fresh.
fresh() {
    fresh=$roots/$1-$2
    rm -rf "$fresh"
    cp -a --reflink=auto "$roots/$1" "$fresh"
}

# build ROOT FOLDER SURROUNDINGS: builds the packages from the tarball in /build/FOLDER of the root.
build() {
    rm -rf "$1/build/$2"
    mkdir -p "$1/build/$2"
    cp "$work/$tarball" "$1/build/$2/hullbench_$upstream.orig.tar.gz"
    tar -xzf "$work/$tarball" -C "$1/build/$2"
    chown -R 1000:1000 "$1/build"
    in_root "$1" 1000:1000 "cd /build/$2/hullbench-$version; $3 dpkg-buildpackage -us -uc"
}

# checksums FOLDER: of what the build made, but for the lists that name the surroundings.
checksums() {
    (cd "$1" && sha256sum ./*.deb ./*.dsc ./*.tar.*)
}

version=$("$hullbench" --version | sed 's/^hullbench //')
upstream=$(echo "$version" | sed 's/-rc/~rc/')
tarball=hullbench-$version.tar.gz
rm -f "$root/$tarball"
make_root dist >"$work/log" && mv "$root/$tarball" "$work/" && sleep 1 &&
    make_root dist >"$work/log" && same_files "$root/$tarball" "$work/$tarball" && rm "$root/$tarball"
check "make dist gives the same bytes twice"

# wanted PART
wanted() {
    case " $parts " in *" $1 "*) return 0 ;; esac
    return 1
}

# sources FOLDER: unpacks the tarball there.
sources() {
    mkdir -p "$1" && tar -xzf "$work/$tarball" --strip-components=1 -C "$1"
}

packages_of() {
    suite=$1
    if [ ! -e "$roots/$suite-build.complete" ]; then
        fresh "$suite" build
        install_in "$fresh" 'build-essential lintian' && : >"$roots/$suite-build.complete"
    fi
    builder=$roots/$suite-build
    mkdir -p "$builder/build/depends" && tar -xzf "$work/$tarball" -C "$builder/build/depends" &&
        in_root "$builder" 0:0 "apt-get -qq update; apt-get -qq build-dep -y --no-install-recommends \
            /build/depends/hullbench-$version"
    check "$suite: debian/control names what the build needs"
    build "$builder" first "DEB_BUILD_OPTIONS=parallel=$processors"
    check "$suite: the packages build, and a short part of the tests passes"
    in_root "$builder" 1000:1000 'cd /build/first; lintian --fail-on error,warning hullbench_*.changes'
    check "$suite: lintian reports no errors and no warnings"
    build "$builder" another/folder "umask 027; TZ=Pacific/Kiritimati LC_ALL=C LANG=de_DE.UTF-8 HOME=/tmp USER=nobody \
        DEB_BUILD_OPTIONS='parallel=1 nocheck'"
    check "$suite: the packages build in another folder, time zone, language and umask"
    checksums "$builder/build/first" >"$work/first" && checksums "$builder/build/another/folder" >"$work/another" &&
        same_files "$work/first" "$work/another"
    status=$?
    cp "$work/first" "$roots/$suite.sha256"
    if [ $status != 0 ]; then
        diff "$work/first" "$work/another" >"$work/err"
        for deb in "$builder"/build/first/*.deb; do
            ! command -v diffoscope >/dev/null || cmp -s "$deb" "$builder/build/another/folder/${deb##*/}" ||
                diffoscope "$deb" "$builder/build/another/folder/${deb##*/}" | head -n 60 >>"$work/err"
        done
    fi
    [ $status = 0 ]
    check "$suite: both builds give the same bytes"

    fresh "$suite" test
    mkdir "$fresh/packages" && cp "$builder"/build/first/* "$fresh/packages/" 2>/dev/null
    install_in "$fresh" '/packages/hullbench_*.deb' &&
        in_root "$fresh" 1000:1000 'hullbench solve --dataset twonorm --solver clip-mdm --set mu=0.05'
    check "$suite: hullbench works with nothing but its dependencies"
    # A MATLAB file without variables; bundle needs libarchive.
    { printf '%-124s' 'MATLAB 5.0 MAT-file' && printf '\000\001IM'; } >"$fresh/packages/benchmarks.mat"
    in_root "$fresh" 1000:1000 "cd /tmp
        HULLBENCH_DATA=/packages hullbench solve --dataset banana --solver clip-mdm --set mu=0.05 >mat 2>&1 || cat mat
        grep 'contains this data set' mat
        hullbench run /usr/share/hullbench/configs/ci.json --dataset titanic --solver clip-mdm --out run
        hullbench bundle run --out run.tar; hullbench replay --verify run.tar
        rm -r mat run run.tar"
    check "$suite: hullbench finds the libraries that it loads when they are needed"
    install_in "$fresh" 'autopkgtest dpkg-dev' &&
        in_root "$fresh" 0:0 'autopkgtest /packages/*.deb /packages/*.dsc -- null'
    check "$suite: autopkgtest passes"
    in_root "$fresh" 0:0 'apt-get -qq purge -y hullbench hullbench-doc libhullbench1 libhullbench-dev
        ! find / -xdev -path /packages -prune -o -path /tmp -prune -o -iname "*hullbench*" -print | grep .'
    check "$suite: nothing is left when the packages are removed"
    rm -rf "$fresh"
}

# With no more than the packages that run_all.sh installs, and where a user may not write in /dev/shm.
bare_of() {
    fresh "$1" bare
    sources "$fresh/hullbench" && chown -R 1000:1000 "$fresh/hullbench" &&
        in_root "$fresh" 0:0 'cd /hullbench; ./run_all.sh --test --install-only' &&
        in_root "$fresh" 1000:1000 'cd /hullbench; ./run_all.sh --test' 755
    check "$1: an ordinary user passes all tests"
    rm -rf "$fresh"
}

# The jobs of the workflow for this processor.
matrix_of() {
    for compiler in gcc clang; do
        fresh "$1" matrix
        sources "$fresh/hullbench" && in_root "$fresh" 0:0 "cd /hullbench; tests/packaging/ci_matrix.sh $compiler all"
        check "$1: the workflow's job for $compiler passes all tests"
        in_root "$fresh" 0:0 "cd /hullbench; make -s -j$processors CC=$compiler CFLAGS=-Werror tests-built"
        check "$1: $compiler compiles the program and all unit tests without warnings"
        rm -rf "$fresh"
    done
}

# The instructions of the Containerfile, each in the root of its stage. The context is the tarball.
container() {
    sed '/^#/d; /^$/d' "$root/packaging/Containerfile" |
        sed ':again; /\\$/{ N; s/\\\n *//; b again; }' >"$work/instructions"
    stage=0
    while read -r instruction words; do
        case "$instruction $words" in
        'FROM debian:12'* | 'FROM debian:13'*)
            case $words in *:12*) suite=bookworm ;; *) suite=trixie ;; esac
            base "$suite" || return 1
            before=${fresh-} stage=$((stage + 1)) folder=/
            fresh "$suite" "stage$stage"
            ;;
        'RUN '*) in_root "$fresh" 0:0 "cd $folder; $words" </dev/null || return 1 ;;
        'COPY . /'*) sources "$fresh/${words#* /}" ;;
        'COPY --from=build /'*)
            words=${words#* /}
            mkdir -p "$fresh/${words#* /}"
            # shellcheck disable=SC2086 # a pattern
            cp "$before/"${words%% *} "$fresh/${words#* /}" || return 1
            ;;
        'WORKDIR '*) folder=$words && mkdir -p "$fresh$folder" ;;
        'ENTRYPOINT ["hullbench"]') ;;
        *)
            echo "packages.sh does not know this instruction: $instruction $words" >"$work/err"
            return 1
            ;;
        esac
    done <"$work/instructions"
    in_root "$fresh" 0:0 "cd $folder; hullbench solve --dataset twonorm --solver clip-mdm --set mu=0.05"
    status=$?
    rm -rf "$roots"/*-stage[0-9]
    return $status
}

# Nix evaluates default.nix with stand-ins for nixpkgs: each package is its counterpart in Debian. hullbench is then
# built as stdenv does it, with these packages and no others.
nix() {
    base trixie && fresh trixie nix && install_in "$fresh" nix-bin && sources "$fresh/build" || return 1
    cat >"$fresh/build/evaluate.nix" <<'END'
let
  pkgs = {
    stdenv.mkDerivation = attributes: attributes;
    lib = { cleanSource = toString; licenses.gpl3Plus = null; platforms.linux = null; };
    cjson = "libcjson-dev";
    gsl = "libgsl-dev";
    libarchive = "libarchive-dev";
    libmd = "libmd-dev";
    md4c = "libmd4c-dev";
    pkg-config = "pkg-config";
    zlib = "zlib1g-dev";
  };
  hullbench = import ./packaging/default.nix { inherit pkgs; };
  words = builtins.concatStringsSep " ";
in builtins.concatStringsSep ";" [
  hullbench.version
  (words (hullbench.nativeBuildInputs ++ hullbench.buildInputs))
  (words hullbench.makeFlags)
]
END
    in_root "$fresh" 0:0 'cd /build; nix-instantiate --store dummy:// --eval evaluate.nix >evaluated' || return 1
    evaluated=$(tr -d '"' <"$fresh/build/evaluated")
    packages=${evaluated%;*} flags=$(echo "${evaluated##*;}" | sed "s/[^ ][^ ]*/'&'/g")
    [ "${packages%%;*}" = "$version" ] || { echo "default.nix has version ${packages%%;*}" >"$work/err"; return 1; }
    packages=${packages#*;}
    fresh trixie nix
    install_in "$fresh" "gcc libc6-dev make $packages" && sources "$fresh/build" &&
        chown -R 1000:1000 "$fresh/build" && in_root "$fresh" 1000:1000 "cd /build; export out=/tmp/out
            make -s -j$processors $flags; make -s install $flags
            /tmp/out/bin/hullbench solve --dataset twonorm --solver clip-mdm --set mu=0.05"
    status=$?
    rm -rf "$fresh"
    return $status
}

for suite in $suites; do
    wanted bare || wanted packages || wanted matrix || continue
    if ! base "$suite"; then
        skip "$suite" "no root can be made here"
        continue
    fi
    if wanted bare; then bare_of "$suite"; fi
    if wanted packages; then packages_of "$suite"; fi
    if wanted matrix; then matrix_of "$suite"; fi
done
if wanted container; then
    container
    check "the steps of the Containerfile make a root in which hullbench works"
fi
if wanted nix; then
    nix
    check "default.nix names what hullbench needs, and its steps build it"
fi
finish
