/**
 * The completion script for bash. It needs nothing but bash: the script of the library calls
 * functions of the bash-completion package, which many systems lack. Typed words are passed on as
 * they are and never evaluated.
 */
export const bashCompletion = `# bash completion for turnpike

__turnpike_complete() {
    local rest=\${COMP_LINE:0:COMP_POINT} typed=$2 before word current prefix head line index
    local -a words=()
    # Bash also splits words at = and :. Pieces without a space between them are joined again.
    for ((index = 0; index <= COMP_CWORD; index++)); do
        before=$rest
        rest=\${rest#"\${rest%%[![:space:]]*}"}
        word=\${COMP_WORDS[index]}
        [[ $rest == "$word"* ]] || word=$rest # the cursor is inside this word
        if ((index > 0)) && [[ $rest == "$before" ]]; then
            words[\${#words[@]} - 1]+=$word
        else
            words+=("$word")
        fi
        rest=\${rest#"$word"}
    done
    current=\${words[\${#words[@]} - 1]}
    prefix=
    [[ $current == --*=* ]] && prefix=\${current%%=*}=
    # Only what follows the last = or : is replaced by a completion.
    head=\${current%"$typed"}
    COMPREPLY=()
    while IFS= read -r line; do
        [[ $line == :0 ]] && compopt -o default 2>/dev/null # names of files
        [[ $line == :* ]] && continue
        line=$prefix\${line%%$'\\t'*}
        [[ $line == "$current"* ]] && COMPREPLY+=("\${line#"$head"}")
    done < <(turnpike complete -- "\${words[@]:1}" 2>/dev/null)
}

complete -F __turnpike_complete turnpike
`;
