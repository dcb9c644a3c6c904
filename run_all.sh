#!/bin/sh
# Installs what is missing, builds, finds or downloads the data, runs every experiment, and writes tables, verdicts,
# plots and a report. `./run_all.sh --help` lists the modes.
set -eu

usage() {
    cat <<'END'
Usage: ./run_all.sh [--quick | --test | --atlas | --sweep] [--jobs N] [--out DIR] [--force] [--list]
                    [--no-install | --install-only]

Builds hullbench and reproduces the tables and claims of the papers.

  (no mode)     run every configuration in configs/; write tables, verdicts, plots and a report to results/
  --quick       run the same on one or two splits of each data set; write to results/quick/ (about a minute)
  --test        build hullbench and run all tests; the last line is "N passed, N failed"
  --atlas       run the study of docs/atlas.md on one or two splits of each data set; write to results/atlas/ (half an
                hour on two cores)
  --sweep       run configs/sweep-full.json, errors and costs over C and the kernel width on all splits; write to
                results/sweep-full/ (about 20 minutes on two cores)
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
    --atlas | --sweep) mode=${1#--} ;;
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

if [ $list = yes ]; then
    case $mode in test | atlas | sweep) echo "run_all.sh: --list knows no --$mode" >&2; exit 2 ;; esac
    exec scripts/experiments.sh "$mode" --list
fi
[ $installed = yes ] || packaging/install_packages.sh "$mode" "$may_install"
[ $install_only = no ] || exit 0
processors=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
if [ "$mode" = test ]; then
    exec make -s -j"${jobs:-$processors}" test
fi
[ $installed = yes ] || make -s -j"${jobs:-$processors}" all
fetch_data

results=$PWD/results
if [ $installed = yes ]; then results=$called_in/results; fi
case $mode in quick | atlas) results=$results/$mode ;; esac
set -- "${out:-$results}" ${jobs:+--jobs "$jobs"} ${force:+"$force"}
export HULLBENCH="$hullbench"
case $mode in atlas | sweep) exec "scripts/$mode.sh" "$@" ;; esac
exec scripts/experiments.sh "$mode" "$@"
