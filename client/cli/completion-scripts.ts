/** Completion scripts for shells, made of the program's commands. */
import type { CompletionEntry } from "./completion-entries.ts";

/** A word in single quotes, for shells. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
const firstSentence = (text: string): string => text.split(/[;:.] /)[0] ?? "";
const HELP = ["-h", "--help"];

const wordsOf = ({ commands, options, choices }: CompletionEntry): string[] => [
  ...commands.map(({ name }) => name),
  ...choices,
  ...options.flatMap(({ names }) => names),
  ...HELP,
];

/**
 * Options that take a value, with their choices; without choices it may be a file. A key is `COMMAND OPTION`, or
 * `* OPTION` for an option that is the same in all commands that have it.
 */
function valuesOf(entries: readonly CompletionEntry[]): [string, readonly string[]][] {
  const byName = new Map<string, { path: string; takesValue: boolean; choices: readonly string[] }[]>();
  for (const { path, options } of entries) {
    for (const { names, takesValue, choices } of options) {
      for (const name of names) byName.set(name, [...(byName.get(name) ?? []), { path, takesValue, choices }]);
    }
  }
  return [...byName].flatMap(([name, uses]) => {
    const kinds = new Set(uses.map(({ takesValue, choices }) => `${takesValue} ${choices.join(" ")}`));
    const [first] = uses;
    const told = kinds.size === 1 && first !== undefined ? [{ ...first, path: "*" }] : uses;
    return told
      .filter(({ takesValue }) => takesValue)
      .map(({ path, choices }): [string, readonly string[]] => [`${path} ${name}`, choices]);
  });
}

/** One `case` branch for each set of words that patterns share. */
function branches(pairs: Iterable<[string, readonly string[]]>, assign: (words: string) => string): string {
  const byWords = new Map<string, string[]>();
  for (const [pattern, words] of pairs) {
    const key = words.join(" ");
    const sign = pattern.startsWith("* ") ? `*${quoted(pattern.slice(1))}` : quoted(pattern);
    byWords.set(key, [...(byWords.get(key) ?? []), sign]);
  }
  return [...byWords].map(([words, patterns]) => `    ${patterns.join("|")}) ${assign(words)} ;;`).join("\n");
}

/**
 * The function that both bash and zsh call: it finds the command in the words before the cursor, and sets `offers`
 * and `files` for the word under it.
 */
function finder(entries: readonly CompletionEntry[]): string {
  const groups = entries.filter(({ commands }) => commands.length > 0);
  const steps = groups.flatMap(({ path, commands }) => commands.map(({ name }) => `${path} ${name}`));
  return `# Sets command to the words of the command, and skips the values of options.
_sheaf_find() {
  command=sheaf
  local word skip=
  for word in "$@"; do
    if [ -n "$skip" ]; then skip=; continue; fi
    case "$command $word" in
    ${steps.map(quoted).join("|")}) command="$command $word" ;;
${branches(
  valuesOf(entries).map(([key]) => [key, []]),
  () => "skip=1",
)}
    esac
  done
}

# Sets offers to the words that may follow the command, and files to 1 where a file may.
_sheaf_words() {
  offers= files=
  case "$command $1" in
${branches(valuesOf(entries), (words) => (words === "" ? "files=1; return" : `offers=${quoted(words)}; return`))}
  esac
  case "$command" in
${branches(
  entries.map((entry) => [entry.path, wordsOf(entry)]),
  (words) => `offers=${quoted(words)}`,
)}
  esac
  case "$command" in
    ${groups.map(({ path }) => quoted(path)).join("|")}) ;;
    *) files=1 ;;
  esac
}
`;
}

/** For bash: `source <(sheaf completion bash)`. */
export const bashScript = (entries: readonly CompletionEntry[]): string => `# Completion of sheaf for bash
${finder(entries)}
_sheaf() {
  local command offers files current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  _sheaf_find "\${COMP_WORDS[@]:1:COMP_CWORD-1}"
  _sheaf_words "$previous"
  COMPREPLY=($(compgen -W "$offers" -- "$current"))
  if [ -n "$files" ] && [ "\${current#-}" = "$current" ]; then
    local IFS=$'\\n'
    COMPREPLY+=($(compgen -f -- "$current"))
  fi
}
complete -o filenames -F _sheaf sheaf
`;

/** For zsh: `source <(sheaf completion zsh)`. */
export const zshScript = (entries: readonly CompletionEntry[]): string => `#compdef sheaf
# Completion of sheaf for zsh
${finder(entries)}
_sheaf() {
  local command offers files previous="\${words[CURRENT-1]}"
  local -a typed
  typed=("\${(@)words[2,CURRENT-1]}")
  _sheaf_find "\${typed[@]}"
  _sheaf_words "$previous"
  compadd -- \${=offers}
  if [[ -n "$files" ]]; then _files; fi
}
compdef _sheaf sheaf
`;

/** A fish condition: the command line's words begin with these. */
const fishCondition = (path: string, commands: readonly { name: string }[]): string => {
  const seen = path.split(" ").slice(1);
  const below = commands.map(({ name }) => name);
  const parts = [
    ...seen.map((word) => `__fish_seen_subcommand_from ${word}`),
    ...(below.length === 0 ? [] : [`not __fish_seen_subcommand_from ${below.join(" ")}`]),
  ];
  return parts.length === 0 ? "" : ` -n ${quoted(parts.join("; and "))}`;
};

/** For fish: `sheaf completion fish | source`. */
export function fishScript(entries: readonly CompletionEntry[]): string {
  const lines = entries.flatMap(({ path, commands, options, choices }) => {
    const condition = fishCondition(path, commands);
    const values = choices.length === 0 ? [] : [`complete -c sheaf -f${condition} -a ${quoted(choices.join(" "))}`];
    const below = commands.map(
      ({ name, description }) =>
        `complete -c sheaf -f${condition} -a ${quoted(name)} -d ${quoted(firstSentence(description))}`,
    );
    const switches = options.map(({ names, description, takesValue, choices: allowed }) => {
      const flags = names.map((name) => (name.startsWith("--") ? ` -l ${name.slice(2)}` : ` -s ${name.slice(1)}`));
      const value = allowed.length > 0 ? ` -x -a ${quoted(allowed.join(" "))}` : takesValue ? " -r" : "";
      return `complete -c sheaf${condition}${flags.join("")}${value} -d ${quoted(firstSentence(description))}`;
    });
    return [...values, ...below, ...switches];
  });
  return `# Completion of sheaf for fish\n${lines.join("\n")}\n`;
}
