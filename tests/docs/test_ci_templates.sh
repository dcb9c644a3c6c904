#!/bin/sh
# The workflows in docs/ci: runs the lines that a service would run, in the order of the file and with its variables.
# Omitted are apt-get, which needs root, the service's own steps (uses, image, cache, artifacts), and make in the
# templates of this tree, since make has built $hullbench. docs/regression.md says so, too.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"
ci=$root/docs/ci

# script_of FILE: the lines of its steps, in order; a line "#" marks the start of another shell.
script_of() {
    awk '
        function depth(text) { match(text, /^ */); return RLENGTH }
        /^ *#/ || /^ *$/ { next }
        inside && depth($0) > inside { sub(/^ */, ""); print; next }
        { inside = 0 }
        /^ +run: \|$/ { inside = depth($0); print "#"; next }
        /^ +run: / { sub(/^ +run: /, ""); print "#"; print; next }
        /^ +(before_)?script:$/ { listed = depth($0); next }
        listed && depth($0) > listed && /^ +- / { sub(/^ +- /, ""); print; next }
        { listed = 0 }' "$1"
}

# variables_of FILE: the assignments under env or variables, for the shell.
variables_of() {
    awk '
        function depth(text) { match(text, /^ */); return RLENGTH }
        inside && depth($0) > inside { sub(/ *#.*/, ""); sub(/^ */, ""); sub(/: */, "="); print "export " $0; next }
        { inside = 0 }
        /^ +(env|variables):$/ { inside = depth($0) }' "$1"
}

# The workflows verify the plugin on 40 of the 300 problems. With HULLBENCH_TESTS=all they run to the letter.
fewer='s/^hullbench verify .*/& --problem 1-40/'
[ "${HULLBENCH_TESTS-}" != all ] || fewer=

# work_off FILE FOLDER [LEFT OUT]: runs the steps in the folder, each in a separate shell; returns the status of the
# first that fails. LEFT OUT: a pattern of further lines to skip.
work_off() {
    script_of "$1" | grep -Ev "^apt-get |${3:-^$}" | sed "$fewer" >"$work/script"
    rm -f "$work"/step.*
    awk -v name="$work/step." '$0 == "#" { n++; next } { print >(name sprintf("%02d", n)) }' "$work/script"
    status=0
    for step in "$work"/step.*; do
        { variables_of "$1" && echo "${filled_in-}" && cat "$step"; } >"$work/shell"
        (cd "$2" && sh -e "$work/shell") >>"$work/out" 2>>"$work/err" || {
            status=$?
            break
        }
    done
    return 0
}

# ---- the files ----
more='zlib1g-dev libarchive-dev'
packages=$(sed -n "s/^packages='\(.*\)'$/\1 $more/p" "$root/packaging/install_packages.sh")
bad=0
for file in "$ci"/*.yml; do
    [ -n "$packages" ] && script_of "$file" | grep -qF -- "--no-install-recommends $packages" || bad=1
    [ "$(script_of "$file" | grep -c '^apt-get ')" -eq 2 ] || bad=1
    ! grep -qE '(https?|git|ssh)://|git@' "$file" || bad=1
done
[ $bad -eq 0 ]
check "the workflows install what the build needs, and name no address that may not exist"
python3 - "$work" "$ci"/*.yml >"$work/out" 2>"$work/err" <<'END'
import os, sys
try:
    import yaml
except ImportError:
    sys.exit(77)
for path in sys.argv[2:]:
    with open(path) as file:
        content = yaml.load(file, getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    found = os.path.join(sys.argv[1], os.path.basename(path))
    with open(found + ".steps", "w") as steps, open(found + ".variables", "w") as variables:
        for name, job in content.get("jobs", content).items():
            for step in job.get("steps", []):
                if "run" in step:
                    print("#\n" + step["run"].strip(), file=steps)
            for line in job.get("before_script", []) + job.get("script", []):
                print(line, file=steps)
            for key, value in {**job.get("env", {}), **job.get("variables", {})}.items():
                print(f"export {key}={value}", file=variables)
END
bad=$?
if command -v python3 >/dev/null && [ $bad -ne 77 ]; then
    for file in "$ci"/*.yml; do
        found=$work/${file##*/}
        script_of "$file" >"$work/b"
        variables_of "$file" | tr -d '"' >"$work/c"
        same_files "$found.steps" "$work/b" && cmp -s "$found.variables" "$work/c" || bad=1
    done
    [ $bad -eq 0 ]
    check "PyYAML finds the same steps and variables in them"
else
    skip "PyYAML finds the same steps and variables in them" "python3-yaml is not installed" python3-yaml
fi

# ---- this tree ----
# The tree as checked out: the tests of the gate report whether its baseline lacks a new solver. The configuration is
# that of the gate with one of its data sets and one split, which suffice to see that the workflows use it. With
# HULLBENCH_TESTS=all it is complete.
mkdir -p "$work/tree/configs" "$work/tree/baselines" && ln -s "$hullbench" "$work/tree/hullbench" &&
    tr '\n' ' ' <"$root/configs/ci.json" |
    sed 's/"datasets": [[][^]]*]/"datasets": [{"name": "titanic", "synthetic": true}]/
        s/"splits": "1-2"/"splits": "1"/; s/"width": {[^}]*}}/"width": 2/' >"$work/tree/configs/ci.json" &&
    if [ "${HULLBENCH_TESTS-}" = all ]; then cp "$root/configs/ci.json" "$work/tree/configs"; fi &&
    cp "$root/baselines/ci.json" "$work/tree/baselines"
