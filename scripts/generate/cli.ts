import { exitCodes } from '../../src/cli/base/exit-codes.ts';
import { environmentName, type Flag } from '../../src/cli/base/flags.ts';
import { flagsOf } from '../../src/cli/command/common-flags.ts';
import { defaultPlaceholder } from '../../src/cli/command/placeholder.ts';
import { type Action, allKeys, bindings, explanationOf } from '../../src/cli/screens/keys.ts';
import { loadAllCommands } from '../../src/cli/topics.ts';
import { code, generatedNote, table } from './markdown.ts';

const meanings: Readonly<Record<keyof typeof exitCodes, string>> = {
  done: 'Done',
  failed: 'Failed; also a probe or a proof whose result is bad (`channels test`, `ledger verify`)',
  usage: 'The command line or a value on it is wrong',
  notFound: 'The thing does not exist',
  notPermitted: 'The credentials do not allow it',
  conflict: 'It is taken, done or locked already',
  unreachable: 'No gateway or database answers',
};

function flagText(flag: Flag): string {
  return code(flag.kind === 'switch' ? `--${flag.name}` : `--${flag.name} ${flag.placeholder ?? defaultPlaceholder(flag)}`);
}

function flagTable(flags: readonly Flag[]): string {
  return table(
    ['Flag', 'Variable', 'Meaning', '含义'],
    flags.map((flag) => [flagText(flag), code(environmentName(flag.name)), flag.summary.en, flag.summary.zh]),
  );
}

/** docs/cli.md: every command with its flags, the exit codes and the keys of the terminal screens. */
export async function cliDocument(): Promise<string> {
  const all = await loadAllCommands();
  const [remote] = all.flatMap(({ commands }) => commands).filter((command) => !command.local && command.flags.length === 0);
  const shared = remote === undefined ? [] : flagsOf(remote);
  const lines = [
    generatedNote,
    '# Command line',
    '',
    'Results go to standard output, notes and failures to standard error. `--json` prints the field names of the HTTP API: a list is',
    '`{"items":[…],"total":…}`, one thing is its object, a failure is `{"error":{"code":…,"message":…}}` on standard error.',
    'Singular nouns are aliases. Each flag has a variable; an empty variable counts as unset. Without a terminal nothing is asked:',
    'a missing secret is an error, and commands that ask before they act need `--yes`.',
    '',
    'Without `--server` or `--profile` a command uses the gateway that runs on the data folder, and works on the folder itself when',
    'none does.',
    '',
    '## Exit codes',
    '',
    table(
      ['Code', 'Meaning'],
      (Object.keys(exitCodes) as (keyof typeof exitCodes)[]).map((name) => [String(exitCodes[name]), meanings[name]]),
    ),
    '',
    '## Flags of every command',
    '',
    'Commands that talk to no gateway take the last four only.',
    '',
    flagTable(shared),
    '',
  ];
  for (const { topic, commands } of all) {
    lines.push(`## turnpike ${topic.name}`, '', `${topic.summary.en}. ${topic.summary.zh}。`, '');
    for (const command of commands) {
      const words = command.arguments.map(({ name, optional }) =>
        optional ? `[${name.toUpperCase()}]` : `<${name.toUpperCase()}>`,
      );
      if (commands.length > 1) lines.push(`### turnpike ${command.name}`, '');
      lines.push(code(['turnpike', command.name, ...words].join(' ')), '');
      if (commands.length > 1) lines.push(`${command.summary.en}. ${command.summary.zh}。`, '');
      if (command.details !== undefined) lines.push(command.details.en, '');
      if (command.asks !== undefined) lines.push('Asks before it acts; `--yes` answers.', '');
      const own = command.flags.filter((flag) => !shared.some((one) => one.name === flag.name));
      if (own.length > 0) lines.push(flagTable(own), '');
    }
  }
  const actions = Object.keys(bindings) as Action[];
  lines.push(
    '## Keys of the terminal screens',
    '',
    table(
      ['Key', 'Meaning', '含义'],
      actions.map((action) => [code(allKeys(action)), explanationOf(action).en, explanationOf(action).zh]),
    ),
    '',
  );
  return lines.join('\n');
}
