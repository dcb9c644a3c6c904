# A page of docs as a shell script: what a comment announces is done with the block of code that follows it.
#   <!-- run -->                 its commands, one after the other; "DONE N" is printed after each block
#   <!-- run WORD -->            the same, but not where awk has -v skip=WORD
#   <!-- file NAME -->           the file NAME has this text
#   <!-- lines into NAME -->     NAME has the first line and, next, the last; those between go between
function end_block() {
    if (what == "run") printf "echo \"DONE %d\"\n", ++runs
    else print "END_OF_BLOCK"
    what = ""
}
BEGIN {
    print "insert() {"
    print "    cat >lines.insert"
    print "    awk 'NR == FNR { line[n++] = $0; next }"
    print "        { print; after = $0 == line[n - 1] && before == line[0] ? 1 : after; before = $0 }"
    print "        $0 == line[0] { for (i = 1; i < n - 1; i++) print line[i] }"
    print "        END { exit !after }' lines.insert \"$1\" >changed.insert"
    print "    cat changed.insert >\"$1\""
    print "    rm lines.insert changed.insert"
    print "}"
}
/^<!-- / {
    if (what) end_block()
    what = $2 == "run" && NF > 3 && $3 == skip ? "" : $2
    name = $(NF - 1)
    begun = 0
    next
}
what && /^    / {
    if (!begun && what == "file") printf "cat >%s <<\\END_OF_BLOCK\n", name
    if (!begun && what == "lines") printf "insert %s <<\\END_OF_BLOCK\n", name
    begun = 1
    print substr($0, 5)
    next
}
what && begun && /^$/ { if (what == "file") print ""; next }
what && begun { end_block() }
END { if (what) end_block() }
