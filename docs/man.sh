#!/bin/sh
# man.sh [PROGRAM]: prints docs/hullbench.1 with the options of each verb as PROGRAM VERB --help lists them. The other
# text is written by hand. `make docs-man` replaces the file.
set -eu
cd "$(dirname "$0")/.."
program=${1:-./hullbench}
awk -v program="$program" '
function escaped(text) {
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    return text
}
# The text of an option begins in column 30; a heading begins in the second.
function print_options(verb,    line, command) {
    command = program " " verb " --help"
    while ((command | getline line) > 0)
        if (substr(line, 1, 29) ~ /^ +-/) {
            name = length(line) > 28 && substr(line, 28, 2) != "  " ? line : substr(line, 1, 29)
            text = name == line ? "" : substr(line, 30)
            gsub(/^ +| +$/, "", name)
            if (name == "--help") break
            print ".TP\n.B \"" escaped(name) "\""
            if (text != "") print escaped(text)
        } else if (substr(line, 1, 29) ~ /^ +$/)
            print escaped(substr(line, 30))
        else if (line ~ /^ [^ ]/)
            print ".PP\n" escaped(substr(line, 2))
    close(command)
}
function end_section() {
    if (verb != "") print_options(verb)
    verb = ""
}
/^\.S[SH] / {
    end_section()
    in_verbs = $0 ~ /^\.SH/ ? $2 == "VERBS" : in_verbs
    if (in_verbs && $1 == ".SS") { verb = $2; gsub(/\\/, "", verb) }
    in_option = 0
}
verb != "" && /^\.TP/ { getline head; in_option = head ~ /\\-/; if (!in_option) { print; print head } next }
!in_option { print }
END { end_section() }' docs/hullbench.1