program check "$work/tree/configs/ci.json" --baseline "$work/tree/baselines/ci.json" --update -m new \
    --author test --out "$work/tree/ci-run" --quiet # github.yml's own folder, which is already complete then
for service in github gitlab; do
    : >"$work/out" && : >"$work/err"
    work_off "$ci/$service.yml" "$work/tree" '^make '
    ended 0 0 && grep -q '^<testsuites tests="[1-9][0-9]*" failures="0">' "$work/tree/check.xml" &&
        [ -s "$work/tree/ci-run/records.jsonl" ] && rm -r "$work/tree/ci-run" "$work/tree/check.xml"
    check "$service.yml passes where nothing moved"
done

# ---- the plugin's repository ----
if ! command -v git >/dev/null || ! command -v pkg-config >/dev/null; then
    skip "the workflows for a plugin's repository" "git or pkg-config is not installed" git pkg-config
    finish
fi
# Its hullbench repository is made from this tree without its tests, uncompressed and with a tag. A hook gives the
# clone the objects and the program of this build, and old sources, so that make only links the library and installs.
# Objects store their folder only in the flag that names it.
export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.compression GIT_CONFIG_VALUE_0=0
mkdir "$work/upstream" "$work/plugin"
(cd "$root" && tar -cf - Makefile COPYING run_all.sh configs datasets/[!c]* docs harness packaging plots \
    papers baselines scripts solvers) | tar -xf - -C "$work/upstream"
(cd "$work/upstream" && git init -q . && git add -A && git -c user.name=test -c user.email=test@example.org \
    -c commit.gpgsign=false commit -q -m test && git -c tag.gpgsign=false tag v1) >"$work/out" 2>"$work/err"
check "hullbench's repository has a tag"
copy_build "$work/compiled" && cp -p "$hullbench" "$work/compiled/${BUILD##*/}" &&
    mkdir -p "$work/template/hooks" && cat >"$work/template/hooks/post-checkout" <<END
#!/bin/sh
mv "$work/compiled" build && find . -name build -prune -o -type f -exec touch -d 2000-01-01 {} +
END
chmod +x "$work/template/hooks/post-checkout"
export GIT_TEMPLATE_DIR="$work/template" MAKEFLAGS="CURDIR=$root"
unset HULLBENCH_DATADIR
: >"$work/out" && : >"$work/err"
work_off "$ci/plugin-github.yml" "$work/plugin"
ended 2 && says "fill in" && [ ! -e "$work/plugin/hullbench" ]
check "without an address and a tag a workflow says what to fill in"

