#!/bin/sh
# run_all.sh before it builds: its options, and when it installs packages. Fake dpkg-query, apt-get, id, sudo and make
# note their calls in $work/calls. make exits with status 7, so each run of the script ends there at the latest.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"

mkdir "$work/bin"
stand_in() {
    { echo '#!/bin/sh' && cat; } >"$work/bin/$1"
    chmod +x "$work/bin/$1"
}
# $MISSING: the packages that are not installed; $WHO: the user id; $SUDO: whether sudo works without a password.
stand_in dpkg-query <<'END'
for package; do :; done
case " $MISSING " in *" $package "*) exit 1 ;; *) echo 'install ok installed' ;; esac
END
stand_in id <<'END'
echo "$WHO"
END
stand_in sudo <<'END'
echo "sudo $*" >>"$CALLS"
[ "$SUDO" = yes ] || exit 1
[ "$1" != -n ] || shift
exec "$@"
END
stand_in apt-get <<'END'
echo "apt-get $*" >>"$CALLS"
[ -z "$LATER" ] || cp "$OUT" "$LATER"
[ "$3" != install ] || exit "$APT"
END
stand_in make <<'END'
echo "make $*" >>"$CALLS"
exit 7
END
CALLS=$work/calls OUT=$work/out LATER=$work/printed_first PATH=$work/bin:$PATH
MISSING='libgsl-dev gnuplot-nox' WHO=1000 SUDO=no APT=0
export CALLS OUT LATER PATH MISSING WHO SUDO APT
unset CI

# run_all OPTION...: $status, $work/out, $work/err, $work/calls, and the output before apt-get in $LATER.
run_all() {
    rm -f "$CALLS" "$LATER"
    : >"$CALLS"
    sh "$root/run_all.sh" "$@" >"$work/out" 2>"$work/err" </dev/null
    status=$?
}
wait='-o DPkg::Lock::Timeout=300'
update="apt-get $wait update"
line="apt-get $wait install -y --no-install-recommends libgsl-dev gnuplot-nox"
installs_nothing() {
    ! grep -qE '^(apt-get|make)|^sudo .*apt-get' "$CALLS"
}
prints() {
    grep -qxF "$1" "$work/err"
}
# The updates and installations, each with the same arguments.
installs() {
    grep -qxF "$update" "$CALLS" && grep -qxF "$line" "$CALLS" && [ "$status" = 7 ] && grep -q '^make' "$CALLS"
}

# ---- a user ----
run_all
ended 4 && installs_nothing && prints "sudo $update && sudo $line"
check "a user gets the line that installs the packages, and nothing is installed"
SUDO=yes
run_all --quick
ended 4 && [ ! -s "$CALLS" ] && prints "sudo $update && sudo $line"
check "also if sudo asks for no password: sudo is not even called"
run_all --test
ended 4 && installs_nothing && prints "sudo $update && sudo $line"
check "also before the tests"
MISSING="$MISSING libcmocka-dev" run_all --test
ended 4 && prints "sudo $update && sudo $line libcmocka-dev"
check "which need more packages"
MISSING=libcmocka-dev run_all
ended 7 && [ "$(grep -c '^make' "$CALLS")" = 1 ] && ! grep -q apt-get "$CALLS"
check "than the runs"
MISSING='libsvm-dev strace' run_all --test
ended 7 && ! grep -q 'apt-get' "$CALLS" "$work/err"
check "packages without which tests are skipped are not asked for"
MISSING='' run_all
ended 7 && ! grep -qE 'sudo|apt-get' "$CALLS" && ! grep -q package "$work/out"
check "nothing is said or done if no package is missing"

# ---- CI ----
CI=true run_all
installs && grep -q "^sudo env DEBIAN_FRONTEND=noninteractive $line\$" "$CALLS"
check "where CI is set, a user's packages are installed with sudo"
grep -q '^Installing.*: libgsl-dev gnuplot-nox$' "$LATER" && grep -qF "sudo $line" "$LATER"
check "and printed before"
CI=true SUDO=no run_all
ended 4 && installs_nothing && prints "sudo $update && sudo $line"
check "unless sudo asks for a password"
CI='' run_all
ended 4 && installs_nothing
check "an empty CI does not count"

