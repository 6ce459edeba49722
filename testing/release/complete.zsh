# Types a command line and Tab in an interactive zsh. Succeeds when the completed command line appears.
# Arguments: the folder of the completion, the typed text, and the expected text.
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PROMPT='ready '; fpath=(${(q)1} \$fpath); autoload -Uz compinit; compinit -D -u; print loa''ded"
zpty -r -m shell output '*loaded*'
zpty -w -n shell "$2"$'\t'
zpty -r -m shell output "*$3*"
