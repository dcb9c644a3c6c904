# Completion of hullbench for fish: verbs, their options, and what list lists. The words come from the program.
function __hullbench_options
    set -l words (commandline -opc)
    $words[1] $words[2] --help 2>/dev/null | string replace -rf '^ +(?:-., )?(--[a-z-]+)=?\S*(?: +(.*))?$' '$1\t$2'
end
function __hullbench_list
    set -l words (commandline -opc)
    $words[1] list $argv[1] --json 2>/dev/null | string replace -rf '^\{"name":"([^"]*)".*' '$1'
end
complete -c hullbench -f -n __fish_is_first_token \
    -a '(hullbench --help | string replace -rf "^  ([a-z-]+) +(.*)" "\$1\t\$2")'
complete -c hullbench -n 'not __fish_is_first_token' -a '(__hullbench_options)'
for pair in solver:solvers against:solvers dataset:datasets kernel:kernels stop:stops set:parameters
    set -l words (string split : $pair)
    complete -c hullbench -x -l $words[1] -a "(__hullbench_list $words[2])"
end
