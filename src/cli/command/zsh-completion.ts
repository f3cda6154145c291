/**
 * The completion script for zsh. The library's own loses the empty word after a space, so that
 * nothing is completed there. Typed words are passed on without their quotes and never evaluated.
 */
export const zshCompletion = `#compdef turnpike
# zsh completion for turnpike

_turnpike() {
    local line value prefix=
    local -a typed values shown
    typed=("\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}")
    [[ $PREFIX == --*=* ]] && prefix=\${PREFIX%%=*}=
    while IFS= read -r line; do
        [[ $line == :0 ]] && _files && return
        [[ -z $line || $line == :* ]] && continue
        value=$prefix\${line%%$'\\t'*}
        values+=("$value")
        if [[ $line == *$'\\t'?* ]]; then
            shown+=("\${(r:24:)value} \${line#*$'\\t'}")
        else
            shown+=("$value")
        fi
    done < <(turnpike complete -- "\${typed[@]}" 2>/dev/null)
    (( $#values )) && compadd -l -V turnpike -d shown -a values
}

if (( ! $+functions[compdef] )); then
    autoload -Uz compinit
    compinit -i
fi
if [[ $funcstack[1] == _turnpike ]]; then
    _turnpike "$@"
else
    compdef _turnpike turnpike
fi
`;
