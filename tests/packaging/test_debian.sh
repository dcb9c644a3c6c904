#!/bin/sh
# debian/ agrees with the program, the library and `make install`. (`make test-packages` builds the packages.)
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"
debian=$root/debian

version=$("$hullbench" --version | sed 's/^hullbench //')
[ "$(sed -n '1s/^hullbench (\(.*\)-[0-9]*) .*/\1/p' "$debian/changelog")" = "$(echo "$version" | sed 's/-rc/~rc/')" ]
check "debian/changelog has the program's version"

grep -q "^  version = \"$version\";" "$root/packaging/default.nix" &&
    [ "$(grep -lF "\"hullbench $version\"" "$root"/docs/*.[13] | wc -l)" = 2 ] &&
    grep -q " hullbench-$version.tar.gz " "$root/docs/install.md"
check "and so have default.nix, docs/install.md and the man pages"

soname=$(make_root print-SONAME)
package=libhullbench${soname##*.}
grep -qx "Package: $package" "$debian/control" && grep -qx "usr/lib/\*/$soname" "$debian/$package.install" &&
    sed 1q "$debian/$package.symbols" | grep -q "^$soname $package "
check "the library's package has the number of its soname"
sed -n 's/^ \(hullbench_[a-z_]*\)@Base .*/\1/p' "$debian/$package.symbols" | sort >"$work/symbols"
grep -oE 'hullbench_[a-z_]+\(' "$root/harness/library/hullbench.h" | tr -d '(' | sort -u | same_files "$work/symbols" -
check "its symbols file names the functions of hullbench.h"

make_root install DESTDIR="$work/stage" PREFIX=/usr LIBDIR=/usr/lib/machine >"$work/log" 2>"$work/err"
check "make install as the package calls it"
# A pattern of an install file matches below the stage; a folder may follow. build/html is made by pandoc.
cat "$debian"/*.install | sed '/^build\/html /d; s/ .*//' >"$work/patterns"
absent=0
while read -r pattern; do
    # shellcheck disable=SC2086 # a pattern
    ls -d "$work/stage/"$pattern >/dev/null 2>>"$work/err" || absent=1
done <"$work/patterns"
[ -s "$work/patterns" ] && [ $absent = 0 ]
check "it installs every file that debian/*.install names"
(cd "$work/stage" && find . -type f -o -type l) | sed 's|^\./||' | sort >"$work/files"
sed '/^#/d' "$debian/not-installed" | cat "$work/patterns" - | while read -r pattern; do
    # shellcheck disable=SC2086 # a pattern
    (cd "$work/stage" && find $pattern -type f -o -type l)
done | sort -u | same_files "$work/files" -
check "every installed file is in a package or in debian/not-installed"

packages=$(sed -n 's/^Package: //p' "$debian/control" | sort | tr '\n' ' ')
[ "$packages" = "hullbench hullbench-doc libhullbench-dev $package " ]
check "the packages are hullbench, hullbench-doc, libhullbench-dev and $package"
# The build needs what the Makefile looks for.
absent=0
for need in $(make_root print-NEEDS) $(make_root print-TEST_NEEDS); do
    case ${need##*:} in libomp-dev) continue ;; esac # clang's
    grep -q "^ ${need##*:}\( <!nocheck>\)\?,\$" "$debian/control" || { echo "${need##*:}" >>"$work/err" && absent=1; }
done
[ $absent = 0 ]
check "the build depends on every library that the Makefile looks for"
finish
