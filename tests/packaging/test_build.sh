#!/bin/sh
# The Makefile: what it recompiles, how it reports a missing library, which tools it uses, dist. Builds a copy of the
# tree with a fake compiler, which notes the source and makes an empty object.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"

tree=$work/tree
mkdir "$tree" && (cd "$root" && tar -cf - .ci .dockerignore .github .gitignore CITATION.cff COPYING \
    Makefile ./*.md codemeta.json run_all.sh configs debian docs harness schemas scripts solvers tests \
    packaging bindings papers baselines results/README.md plots/*.gp plots/*.md plots/report.* datasets/*.*) |
    tar -xf - -C "$tree"
check "the tree can be copied"

# Until dist only some of the folders, since make starts several programs for each source.
mkdir "$work/aside"
for folder in "$tree"/harness/*/; do
    case ${folder%/} in */cli | */library | */run | */support) ;; *) mv "$folder" "$work/aside/" ;; esac
done

REAL_CC=${CC:-gcc} COMPILED=$work/compiled HIDDEN=nothing
export REAL_CC COMPILED HIDDEN
cat >"$work/stand-in" <<'END'
#!/bin/sh
# Compiles nothing; does not find the header $HIDDEN.
source='' object='' compile=no
for word in "$@"; do
    case $word in
    -c) compile=yes ;;
    *.c) source=$word ;;
    *.o) object=$word ;;
    -) ! grep -q "$HIDDEN"; exit ;;
    esac
done
[ $compile = yes ] || exec $REAL_CC "$@"
echo "$source" >>"$COMPILED"
: >"$object"
END
chmod +x "$work/stand-in"

# make_tree WORD...: runs make in the copy; $status, $work/out, $work/err and $work/compiled.
make_tree() {
    : >"$COMPILED"
    make -C "$tree" CC="$work/stand-in" "$@" >"$work/out" 2>"$work/err"
    status=$?
    return 0
}

built=$(make -s -C "$tree" CC="$work/stand-in" print-B)
HIDDEN=sha2.h
make_tree "$built/libhullbench.a"
ended 2 && [ ! -s "$COMPILED" ] && [ "$(grep -c libmd-dev "$work/err")" = 1 ] && ! grep -q libgsl-dev "$work/err"
check "a missing library is named by its package before anything is compiled"
HIDDEN=nothing
make_tree PKG_CONFIG="$work/no-pkg-config" all
ended 2 && [ ! -s "$COMPILED" ] && grep -q ' pkg-config$' "$work/err"
check "so is pkg-config"
make_tree PKG_CONFIG=false all
ended 2 && [ ! -s "$COMPILED" ] && grep -q 'libgsl-dev' "$work/err" && grep -q 'libcjson-dev' "$work/err"
check "so is a library that pkg-config does not find"
make_tree CC="$work/no-compiler" all
ended 2 && grep -q 'no-compiler is not installed' "$work/err"
check "so is the compiler"

make_tree -j2 "$built/libhullbench.a"
(cd "$tree" && find solvers harness -name '*.c' ! -name 'test_*' ! -path 'solvers/peer/*' ! -path harness/cli/main.c) |
    sort >"$work/sources"
ended 0 && grep -qx solvers/kernel/simd.c "$COMPILED" && [ "$(grep -c '^harness/' "$COMPILED")" -gt 30 ] &&
    sort -u "$COMPILED" | same_files "$work/sources" -
check "the library's sources are compiled"
make_tree "$built/libhullbench.a"
ended 0 && [ ! -s "$COMPILED" ]
check "and not again"
sleep 1
touch "$tree/Makefile"
make_tree "$built/libhullbench.a"
ended 0 && [ ! -s "$COMPILED" ]
check "nor where the Makefile was touched"
touch "$tree/harness/support/file.c"
make_tree "$built/libhullbench.a"
ended 0 && [ "$(cat "$COMPILED")" = harness/support/file.c ]
check "one source that was touched is compiled alone"
mv "$tree/harness/support/file.c" "$work/" && rm "$tree/$built/harness/support/file.o"
make_tree "$built/libhullbench.a"
ended 0 && [ ! -s "$COMPILED" ] && ! ar t "$tree/$built/libhullbench.a" | grep -qx file.o
check "a source that is gone leaves the archive"
mv "$work/file.c" "$tree/harness/support/"

# ---- user-supplied tools and flags ----
printf '#!/bin/sh\necho "-DFROM_PKG_CONFIG"\n' >"$work/pkg-config"
printf '#!/bin/sh\n' >"$work/my-objcopy" # the archive does without an objcopy that is not installed
chmod +x "$work/pkg-config" "$work/my-objcopy"
PATH=$work:$PATH
make_tree -n install V=1 CPPFLAGS=-DMINE PKG_CONFIG="$work/pkg-config" \
    AR=my-ar LD=my-ld OBJCOPY=my-objcopy INSTALL=my-install
