import { optionsOf, parseHelp, type HelpOption } from './help-text.ts';
import type { ManualCommand } from './man-page.ts';

/** Options whose values are made of the fields of a log, and of their values. */
const FILE_WORD_OPTIONS: readonly string[] = ['--fields', '--hide', '--sort', '--where', '-w'];

/** The shells that there are completions for. */
export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;
export type Shell = (typeof SHELLS)[number];

/** The words of a command line: commands with their options, and names of scripts. */
export interface Completable {
  readonly commands: readonly ManualCommand[];
  /** Names of bundled scripts, by the commands that take them. */
  readonly scripts: Readonly<Record<string, readonly string[]>>;
}

/** The script that makes a shell complete the command line of sluicebox. Files are completed wherever nothing else is known. */
export function completionsFor(shell: Shell, { commands, scripts }: Completable): string {
  const table = commands.map(({ name, summary, help }) => ({
    name,
    summary,
    options: [...optionsOf(parseHelp(help)), { name: '--help', text: 'says more about the command', takesValue: false, choices: [] }],
    words: scripts[name] ?? [],
  }));
  return { bash, zsh, fish, powershell }[shell](table);
}

/** The command whose name can be left out. */
const UNNAMED = 'view';

interface Row {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly HelpOption[];
  readonly words: readonly string[];
}

const names = (rows: readonly { readonly name: string }[]): string => rows.map(({ name }) => name).join(' ');
const withChoices = (rows: readonly Row[]): { name: string; option: HelpOption }[] =>
  rows.flatMap(({ name, options }) => options.filter(({ choices }) => choices.length > 0).map((option) => ({ name, option })));

function bash(rows: readonly Row[]): string {
  return `# Completes the command line of sluicebox in bash: source <(sluicebox completions bash)
_sluicebox() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]} options='' words=''
  COMPREPLY=()
  local command=\${COMP_WORDS[1]}
  case $command in
    help | ${rows.map(({ name }) => name).join(' | ')}) ;;
    *) command=${UNNAMED} ;;
  esac
  if ((COMP_CWORD == 1)) && [[ $word != -* ]]; then
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen -W '${names(rows)} help' -- "$word") $(compgen -f -- "$word"))
    return
  fi
  # A colon parts the words of bash.
  local at typed=$word
  for ((at = COMP_CWORD - 1; at > 0; at--)); do
    case \${COMP_WORDS[at]} in
      ${FILE_WORD_OPTIONS.join(' | ')})
        local IFS=$'\\n'
        compopt -o nospace 2>/dev/null
        COMPREPLY=($(sluicebox completions --words -- "\${COMP_WORDS[at]}" "$typed" "\${COMP_WORDS[@]:1}" 2>/dev/null))
        [[ $typed == *:* ]] && COMPREPLY=("\${COMPREPLY[@]#"\${typed%:*}:"}")
        return ;;
    esac
    [[ \${COMP_WORDS[at]} == : || \${COMP_WORDS[at + 1]} == : ]] || break
    typed=\${COMP_WORDS[at]}$typed
  done
  case $command,$before in
${withChoices(rows)
  .map(({ name, option }) => `    ${name},${option.name}) COMPREPLY=($(compgen -W '${option.choices.join(' ')}' -- "$word")); return ;;`)
  .join('\n')}
  esac
  case $command in
    help) COMPREPLY=($(compgen -W '${names(rows)}' -- "$word")); return ;;
${rows.map(({ name, options, words }) => `    ${name}) options='${names(options)}' words='${words.join(' ')}' ;;`).join('\n')}
  esac
  ((COMP_CWORD == 1)) && options+=' --version'
  if [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$word"))
  else
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen -W "$words" -- "$word") $(compgen -f -- "$word"))
  fi
}
complete -F _sluicebox sluicebox
`;
}

function zsh(rows: readonly Row[]): string {
  const described = rows.map(({ name, summary }) => `    ${quoted(`${name}:${summary}`)}`).join('\n');
  const cases = rows.map(({ name, options, words }) => {
    const list = options.map(({ name: option, text }) => `        ${quoted(`${option}:${text}`)}`).join('\n');
    return `    ${name})
      options=(
${list}
      )
      words_of=(${words.join(' ')}) ;;`;
  });
  return `#compdef sluicebox
# Completes the command line of sluicebox in zsh: put it as _sluicebox into a folder of fpath.
_sluicebox() {
  local -a commands options words_of
  commands=(
${described}
  )
  local command=$words[2]
  (( \${commands[(I)$command:*]} )) || [[ $command == help ]] || command=${UNNAMED}
  if ((CURRENT == 2)) && [[ $PREFIX != -* ]]; then
    _describe command commands
    _files
    return
  fi
  case $words[CURRENT-1] in
    ${FILE_WORD_OPTIONS.join(' | ')})
      words_of=("\${(@f)$(sluicebox completions --words -- $words[CURRENT-1] "$PREFIX" $words[2,-1] 2>/dev/null)}")
      compadd -S '' -a words_of
      return ;;
  esac
  case $command,$words[CURRENT-1] in
${withChoices(rows)
  .map(({ name, option }) => `    ${name},${option.name}) compadd ${option.choices.join(' ')}; return ;;`)
  .join('\n')}
  esac
  case $command in
    help) _describe command commands; return ;;
${cases.join('\n')}
  esac
  ((CURRENT == 2)) && options+=('--version:prints the version')
  if [[ $PREFIX == -* ]]; then
    _describe option options
  else
    compadd -a words_of
    _files
  fi
}
if [[ $funcstack[1] == _sluicebox ]]; then _sluicebox "$@"; else compdef _sluicebox sluicebox; fi
`;
}

