#!/bin/sh
# Installs what is missing, builds, finds or downloads the data, runs every experiment, and writes tables, verdicts,
# plots and a report. `./run_all.sh --help` lists the modes.
set -eu

usage() {
    cat <<'END'
Usage: ./run_all.sh [--quick | --test | --atlas] [--jobs N] [--out DIR] [--force] [--list]
                    [--no-install | --install-only]

Builds hullbench and reproduces the tables and claims of the papers.

  (no mode)     run every configuration in configs/; write tables, verdicts, plots and a report to results/
  --quick       run the same on one or two splits of each data set; write to results/quick/ (about a minute)
  --test        build hullbench and run all tests; the last line is "N passed, N failed"
  --atlas       run the study of docs/atlas.md on one or two splits of each data set; write to results/atlas/ (half an
                hour on two cores)
  --jobs N      use N threads (default: one for each processor)
  --out DIR     write the results to DIR
  --force       restart runs that another version, other data or other options began
  --no-install  install nothing: if Debian packages are missing, print them and end with status 4
  --install-only
                install what this mode needs, and end
  --list        only print the runs without a mode, or those of --quick: verb, configuration and options

Run the same command again to resume an interrupted run.

Where dpkg is installed, the script first checks for the Debian packages that the build needs. As root it prints the
missing packages and installs them. Any other user gets the command that installs them, and the script ends with status
4. If the environment variable CI is set and sudo asks for no password, the script installs them with sudo. If it may
install, --test also tries to install packages without which some tests are skipped.

The script looks for data in the folders of HULLBENCH_DATA (separated by colons), then in datasets/cache. If files are
missing it calls datasets/fetch.sh once. Set HULLBENCH_FETCH=no to prevent downloads.

make install copies the script to PREFIX/share/hullbench. That copy runs the installed program and the installed
configurations. It neither builds nor downloads, and by default it writes to results/ in the current folder.

Exit status: 0 success; 1 a result differs from a paper and docs/deviations.md does not list it; 2 wrong usage, or the
build or a test failed; 4 a package is missing or the system reported an error.
END
}

mode=full jobs='' out='' force='' may_install=yes install_only=no list=no
while [ $# -gt 0 ]; do
    case $1 in
    --quick) mode=quick ;;
    --test) mode="test" ;;
    --atlas) mode=atlas ;;
    --jobs | --out)
        [ -n "${2-}" ] || { echo "run_all.sh: $1 needs a value" >&2; exit 2; }
        if [ "$1" = --jobs ]; then jobs=$2; else out=$2; fi
        shift
        ;;
    --force) force=--force ;;
    --no-install) may_install=no ;;
    --install-only) install_only=yes ;;
    --list) list=yes ;;
    -h | --help) usage; exit 0 ;;
    *)
        echo "run_all.sh: unknown option \"$1\"; ./run_all.sh --help lists the options" >&2
        exit 2
        ;;
    esac
    shift