ended 0 && grep -q -- '-DFROM_PKG_CONFIG.*-DMINE.* -c ' "$work/out" &&
    ! grep -qE '^ *(ar|ld|objcopy|install) ' "$work/out" &&
    [ "$(grep -oE '^ *my-(ar|ld|objcopy|install) ' "$work/out" | tr -d ' ' | sort -u | wc -l)" = 4 ]
check "CPPFLAGS, PKG_CONFIG, AR, LD, OBJCOPY and INSTALL are used"
[ "$(make -s -C "$tree" CC="$work/stand-in" CPPFLAGS=-DMINE print-B)" != "$built" ]
check "other flags are another folder"
[ -z "$(make -s -C "$tree" CC="$REAL_CC" CPPFLAGS=-nostdinc print-HAVE_MPFR print-HAVE_LIBSVM)" ]
check "MPFR and LIBSVM are not used where their headers are not found"
make_tree -n check
ended 0 && grep -q 'tests/run.sh' "$work/out"
check "make check is make test"

# ---- dist, without git and with it ----
version=$(sed -n 's/.*HULLBENCH_VERSION "\(.*\)"/\1/p' "$root/harness/library/version.h")
rm -rf "${tree:?}/build" && mv "$work/aside"/* "$tree/harness/"
mkdir -p "$tree/datasets/cache" && echo 1 >"$tree/datasets/cache/third-party.csv"
make_tree dist && mv "$tree/hullbench-$version.tar.gz" "$work/first.tar.gz"
ended 0 && find "$tree" -name '*.md' -exec touch {} + && make_tree dist &&
    same_files "$tree/hullbench-$version.tar.gz" "$work/first.tar.gz"
check "make dist gives the same bytes twice, without git"
tar -tzf "$work/first.tar.gz" | grep -v '/$' | sort >"$work/list"
[ -s "$work/list" ] && ! grep -qvE "^hullbench-$version/" "$work/list" && ! grep -q third-party "$work/list"
check "all in one folder, without downloaded data"
(cd "$tree" && [ "$(wc -l <"hullbench-$version.sha256")" -eq 2 ] && sha256sum -c --quiet "hullbench-$version.sha256")
check "its checksums are those of the archive and of the bill of materials"
if python3 -c 1 2>/dev/null; then
    # shellcheck disable=SC2046 # a list of words
    python3 - "$tree/hullbench-$version.cdx.json" "$version" $(make_root print-NEEDS) >"$work/err" 2>&1 <<'END'
import json
import sys

with open(sys.argv[1], encoding="utf-8") as stream:
    bill = json.load(stream)
needs = [need.split(":") for need in sys.argv[3:]]
listed = {part["name"]: part["licenses"][0]["license"]["id"] for part in bill["components"]}
own = bill["metadata"]["component"]
assert bill["bomFormat"] == "CycloneDX" and own["version"] == sys.argv[2], own
assert listed == {need[3]: need[2] for need in needs} and len(needs) > 5, listed
assert sorted(bill["dependencies"][0]["dependsOn"]) == sorted(listed), bill["dependencies"]
END
    check "the bill of materials names each library that the program needs, with its licence"
else
    skip "the bill of materials" "python3 is not installed" python3
fi
rm "$tree/hullbench-$version.tar.gz"
if command -v git >/dev/null; then
    git_tree() {
        git -C "$tree" -c user.name=test -c user.email=test@example.org -c core.hooksPath=/dev/null \
            -c core.compression=0 "$@" >"$work/err" 2>&1
    }
    git_tree init && git_tree add . && git_tree commit -q -m 'Test dist' && echo more >"$tree/more.md" &&
        make_tree dist && mv "$tree/hullbench-$version.tar.gz" "$work/second.tar.gz" && make_tree dist &&
        same_files "$tree/hullbench-$version.tar.gz" "$work/second.tar.gz"
    check "make dist gives the same bytes twice, with git"
    tar -tzf "$work/second.tar.gz" | grep -v '/$' | sort | same_files "$work/list" -
    check "and the same files"
else
    skip "make dist with git" "git is not installed" git
fi
rm -rf "$tree/.git" "$tree/more.md" "$tree/datasets/cache" "$tree"/hullbench-*.*
tar -xzf "$work/first.tar.gz" -C "$work" && diff -r "$tree" "$work/hullbench-$version" >"$work/err"
check "the unpacked sources are those that were built"
finish
