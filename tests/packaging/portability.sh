#!/bin/sh
# The long form of test_same_bytes.sh, run by `make test-portability`: every compiler and optimisation at every vector
# width, one to eight threads, combined shards, sanitizers, a math library without fused operations, and aarch64,
# emulated.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"
# shellcheck source=tests/packaging/same_bytes.sh
. "$(dirname -- "$0")/same_bytes.sh"

# same_as_first NAME [OPTION...]: the current $hullbench makes the same records, traces and other files as the first.
same_as_first() {
    name=$1
    shift
    run_as "$name" "$@" && as_first "$name" && outputs "outputs-$name" && same_outputs outputs "outputs-$name"
}

# The verbs that `outputs` leaves out.
cat >"$work/rest.json" <<'END'
{"name": "rest", "datasets": ["titanic"], "splits": "1-2", "standardise": "full-set", "seed": 6,
 "kernel": {"type": "rbf", "width": 2}, "parameters": {"C": [0.5, 8]}, "solvers": ["1-smo", "second-order-smo"],
 "stop": {"rule": "duality-gap", "tolerance": [1e-1, 1e-3]}, "budget": {"iterations": 200},
 "trace": {"datasets": ["titanic"], "splits": "1"}}
END
# rest FOLDER FIRST: what these verbs of the current $hullbench make and print, in $work/FOLDER. The run and the
# reference counts that they read are in $work/FIRST, so that their times are the same, too. Not to be called in a
# condition, which would switch off `set -e`.
rest() {
    mkdir "$work/$1"
    (
        set -e
        cd "$work/$1"
        "$hullbench" run ../rest.json --out own --quiet
        for shard in 1 2; do
            "$hullbench" run ../rest.json --out shard$shard --shard $shard/2 --quiet
        done
        "$hullbench" merge shard1 shard2 --out merged
        if [ "$1" = "$2" ]; then
            "$hullbench" check own --baseline reference.json --update --message new --author me >updated
        else
            cp "../$2/reference.json" .
        fi
        "$hullbench" check own --baseline reference.json
        cp -R "../$2/own" run
        "$hullbench" replay run --quiet >replayed
        "$hullbench" bundle run --out run.tar
        "$hullbench" replay run.tar --quiet >>replayed
        sed '/^results: /!d' replayed
        "$hullbench" replay --verify run.tar
        "$hullbench" export run --out records.csv --traces traces.csv
        "$hullbench" atlas run --out atlas --no-render --resamples 50
        "$hullbench" report run --out page.html
        "$hullbench" report run --markdown pages
        for what in solvers parameters stops kernels datasets 'solvers --json'; do
            # shellcheck disable=SC2086 # two words
            "$hullbench" list $what
        done
        for formulation in nearest-points c-svm 2-svm minimum-norm no-bias no-bias-hard-margin; do
            "$hullbench" new-solver --plugin --formulation $formulation new-$formulation
        done
        "$hullbench" new-solver --kernel new-kernel
        "$hullbench" new-solver --stopping-rule new-rule
        "$hullbench" verify second-order-smo --quiet --problem 1-40 >verified
        # How often it checks depends on how many vector widths there are.
        sed 's/ *[0-9]* checks.*//; /vector width/d' verified
    ) >"$work/$1.seen" 2>"$work/err"
}

# same_rest FOLDER FOLDER: except for times, machine and pictures that have a date.
same_rest() {
    diff -r -x run.json -x timings.jsonl -x '*.pdf' -x replayed -x updated -x verified "$work/$1" "$work/$2" \
        >"$work/err" &&
        same_files "$work/$1.seen" "$work/$2.seen"
}

# installed SENTENCE COMMAND: whether the command exists; if not, skips the sentence.
installed() {
    command -v "$2" >/dev/null 2>&1 || { skip "$1" "$2 is not installed"; return 1; }
}

run_as first && outputs outputs
check "a small run of every registered solver works, and what is made of small runs"
rest rest rest
check "merge, check, replay, bundle, export, atlas, report, list, new-solver and verify work"
rest rest-again rest
same_rest rest rest-again
check "a second run of these verbs makes the same files"

