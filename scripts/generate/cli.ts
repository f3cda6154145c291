import { exitCodes } from '../../src/cli/base/exit-codes.ts';
import { type Flag, variableOf } from '../../src/cli/base/flags.ts';
import { flagsOf } from '../../src/cli/command/common-flags.ts';
import { defaultPlaceholder } from '../../src/cli/command/placeholder.ts';
import { examples } from '../../src/cli/examples.ts';
import { exitMeanings } from '../../src/cli/help.ts';
import { jsonShapeOf } from '../../src/cli/json-shapes.ts';
import { namedShapes } from '../../src/cli/named-shapes.ts';
import { type Action, allKeys, bindings, explanationOf } from '../../src/cli/screens/keys.ts';
import { loadAllCommands } from '../../src/cli/topics.ts';
import { notationOf } from './json-notation.ts';
import { code, generatedNote, table } from './markdown.ts';

function flagText(flag: Flag): string {
  if (flag.kind === 'switch') return code(`--${flag.name}`);
  const value = flag.placeholder ?? defaultPlaceholder(flag);
  return code(`--${flag.name} ${flag.optionalValue === true ? `[${value}]` : value}`);
}

function flagTable(flags: readonly Flag[]): string {
  return table(
    ['Flag', 'Variable', 'Meaning', '含义'],
    flags.map((flag) => [
      flagText(flag),
      variableOf(flag) === undefined ? '' : code(variableOf(flag) ?? ''),
      flag.summary.en,
      flag.summary.zh,
    ]),
  );
}

/** A long type on lines of at most 120 characters. */
function wrapped(text: string): string[] {
  const lines = [''];
  for (const word of text.split(/(?<=;) /)) {
    const line = lines.at(-1) ?? '';
    if (line.length + word.length < 120)
      lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
    else lines.push(`  ${word}`);
  }
  return lines;
}

/**
 * docs/cli.md: every command with its flags, the exit codes and the keys of the terminal screens.
 */
export async function cliDocument(): Promise<string> {
  const all = await loadAllCommands();
  const [remote] = all
    .flatMap(({ commands }) => commands)
    .filter((command) => !command.local && command.flags.length === 0);
  const shared = remote === undefined ? [] : flagsOf(remote);
  const lines = [
    generatedNote,
    '# Command line',
    '',
    'Results go to standard output, notes and failures to standard error. `--json` prints the field names of the HTTP API: a list is',
    '`{"items":[…],"total":…}`, a single entity is its object, a failure is `{"error":{"code":…,"message":…}}` on standard error.',
    'Each command below has its shape, written as a TypeScript type; a value may get more fields in a later release.',
    'Singular nouns are aliases. A flag that has an environment variable names it; an empty variable counts as unset. Without a terminal there',
    'are no prompts: a missing secret is an error, and commands that need confirmation require `--yes`.',
    '',
    'Without `--server` or `--profile` a command uses the gateway running on the data folder, or the folder itself if none is',
    'running.',
    '',
    'A data folder without a site is an error (`site_missing`, exit code 2), and nothing is made there. Only `serve`, `setup`, `import` and',
    '`restore` make a new site.',
    '',
    '## Exit codes',
    '',
    table(
      ['Code', 'Meaning'],
      (Object.keys(exitCodes) as (keyof typeof exitCodes)[]).map((name) => [
        String(exitCodes[name]),
        exitMeanings[name].en,
      ]),
    ),
    '',
    '## Flags of every command',
    '',
    'Commands that use no gateway have the last four only, and those that work on the data folder itself `--data-dir`, too.',
    '',
    flagTable(shared),
    '',
  ];
  for (const { topic, commands } of all) {
    lines.push(`## turnpike ${topic.name}`, '', `${topic.summary.en}. ${topic.summary.zh}。`, '');
    for (const command of commands) {
      const placeholders = command.arguments.map(({ name, optional }) =>
        optional ? `[${name.toUpperCase()}]` : `<${name.toUpperCase()}>`,
      );
      if (commands.length > 1) lines.push(`### turnpike ${command.name}`, '');
      lines.push(code(['turnpike', command.name, ...placeholders].join(' ')), '');
      if (commands.length > 1) lines.push(`${command.summary.en}. ${command.summary.zh}。`, '');
      if (command.details !== undefined) lines.push(command.details.en, '');
      if (command.confirmation !== undefined)
        lines.push('Asks for confirmation; `--yes` skips it.', '');
      const own = command.flags.filter((flag) => !shared.some((one) => one.name === flag.name));
      if (own.length > 0) lines.push(flagTable(own), '');
      const shown = examples[command.name] ?? [];
      if (shown.length > 0) lines.push('```sh', ...shown, '```', '');
      const shape = jsonShapeOf(command);
      if (shape) lines.push(`\`--json\`: ${code(notationOf(shape, namedShapes))}`, '');
    }
  }
  lines.push(
    '## Shapes of JSON',
    '',
    'Names that stand in the shapes above. Quota is a whole number, times are Unix seconds, … stands for further fields.',
    '',
  );
  for (const [name, shape] of Object.entries(namedShapes))
    lines.push(
      `### ${name}`,
      '',
      '```ts',
      ...wrapped(notationOf(shape, namedShapes, name)),
      '```',
      '',
    );
  const actions = Object.keys(bindings) as Action[];
  lines.push(
    '## Keys of the terminal screens',
    '',
    table(
      ['Key', 'Meaning', '含义'],
      actions.map((action) => [
        code(allKeys(action)),
        explanationOf(action).en,
        explanationOf(action).zh,
      ]),
    ),
    '',
  );
  return lines.join('\n');
}
