#!/bin/sh
# The workflows in docs/ci and action.yml: runs the lines that a service would run, in the order of the file and with
# its variables. Omitted are the installation of packages, which needs root, the service's own steps (image, cache,
# artifacts), and make in the templates of this tree, since make has built $hullbench.
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"
ci=$root/docs/ci

# script_of FILE: the lines of its steps, in order, which GitLab runs in one shell.
script_of() {
    awk '
        function depth(text) { match(text, /^ */); return RLENGTH }
        /^ *#/ || /^ *$/ { next }
        /^ +(before_)?script:$/ { listed = depth($0); next }
        listed && depth($0) > listed && /^ +- / { sub(/^ +- /, ""); print; next }
        { listed = 0 }' "$1"
}

# variables_of FILE: the assignments under variables, for the shell.
variables_of() {
    awk '
        function depth(text) { match(text, /^ */); return RLENGTH }
        inside && depth($0) > inside { sub(/ *#.*/, ""); sub(/^ */, ""); sub(/: */, "="); print "export " $0; next }
        { inside = 0 }
        /^ +variables:$/ { inside = depth($0) }' "$1"
}

# The workflows verify the plugin on 40 of the 300 problems. With HULLBENCH_TESTS=all they run to the letter.
fewer='s/^hullbench verify .*/& --problem 1-40/'
[ "${HULLBENCH_TESTS-}" != all ] || fewer=

# work_off FILE FOLDER [LEFT OUT]: runs the steps in the folder. LEFT OUT: a pattern of further lines to skip.
work_off() {
    { variables_of "$1" && echo "${filled_in-}" && script_of "$1" | grep -Ev "^apt-get |${3:-^$}" | sed "$fewer"; } \
        >"$work/script"
    (cd "$2" && sh -e "$work/script") >>"$work/out" 2>>"$work/err"
    status=$?
    return 0
}

# A runner of GitHub Actions. on_github FILE ACTION FOLDER: the same by run_workflow.py, which needs PyYAML.
on_github() {
    python3 "$root/tests/docs/run_workflow.py" "$1" "$2" "$3" '.*/install_packages.sh.*' : \
        "${fewer:+^hullbench verify .*}" "${fewer:+\\g<0> --problem 1-40}" "${4-}" "${5-}" >>"$work/out" 2>>"$work/err"
    status=$?
    return 0
}
yaml=0
if ! command -v python3 >/dev/null || ! python3 -c 'import yaml' 2>/dev/null; then
    yaml=77
fi
# run SERVICE FILE FOLDER ACTION [LEFT OUT...]
service_runs() {
    : >"$work/out" && : >"$work/err"
    if [ "$1" = github ]; then on_github "$2" "$4" "$3" "${5-}" "${6-}"; else work_off "$2" "$3" "${7-}"; fi
}

# ---- the files ----
more='zlib1g-dev libarchive-dev'
packages=$(sed -n "s/^packages='\(.*\)'$/\1 $more/p" "$root/packaging/install_packages.sh")
bad=0
for file in "$ci"/*gitlab.yml; do
    [ -n "$packages" ] && script_of "$file" | grep -qF -- "--no-install-recommends $packages" || bad=1
    [ "$(script_of "$file" | grep -c '^apt-get ')" -eq 2 ] || bad=1
done
[ $bad -eq 0 ] && ! grep -qE '(https?|git|ssh)://|git@' "$ci"/*.yml "$root/action.yml" &&
    [ "$(grep -h '^ *-* *uses: ' "$ci"/*.yml "$root/action.yml" |
        grep -cvE 'uses: (actions/[a-z-]*@[0-9a-f]{40} # v|\./$|OWNER/)')" -eq 0 ]
check "the workflows install what the build needs, name no address that may not exist, and pin the actions of others"
services='github gitlab'
if [ $yaml -ne 0 ]; then
    skip "the workflows for GitHub, and their variables" "python3-yaml is not installed" python3-yaml
    services=gitlab
else
    python3 - "$work" "$ci"/*gitlab.yml >"$work/out" 2>"$work/err" <<'END'
import os, sys, yaml
for path in sys.argv[2:]:
    with open(path) as file:
        content = yaml.load(file, getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    found = os.path.join(sys.argv[1], os.path.basename(path))
    with open(found + ".steps", "w") as steps, open(found + ".variables", "w") as variables:
        for name, job in content.items():
            for line in job.get("before_script", []) + job.get("script", []):
                print(line, file=steps)
            for key, value in job.get("variables", {}).items():
                print(f"export {key}={value}", file=variables)
END
    bad=$?
    for file in "$ci"/*gitlab.yml; do
        found=$work/${file##*/}
        script_of "$file" >"$work/b"
        variables_of "$file" | tr -d '"' >"$work/c"
        same_files "$found.steps" "$work/b" && cmp -s "$found.variables" "$work/c" || bad=1
    done
    [ $bad -eq 0 ]
    check "PyYAML finds the same steps and variables in them"
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
for service in $services; do
    service_runs "$service" "$ci/$service.yml" "$work/tree" "$root" '^.*make -C .*' \
        "mkdir -p \"\$PREFIX/bin\" && ln -s \"$hullbench\" \"\$PREFIX/bin\"" '^make '
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
(cd "$root" && tar -cf - Makefile COPYING action.yml run_all.sh configs datasets/[!c]* docs harness packaging plots \
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
work_off "$ci/plugin-gitlab.yml" "$work/plugin"
ended 2 && says "fill in" && [ ! -e "$work/plugin/hullbench" ]
check "without an address and a tag a workflow says what to fill in"

# The page's commands, with the hullbench that the workflow builds.
filled_in="export HULLBENCH_VERSION=v1 HULLBENCH_GIT=file://$work/upstream"
script_of "$ci/plugin-gitlab.yml" | grep '^test -x hullbench/bin/hullbench' >"$work/build"
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
mv "$work/plugin/hullbench-source" "$work/action" && rm "$work/plugin/my_solver.so"
# plugin_runs SERVICE [LEFT OUT]: the workflow in the plugin's repository
plugin_runs() {
    rm -rf "$work/plugin/ci-run" "$work/plugin/check.xml"
    if [ "$1" = github ]; then hide=$work/plugin/hullbench; else hide=; fi # the action installs its own
    [ -z "$hide" ] || mv "$hide" "$hide.away"
    MAKEFLAGS=CURDIR=$root service_runs "$1" "$ci/plugin-$1.yml" "$work/plugin" "$work/action" "${2-}" "${2:+:}" "${2-}"
    [ -z "$hide" ] || mv "$hide.away" "$hide"
}
for service in $services; do
    plugin_runs "$service"
    ended 0 && grep -q '^my-solver: fine$' "$work/out" &&
        grep -q '^my-solver: no violated expectation was found' "$work/out" &&
        grep -q '^ci: 8 records compared: 8 the same' "$work/out" &&
        grep -q '^<testsuites tests="8" failures="0">' "$work/plugin/check.xml" &&
        [ ! -e "$work/plugin/hullbench-source" ]
    check "plugin-$service.yml passes where nothing moved, with the hullbench that was kept or installed"
done
# Half a step: the plugin's own test still passes. It is not verified again.
sed 's/hull_step_pair(\(.*\), length2,/hull_step_pair(\1, 2 * length2,/' "$work/plugin/my_solver.c" >"$work/half.c"
! cmp -s "$work/half.c" "$work/plugin/my_solver.c" && cp "$work/half.c" "$work/plugin/my_solver.c"
check "the plugin is made worse"
for service in $services; do
    plugin_runs "$service" '^hullbench verify .*'
    ended 1 && grep -q ': fine$' "$work/out" && grep -q '^moved   my-solver .* iterations ' "$work/out" &&
        grep -q '<failure ' "$work/plugin/check.xml"
    check "plugin-$service.yml fails where it moved, and says what did"
    [ "$service" != github ] || {
        grep -q '^### ci: [0-9]* of 8 records moved' "$work/out" && grep -q '^| my-solver ' "$work/out" &&
            grep -q '^::error title=hullbench::my-solver: ' "$work/out"
        check "the summary and an annotation name the solver"
        # shellcheck disable=SC2016 # Markdown
        accept=$(sed -n 's/^If intended: `hullbench \(.*\) WHY`$/\1 because/p' "$work/out")
        cp "$work/plugin/baseline.json" "$work/kept.json"
        (cd "$work/plugin" && eval "hullbench $accept" && eval "hullbench ${accept% --update*}") \
            >"$work/out" 2>"$work/err" &&
            grep -q ' 8 the same, 0 moved' "$work/out" && mv "$work/kept.json" "$work/plugin/baseline.json"
        check "and the command that it gives accepts the change"
    }
done
finish