function fish(rows: readonly Row[]): string {
  const lines = rows.flatMap(({ name, summary, options, words }) => {
    const unnamed = name === UNNAMED ? `; or not __fish_seen_subcommand_from ${names(rows)} help` : '';
    const when = `-n '__fish_seen_subcommand_from ${name}${unnamed}'`;
    return [
      `complete -c sluicebox -n __fish_use_subcommand -a ${name} -d ${quoted(inFish(summary))}`,
      ...(words.length > 0 ? [`complete -c sluicebox ${when} -a '${words.join(' ')}'`] : []),
      ...options.map((option) => `complete -c sluicebox ${when} ${fishOption(option)}`),
    ];
  });
  lines.push(`complete -c sluicebox -n '__fish_seen_subcommand_from help' -a '${names(rows)}'`);
  return `# Completes the command line of sluicebox in fish: sluicebox completions fish > ~/.config/fish/completions/sluicebox.fish
complete -c sluicebox -n __fish_use_subcommand -l version
${lines.join('\n')}\n`;
}

function fishOption({ name, text, takesValue, choices }: HelpOption): string {
  const flag = name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`;
  const fromFile = FILE_WORD_OPTIONS.includes(name);
  if (fromFile)
    return `${flag} -x -a '(sluicebox completions --words -- ${name} (commandline -ct | string trim -l -c "\\'\\"") (commandline -opc) 2>/dev/null)'${described(text)}`;
  const value = choices.length > 0 ? ` -x -a '${choices.join(' ')}'` : takesValue ? ' -r' : '';
  return `${flag}${value}${described(text)}`;
}

const described = (text: string): string => (text === '' ? '' : ` -d ${quoted(inFish(text))}`);

function powershell(rows: readonly Row[]): string {
  const list = (words: readonly string[]): string => `@(${words.map(inPowerShell).join(', ')})`;
  const table = (of: (row: Row) => readonly string[]): string =>
    rows
      .filter((row) => of(row).length > 0)
      .map((row) => `    ${inPowerShell(row.name)} = ${list(of(row))}`)
      .join('\n');
  return `# Completes the command line of sluicebox in PowerShell: sluicebox completions powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName sluicebox -ScriptBlock {
  param($word, $line, $place)
  $words = @($line.CommandElements | ForEach-Object { $_.ToString() })
  $command = if ($words.Count -gt 1 -and $words[1] -cin ${list([...rows.map(({ name }) => name), 'help'])}) { $words[1] } else { '${UNNAMED}' }
  $before = if ($word -eq '') { $words[-1] } elseif ($words.Count -gt 1) { $words[-2] } else { '' }
  $options = @{
${table(({ options }) => options.map(({ name }) => name))}
  }
  $named = @{
${table(({ words }) => words)}
  }
  $choices = @{
${withChoices(rows)
  .map(({ name, option }) => `    ${inPowerShell(`${name},${option.name}`)} = ${list(option.choices)}`)
  .join('\n')}
  }
  $found = if ($before -cin ${list(FILE_WORD_OPTIONS)}) { sluicebox completions --words '--' $before $word @($words | Select-Object -Skip 1) 2>$null }
  elseif ($choices.ContainsKey("$command,$before")) { $choices["$command,$before"] }
  elseif ($word -notlike '-*' -and ($words.Count -eq 1 -or ($words.Count -eq 2 -and $word -ne ''))) { ${list([...rows.map(({ name }) => name), 'help'])} }
  elseif ($word -like '-*') { @($options[$command]) + @(if ($words.Count -eq 2) { '--version' }) }
  else { $named[$command] }
  $found | Where-Object { $_ -and $_.StartsWith($word) } | ForEach-Object { [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_) }
}
`;
}

const inPowerShell = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Text as one word. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** A backslash in the quotes of fish. */
const inFish = (text: string): string => text.replaceAll('\\', '\\\\');
