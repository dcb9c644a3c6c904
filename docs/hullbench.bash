# shellcheck shell=bash
# Completion of hullbench for bash: verbs, their options, names of solvers and what list lists. The words come from the
# program, so solvers, kernels and stopping rules of a --plugin on the line are among them.
# bash takes --option=word apart at the sign.
# _hullbench_list solvers|parameters|kernels|stops|datasets
_hullbench_list() {
    local plugins=() i file
    for ((i = 2; i < COMP_CWORD; i++)); do
        [[ ${COMP_WORDS[i]} == --plugin ]] || continue
        file=${COMP_WORDS[i + 1]}
        [[ $file == = ]] && file=${COMP_WORDS[i + 2]}
        [[ -f $file ]] && plugins+=(--plugin "$file")
    done
    "${COMP_WORDS[0]}" list "$1" --json "${plugins[@]}" 2>/dev/null | sed -n 's/^{"name":"\([^"]*\)".*/\1/p'
}

_hullbench() {
    local program=${COMP_WORDS[0]} word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} words='' list
    if [[ $word == = ]]; then
        word=''
    elif [[ $before == = ]]; then
        before=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    if [[ $COMP_CWORD -eq 1 ]]; then
        words="$("$program" --help 2>/dev/null | awk '/^  [a-z]/ { print $1 }') --help --version"
    elif [[ $before == --solver || $before == -s || $before == --against || ($before == --baseline && ${COMP_WORDS[1]} != check) ]]; then
        words=$(_hullbench_list solvers)
    elif [[ $before == --solvers ]]; then # a list with commas: the last of it is completed
        list=${word%"${word##*,}"}
        words=$(_hullbench_list solvers | awk -v list="$list" '{ print list $0 }')
    elif [[ $before == --dataset ]]; then
        words=$(_hullbench_list datasets)
    elif [[ $before == --set ]]; then
        words=$(_hullbench_list parameters)
    elif [[ $before == --stop ]]; then
        words=$(_hullbench_list stops)
    elif [[ $before == --kernel ]]; then
        words=$(_hullbench_list kernels)
    elif [[ $word == -* ]]; then
        words=$("$program" "${COMP_WORDS[1]}" --help 2>/dev/null | grep -oE -- '(^|[ ,])--[a-z-]+=?' | tr -d ' ,')
    elif [[ ${COMP_WORDS[1]} == verify && $COMP_CWORD -eq 2 ]]; then
        words=$(_hullbench_list solvers)
    elif [[ ${COMP_WORDS[1]} == list ]]; then
        words='solvers parameters stops kernels datasets'
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
    [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
    return 0
}

complete -o bashdefault -o default -F _hullbench hullbench