done
case $jobs in
*[!0-9]* | 0) echo "run_all.sh: --jobs: \"$jobs\" is not a number of at least 1" >&2; exit 2 ;;
esac
case $out in
'' | /*) ;;
*) out=$PWD/$out ;;
esac
called_in=$PWD
cd "$(dirname "$0")"

# An installed copy, PREFIX/share/hullbench/run_all.sh, runs PREFIX/bin/hullbench. It builds and downloads nothing.
hullbench=./hullbench installed=no
if [ ! -e Makefile ]; then
    hullbench=../../bin/hullbench installed=yes
    if [ "$mode" = test ]; then
        echo "run_all.sh: --test needs the source tree" >&2
        exit 2
    fi
fi

# The Debian packages that building and running need, those that the tests need in addition, and those without which
# only some tests are skipped.
packages='gcc make pkg-config libc6-dev libgsl-dev libcjson-dev libmatio-dev libmd-dev libmd4c-dev'
packages="$packages libmd4c-html0-dev zlib1g-dev libarchive-dev gnuplot-nox curl ca-certificates"
test_packages='libcmocka-dev'
optional_packages='libmpfr-dev libsvm-dev libsvm-tools python3 python3-jsonschema python3-yaml'
optional_packages="$optional_packages libxml2-utils librsvg2-bin locales poppler-utils strace"

missing_packages() {
    for package in "$@"; do
        case $(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || true) in
        *'ok installed') ;;
        *) printf ' %s' "$package" ;;
        esac
    done
}

# install PACKAGE...: installs those that are missing, or prints the command to run. Status 4 if some are still missing.
install() {
    missing=$(missing_packages "$@")
    [ -n "$missing" ] || return 0
    # A new machine may hold the lock for minutes.
    wait='-o DPkg::Lock::Timeout=300'
    install="${sudo}apt-get $wait install -y --no-install-recommends$missing"
    if [ "$may_install" = no ]; then
        {
            echo "run_all.sh: these Debian packages are missing:$missing"
            echo "Install them with the following line, then run this command again:"
            echo "${sudo}apt-get $wait update && $install"
        } >&2
        return 4
    fi
    echo "Installing these Debian packages:$missing"
    echo "by ${sudo}apt-get $wait update && $install"
    log=$(mktemp)
    # shellcheck disable=SC2086 # lists of words
    if ! { ${sudo}apt-get $wait update && ${sudo}env DEBIAN_FRONTEND=noninteractive \
        apt-get $wait install -y --no-install-recommends $missing; } >"$log" 2>&1; then
        tail -n 20 "$log" >&2
        rm -f "$log"
        echo "run_all.sh: apt-get could not install the packages" >&2
        return 4
    fi
    rm -f "$log"
}

# Installs as root, or with sudo where CI is set. Ends with status 4 if packages are missing that the mode needs.
install_missing() {
    command -v dpkg-query >/dev/null || return 0 # not Debian: make names what it does not find
    sudo=''
    if [ "$(id -u)" != 0 ]; then
        sudo='sudo '
        if [ -z "${CI-}" ] || ! sudo -n true 2>/dev/null; then may_install=no; fi
    fi
    if [ "$mode" = test ]; then
        packages="$packages $test_packages"
        # shellcheck disable=SC2086 # lists of words
        [ "$may_install" = no ] || install $packages $optional_packages || echo "Trying without optional packages" >&2
    fi
    # shellcheck disable=SC2086 # a list of words
    install $packages || exit 4
}

fetch_data() {
    [ "${HULLBENCH_FETCH:-yes}" = no ] && return 0
    case $("$hullbench" list datasets) in
    *missing*) ;;
    *) return 0 ;;
    esac
    if [ $installed = yes ]; then
        echo "Some data sets are missing. To download them, run $PWD/datasets/fetch.sh FOLDER and set HULLBENCH_DATA."
        return 0
    fi
    [ -e datasets/cache/.tried ] && return 0
    mkdir -p datasets/cache
    echo "Downloading the missing data files to datasets/cache"
    datasets/fetch.sh || {
        : >datasets/cache/.tried
        echo "Some data files could not be downloaded. The run continues without their data sets." >&2
        echo "To try again, run datasets/fetch.sh." >&2
    }
}

# The verb, the name of the configuration, and the options of each run of this mode. tune-* are for hullbench tune,
# atlas-* for --atlas, ci for the tests.
experiments() {
    for config in configs/*.json; do
        name=$(basename "$config" .json)
        case $mode/$name in
        */tune-* | */atlas-* | */ci) ;;
        quick/*-draws) ;; # they would repeat the first splits
        quick/*) echo run "$name" --quick ;;
        *) echo run "$name" ;;
        esac
    done
    # A search for C and the kernel width, with its tables and figures.
    if [ "$mode" = quick ]; then echo tune tune-quick; else echo tune tune-2svm; fi
}
if [ $list = yes ]; then
    case $mode in test | atlas) echo "run_all.sh: --list knows no --$mode" >&2; exit 2 ;; esac
    experiments
    exit
fi

# Draws the figures of run folders. A folder without figures (status 3) is no error.
draw() {
    "$hullbench" plot "$@" >/dev/null || {
        status=$?
        [ $status = 3 ] || exit $status
    }
}

# A background process writes the tables and figures of a finished experiment while the next experiment runs. At most
# one such process runs at a time. With one thread there is none: in_background then runs its command at once.
background=''

await_background() {
    [ -n "$background" ] || return 0
    wait "$background"
    background=''
}

in_background() {
    if [ "${jobs:-$processors}" = 1 ]; then
        "$@"
        return
    fi
    await_background
    "$@" &
    background=$!
}

# Waits for the background process, so that nothing writes to the results after this script ends, also by a signal.
end() {
    status=$?
    trap - EXIT
    [ -z "$background" ] || wait "$background" || true
    exit "$status"
}
trap end EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

tables_and_figures() {
    "$hullbench" tables "$@" >/dev/null
    draw "$@"
}

# One experiment: its run, then its tables and figures. Folders that a paper's table needs get both at the end.
experiment() {
    config=$1 folder=$2
    shift 2
    if grep -q '"repeats"' "$config"; then await_background; fi # it measures seconds
    "$hullbench" run "$config" --out "$folder" "$@" || {
        status=$?
        [ $status = 3 ] && return 0
        exit $status
    }
    grep -q '"tables"' "$config" || in_background tables_and_figures "$folder"
}

[ $installed = yes ] || install_missing
[ $install_only = no ] || exit 0
processors=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
if [ "$mode" = test ]; then
    exec make -s -j"${jobs:-$processors}" test
fi
[ $installed = yes ] || make -s -j"${jobs:-$processors}" all
fetch_data

results=$PWD/results
if [ $installed = yes ]; then results=$called_in/results; fi
case $mode in
full) : "${out:=$results}" ;;
*) : "${out:=$results/$mode}" ;;
esac

# The splits of the atlas that one machine runs (docs/cluster.md runs all of them).
atlas_splits() {
    case $1 in
    atlas-families | atlas-shrinking) echo 1-2 ;;
    *) echo 1 ;;
    esac
}

if [ "$mode" = atlas ]; then
    for config in configs/atlas-*.json; do
        name=$(basename "$config" .json)
        [ "$name" != atlas-large ] || continue # takes hours
        # shellcheck disable=SC2086 # lists of words
        "$hullbench" run "$config" --out "$out/$name" --splits "$(atlas_splits "$name")" $force \
            ${jobs:+--jobs "$jobs"} || {
            status=$?
            [ $status = 3 ] || exit $status
            continue
        }
    done
    # Folders that are analysed together. The growth of costs with N is measured on the generated sets alone.
    for part in linear square no-bias norm shrinking times families 'held-out held-out-files'; do
        folders=''
        for name in $part; do
            [ ! -e "$out/atlas-$name/run.json" ] || folders="$folders $out/atlas-$name"
        done
        pairs='' # the pairs of solvers that docs/atlas.md compares
        case $part in
        linear | held-out*)
            for pair in 1-smo:clip-mdm second-order-smo:second-order-clip-mdm conjugate-smo:conjugate-clip-mdm \
                second-order-smo:conjugate-smo clip-mdm:conjugate-clip-mdm second-order-smo:planning-ahead-smo \
                second-order-smo:overshooting-smo second-order-smo:maximum-gain-smo clip-mdm:pairwise-fw \
                clip-mdm:away-fw clip-mdm:corrective-fw; do
                pairs="$pairs --pair $pair"
            done
            ;;
        esac
        # shellcheck disable=SC2086 # lists of folders and words
        [ -z "$folders" ] || "$hullbench" atlas $folders --out "$out/${part%% *}" $pairs
    done
    echo
    echo "Tables and figures: $out/*/"
    echo "Interactive pages:  $out/*/atlas.html"
    exit
