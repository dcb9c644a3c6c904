# Converts a page of the documents to a shell script. An HTML comment above a code block says how to use the block:
#   <!-- run -->                 run the commands; "DONE N" is printed after each block
#   <!-- run WORD -->            the same, but not if WORD is among the words of awk -v skip="WORD..."
#   <!-- run by TEST -->         another test runs the commands
#   <!-- file NAME -->           write the block to the file NAME
#   <!-- lines into NAME -->     insert the lines between the first and the last into NAME, which has these two, adjacent
#   <!-- not run: REASON -->     commands that are not run
#   <!-- shown -->               no commands: output, a formula or a part of a file
#   <!-- prints -->              lines that the commands before it print (tests/docs/test_pages.sh)
# and a mark without a block:
#   <!-- prepare: COMMAND -->    run the command, which the page does not show
function end_block() {
    if (what == "run") printf "echo \"DONE %d\"\n", ++runs
    else if (what == "file" || what == "lines") print "END_OF_BLOCK"
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
/^<!-- prepare: / {
    if (what) end_block()
    sub(/^<!-- prepare: /, "")
    sub(/ *-->$/, "")
    print
    next
}
/^<!-- / {
    if (what) end_block()
    what = $2 == "run" || $2 == "file" || $2 == "lines" ? $2 : ""
    if (what == "run" && $3 == "by") what = ""
    if (what == "run" && NF > 3 && index(" " skip " ", " " $3 " ")) what = ""
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
