#compdef hullbench
# Completion of hullbench for zsh: verbs, their options, and what list lists. The words come from the program.
local -a found
local before=$words[CURRENT-1] list
if ((CURRENT == 2)); then
    found=(${(f)"$($words[1] --help 2>/dev/null | sed -n 's/^  \([a-z-]*\)  *\(.*\)/\1:\2/p')"})
    _describe verb found
    return
fi
if [[ $PREFIX == --*=* ]]; then
    before=${PREFIX%%=*}
    compset -P '*='
fi
case $before in
--solver | -s | --against) list=solvers ;;
--dataset) list=datasets ;;
--kernel) list=kernels ;;
--stop) list=stops ;;
--set) list=parameters ;;
esac
if [[ -n $list ]]; then
    compadd -- ${(f)"$($words[1] list $list --json 2>/dev/null | sed -n 's/^{"name":"\([^"]*\)".*/\1/p')"}
elif [[ $PREFIX == -* ]]; then
    found=(${(f)"$($words[1] $words[2] --help 2>/dev/null |
        sed -n 's/^ *\(-., \)\{0,1\}\(--[a-z-]*\)=\{0,1\}[^ ]* *\(.*\)/\2:\3/p')"})
    _describe option found
else
    _files
fi