fi

conforming='' finished=''
while read -r verb name options; do
    config=configs/$name.json
    if [ "$verb" = tune ]; then search=$name; continue; fi
    # shellcheck disable=SC2086 # lists of words
    experiment "$config" "$out/$name" $options $force ${jobs:+--jobs "$jobs"}
    [ ! -e "$out/$name/records.jsonl" ] || finished="$finished $out/$name"
    # shellcheck disable=SC2016 # a regular expression
    if grep -q '"tables"' "$config" && [ -e "$out/$name/records.jsonl" ]; then
        conforming="$conforming $out/$name"
    fi
done <<END
$(experiments)
END

# Tables, figures and verdicts that need the records of several folders. conform gets every folder, because experiments
# that explain a deviation belong to no table.
conclude() {
    # shellcheck disable=SC2086 # a list of folders
    [ -z "$conforming" ] || tables_and_figures $conforming
    verdict=0
    # shellcheck disable=SC2086 # a list of folders
    "$hullbench" conform --json "$out/conform.json" $finished >"$out/conform.txt" || verdict=$?
    if [ "$verdict" = 2 ] || [ "$verdict" -gt 3 ]; then exit "$verdict"; fi
    echo "$verdict" >"$out/.verdict" # the background process cannot set a variable here
}
in_background conclude

# shellcheck disable=SC2086 # lists of words
"$hullbench" tune "configs/$search.json" --out "$out/$search" $force ${jobs:+--jobs "$jobs"} || {
    status=$?
    [ $status = 3 ] || exit $status
}
await_background
verdict=$(cat "$out/.verdict")
rm "$out/.verdict"

# One page with all results.
[ ! -e "$out/$search/run.json" ] || finished="$finished $out/$search"
# shellcheck disable=SC2086 # a list of folders
[ -z "$finished" ] || "$hullbench" report $finished --out "$out/report.html" >/dev/null

echo
grep -E '^([a-z0-9]+[.]table|  marks|all|marks)' "$out/conform.txt" || true
echo
echo "Verdicts, cell by cell:  $out/conform.txt"
echo "Tables:                  $out/*/tables/   (.json .md .tex .csv)"
echo "Plots:                   $out/*/plots/    (.svg .png .pdf .gp .dat)"
[ ! -e "$out/$search/tune.md" ] || echo "Search for C and width:  $out/$search/tune.md"
echo "Report on one page:      $out/report.html"
echo "Records:                 $out/*/records.jsonl"
if [ "$mode" = full ]; then
    exit "$verdict"
fi
echo "Two splits are too few for a conclusion: --quick shows what the output looks like."