for jobs in 1 2 3 4 5 6 7 8; do
    same_as_first "jobs$jobs" --jobs "$jobs"
    check "the same bytes with $jobs threads"
done

with_heart_wanted=$with_heart with_heart=
for parts in 2 3 4; do
    folders=''
    for part in $(seq "$parts"); do
        program run "$work/config.json" --out "$work/part$part-$parts" --shard "$part/$parts" --quiet
        [ "$status" -eq 0 ] || break
        folders="$folders $work/part$part-$parts"
    done
    # shellcheck disable=SC2086 # a list of folders
    [ "$status" -ne 0 ] || program merge $folders --out "$work/merged$parts"
    [ "$status" -eq 0 ] && as_first "merged$parts"
    check "the same bytes from $parts shards, merged"
done
with_heart=$with_heart_wanted

usual=$hullbench
for wanted in gcc,-O0 gcc,-O1 gcc,-O2 gcc,-O3 clang,-O0 clang,-O2 clang,-O3; do
    compiler=${wanted%,*} level=${wanted#*,}
    sentence="the same bytes from a build by $compiler $level"
    installed "$sentence" "$compiler" || continue
    build "$compiler" "$level"
    check "$compiler $level builds"
    for lanes in generic avx2 avx512; do
        has "$lanes" || { skip "$sentence, $lanes" "this processor or build lacks it"; continue; }
        HULLBENCH_LANES=$lanes
        export HULLBENCH_LANES
        same_as_first "$compiler$level-$lanes"
        check "$sentence, $lanes"
        unset HULLBENCH_LANES
    done
    hullbench=$usual
done

for compiler in gcc clang; do
    sentence="the same bytes under the sanitizers of $compiler, which find nothing"
    installed "$sentence" "$compiler" || continue
    build "$compiler" -O1 "$(make -s -C "$root" print-SANITIZERS)" &&
        same_as_first "$compiler-sanitized"
    check "$sentence"
    hullbench=$usual
done

# glibc chooses its logarithms and powers by processor features; without fused operations their last bits differ.
GLIBC_TUNABLES=glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2
export GLIBC_TUNABLES
same_as_first no-fma
check "the same bytes where the C library may not use fused operations"
unset GLIBC_TUNABLES

# aarch64, emulated and some sixty times slower: only the second splits.
libraries=$root/build/arm64
emulator=qemu-aarch64
command -v $emulator >/dev/null || emulator=qemu-aarch64-static # of another package
sentence="the same bytes from aarch64, emulated by qemu-user"
if installed "$sentence" aarch64-linux-gnu-gcc && installed "$sentence" "$emulator"; then
    if ! "$root/tests/packaging/arm64_root.sh" "$libraries" >"$work/err" 2>&1; then
        skip "$sentence" "the libraries for arm64 cannot be had: $(tail -n 1 "$work/err")"
    else
        PKG_CONFIG_LIBDIR=$libraries/usr/lib/aarch64-linux-gnu/pkgconfig:$libraries/usr/share/pkgconfig \
            PKG_CONFIG_SYSROOT_DIR=$libraries
        export PKG_CONFIG_LIBDIR PKG_CONFIG_SYSROOT_DIR
        build "aarch64-linux-gnu-gcc --sysroot=$libraries" -O2
        check "Debian's cross compiler builds for aarch64"
        printf '#!/bin/sh\nexec %s -L "%s" "%s" "$@"\n' "$emulator" "$libraries" "$hullbench" >"$work/emulated"
        chmod +x "$work/emulated"
        hullbench=$work/emulated with_heart=
        run_as arm64 --splits 2 && grep '"split":2,' "$work/first/records.jsonl" >"$work/second" &&
            same_files "$work/second" "$work/arm64/records.jsonl" &&
            diff -r "$work/first/traces" "$work/arm64/traces" >"$work/err"
        check "$sentence: records and traces"
        outputs outputs-arm64 && same_outputs outputs outputs-arm64
        check "$sentence: tables, numbers of figures, verdicts, a comparison, a search, a model"
        rest rest-arm64 rest
        check "the other verbs work on aarch64"
        same_rest rest rest-arm64
        check "$sentence: counts, a merged run, an archive, exported records, atlas, report, lists, sources, checks"
    fi
fi
finish