# The page's commands, with the hullbench that the workflow builds.
filled_in="export HULLBENCH_VERSION=v1 HULLBENCH_GIT=file://$work/upstream"
script_of "$ci/plugin-github.yml" | grep '^test -x hullbench/bin/hullbench' >"$work/build"
(cd "$work/plugin" && sh -e -c "$filled_in; . ../build") >"$work/out" 2>"$work/err"
check "the workflow's lines install hullbench at a tag"
unset MAKEFLAGS GIT_TEMPLATE_DIR
# The compiler of the plugin's test, without optimisation, which would take longer than all runs of the plugin.
mkdir "$work/bin" && printf '#!/bin/sh\nexec %s "$@" -O0\n' "${CC:-cc}" >"$work/bin/cc" && chmod +x "$work/bin/cc"
export CC="$work/bin/cc"
PATH=$work/plugin/hullbench/bin:$PATH
PKG_CONFIG_PATH=$work/plugin/hullbench/lib/pkgconfig
export PATH PKG_CONFIG_PATH
sed -n '/^### The repository of a plugin/,/^[A-Z][a-z]* the workflow/s/^    //p' "$root/docs/regression.md" |
    sed "s|^share=.*|share=$work/plugin/hullbench/share/hullbench|" >"$work/whole-page"
grep -v '^hullbench verify ' "$work/whole-page" >"$work/page" # the workflows do so below, in seconds
[ "$(wc -l <"$work/whole-page")" -eq 9 ] && [ "$(wc -l <"$work/page")" -eq 8 ] &&
    (cd "$work/plugin" && sh -e "$work/page") >"$work/out" 2>"$work/err" &&
    cmp -s "$work/plugin/.gitlab-ci.yml" "$ci/plugin-gitlab.yml"
check "the page's commands make the plugin, its configuration, its baseline and its workflows"
rm -rf "$work/plugin/hullbench-source" "$work/plugin/my_solver.so"
for service in github gitlab; do
    rm -rf "$work/plugin/ci-run" "$work/plugin/check.xml"
    : >"$work/out" && : >"$work/err"
    work_off "$ci/plugin-$service.yml" "$work/plugin"
    [ -z "$fewer" ] || grep -q -- ' --problem 1-40$' "$work/script" || status=4
    ended 0 && grep -q '^my-solver: fine$' "$work/out" &&
        grep -q '^my-solver: no violated expectation was found' "$work/out" &&
        grep -q '^ci: 8 records compared: 8 the same' "$work/out" &&
        grep -q '^<testsuites tests="8" failures="0">' "$work/plugin/check.xml" &&
        [ ! -e "$work/plugin/hullbench-source" ]
    check "plugin-$service.yml passes where nothing moved, with the hullbench that was kept"
done
# Half a step: the plugin's own test still passes. It is not verified again.
sed 's/hull_step_pair(\(.*\), length2,/hull_step_pair(\1, 2 * length2,/' "$work/plugin/my_solver.c" >"$work/half.c"
! cmp -s "$work/half.c" "$work/plugin/my_solver.c" && cp "$work/half.c" "$work/plugin/my_solver.c"
check "the plugin is made worse"
for service in github gitlab; do
    rm -rf "$work/plugin/ci-run" "$work/plugin/check.xml"
    : >"$work/out" && : >"$work/err"
    work_off "$ci/plugin-$service.yml" "$work/plugin" "^hullbench verify "
    ended 1 && grep -q ': fine$' "$work/out" && grep -q '^moved   my-solver .* iterations ' "$work/out" &&
        grep -q '<failure ' "$work/plugin/check.xml"
    check "plugin-$service.yml fails where it moved, and says what did"
done
finish
