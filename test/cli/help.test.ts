/** The help of every command, in both languages (docs/rules/command-line.md#help). */
import { describe, expect, test } from 'vitest';
import { Values } from '../../src/cli/base/flags.ts';
import { examples } from '../../src/cli/examples.ts';
import { buildProgram, type Request } from '../../src/cli/program.ts';
import { loadAllCommands, topics } from '../../src/cli/topics.ts';
import { runCli } from './run-cli.ts';

const commands = (await loadAllCommands()).flatMap((topic) => topic.commands);

/**
 * The words of an example up to what the shell does with its output; undefined for the program
 * without words.
 */
function wordsOf(example: string): string[] {
  const [own = ''] = example.replace(/^source <\(|\)$/g, '').split(/ \|\|? | [<>] /);
  return [...own.matchAll(/"([^"]*)"|(\S+)/g)]
    .map(([, quoted, word]) => quoted ?? word ?? '')
    .slice(1);
}

async function parse(words: readonly string[]): Promise<Request | undefined> {
  const requests: Request[] = [];
  const ignore = () => {};
  const run = async (request: Request) => void requests.push(request);
  const program = await buildProgram(
    { language: 'en', width: 100, write: ignore, writeError: ignore, run },
    topics,
  );
  await program.parseAsync(words, { from: 'user' });
  return requests[0];
}

test('every command has examples, and no example is of an unknown command', () => {
  expect(Object.keys(examples).sort()).toEqual(commands.map(({ name }) => name).sort());
});

describe('examples are command lines', () => {
  const all = Object.entries(examples).flatMap(([name, lines]) =>
    lines.map((line) => [line, name] as const),
  );
  test.each(all.filter(([line]) => line !== 'turnpike'))('%s', async (line, name) => {
    const request = await parse(wordsOf(line));
    expect(request?.command.name).toBe(name);
    // Values that are required, dates, numbers, choices.
    if (request !== undefined) new Values(request.flags, request.given, {}).input();
  });
});

test.each(['en', 'zh'] as const)(
  'help in %s has flags with their variables, examples and where exit codes stand',
  async (language) => {
    for (const { name } of commands) {
      const { stdout, exitCode } = await runCli(
        [...name.split(' '), '--help', '--lang', language],
        { columns: 80 },
      );
      expect(exitCode, name).toBe(0);
      expect(stdout, name).toContain(examples[name]?.[0]);
      expect(stdout, name).toContain(language === 'zh' ? '退出码' : 'Exit codes');
      expect(
        stdout
          .split('\n')
          .filter((line) => language === 'zh' && /^(Usage|Flags|Commands|Arguments)/.test(line)),
      ).toEqual([]);
    }
  },
);

test('turnpike help COMMAND is its --help; the help of the program has all exit codes', async () => {
  const asked = await runCli(['help', 'users', 'add']);
  expect(asked.stdout).toBe((await runCli(['users', 'add', '--help'])).stdout);
  const { stdout } = await runCli(['help']);
  for (const code of ['0', '1', '2', '3', '4', '5', '6', '130'])
    expect(stdout).toMatch(new RegExp(`^ {2}${code} +\\S`, 'm'));
});