# ---- root ----
WHO=0
run_all
installs && ! grep -q sudo "$CALLS"
check "root's packages are installed, without sudo"
grep -q '^Installing.*: libgsl-dev gnuplot-nox$' "$LATER" && grep -qF "$line" "$LATER"
check "and printed before"
APT=100 run_all
ended 4 && ! grep -q '^make' "$CALLS" && grep -q apt-get "$work/err"
check "status 4 if apt-get fails"
MISSING='libsvm-dev strace' run_all --test
ended 7 && [ "$(grep -c '^apt-get .* install .* libsvm-dev strace$' "$CALLS")" = 1 ]
check "--test also installs packages without which tests are skipped"
MISSING='libsvm-dev strace' APT=100 run_all --test
ended 7 && grep -q apt-get "$work/err" && grep -q '^make' "$CALLS"
check "and goes on if it cannot"
run_all --install-only
ended 0 && grep -q '^apt-get .* install' "$CALLS" && ! grep -q '^make' "$CALLS"
check "--install-only ends after that"

# ---- --no-install ----
run_all --no-install
ended 4 && installs_nothing && prints "$update && $line" &&
    grep -q 'missing: libgsl-dev gnuplot-nox$' "$work/err"
check "--no-install prints what is missing and installs nothing, even as root"
CI=true run_all --test --no-install
ended 4 && installs_nothing
check "or in CI"
MISSING='' run_all --no-install
ended 7 && grep -q '^make' "$CALLS"
check "and builds if nothing is missing"

# ---- options ----
run_all --help
bad=0
{ ended 0 && [ ! -s "$CALLS" ]; } || bad=1
for option in --quick --test --atlas --sweep --jobs --out --force --no-install --install-only --list; do
    { grep -qE "^  $option( |\$)" "$work/out" && grep -qE "^ +(.* )?$option( .*)?\)" "$root/run_all.sh"; } || bad=1
done
[ "$bad" = 0 ]
check "--help lists every option"
run_all --list --quick
ended 0 && [ ! -s "$CALLS" ] && [ "$(wc -l <"$work/out")" -gt 40 ] &&
    grep -qx 'run barbero2008-figure1 --quick' "$work/out" && [ "$(tail -n 1 "$work/out")" = 'tune tune-quick' ]
check "--list prints the runs of a mode and makes none"
bad=0
for options in --unknown --out '--jobs 0' '--jobs two' --jobs; do
    # shellcheck disable=SC2086 # an option and its value
    run_all $options
    { ended 2 && [ ! -s "$CALLS" ] && grep -qe "${options%% *}" "$work/err"; } || bad=1
done
[ "$bad" = 0 ]
check "an option that is unknown or lacks its value is named"

# ---- an installed copy, PREFIX/share/hullbench/run_all.sh ----
prefix=$work/prefix
mkdir -p "$prefix/bin" "$prefix/share/hullbench/configs" "$work/elsewhere"
cp -R "$root/run_all.sh" "$root/scripts" "$prefix/share/hullbench/"
echo '{"tables": []}' >"$prefix/share/hullbench/configs/sweep.json"
cat >"$prefix/bin/hullbench" <<'END'
#!/bin/sh
echo "hullbench $*" >>"$CALLS"
while [ $# -gt 0 ]; do
    case $1 in --out) mkdir -p "$2" ;; esac
    shift
done
END
chmod +x "$prefix/bin/hullbench"
# installed_copy OPTION...: $status, $work/out, $work/err and $work/calls, called in another folder.
installed_copy() {
    : >"$CALLS"
    (cd "$work/elsewhere" && sh "$prefix/share/hullbench/run_all.sh" "$@" >"$work/out" 2>"$work/err")
    status=$?
}
installed_copy --quick
ended 0 && ! grep -qE '^(make|apt-get|sudo)' "$CALLS" &&
    grep -qF "run configs/sweep.json --out $work/elsewhere/results/quick/sweep --quick" "$CALLS"
check "an installed copy runs the installed program, installs and builds nothing, and writes to the current folder"
installed_copy --sweep --jobs 3
folder=$work/elsewhere/results/sweep-full
printf 'hullbench %s\n' "list datasets" "run configs/sweep-full.json --out $folder --jobs 3" "tables $folder" \
    "plot $folder" "report $folder --out $folder/report.html" >"$work/expected"
ended 0 && diff "$work/expected" "$CALLS" >"$work/err"
check "--sweep runs the full sweep alone, beside the folders of the other experiments, and writes its tables and maps"
installed_copy --test
ended 2 && says 'needs the source tree' && [ ! -s "$CALLS" ]
check "it refuses --test"
finish
