/**
 * What the documents tell people to type: every `turnpike …` in a fenced block is a command line of
 * this version, and what README shows of operating without a browser is run, in its order.
 */
import { execFileSync } from 'node:child_process';
import {
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Values } from '../../src/cli/base/flags.ts';
import { buildProgram, type Request } from '../../src/cli/program.ts';
import { topics } from '../../src/cli/topics.ts';
import { runCli } from './run-cli.ts';

const root = join(import.meta.dirname, '../..');
/** Written by `npm run generate` from what the help test checks. */
const generated = ['docs/cli.md'];

/** Command lines in the fenced blocks of a page, joined where a line ends in a backslash. */
function commandsIn(page: string): readonly string[] {
  const blocks = [...page.matchAll(/^ *```(?:sh|bash)?\n([\s\S]*?)^ *```/gm)];
  return blocks
    .flatMap(([, block = '']) => block.replace(/\\\n\s*/g, ' ').split('\n'))
    .map((line) => line.trim().replace(/^npx /, ''))
    .filter((line) => /^turnpike\b/.test(line));
}

/** The words after `turnpike`, up to a comment or what the shell does with input and output. */
function wordsOf(line: string): readonly string[] {
  const own = line.replace(/\s+#.*$/, '').split(/ \|\|? | && | [<>] /)[0] ?? '';
  return [...own.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)]
    .map(([, single, double, word]) => single ?? double ?? word ?? '')
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

const pages = ['README.md', ...globSync(['docs/*.md', 'docs/zh/*.md'], { cwd: root })]
  .filter((path) => !generated.includes(path))
  .map((path) => [path, commandsIn(readFileSync(join(root, path), 'utf8'))] as const)
  .filter(([, lines]) => lines.length > 0);

test('the main pages have commands', () => {
  const names = pages.map(([path]) => path);
  for (const path of ['README.md', 'docs/operate.md', 'docs/backups.md', 'docs/zh/operate.md'])
    expect(names).toContain(path);
});

describe.each(pages)('%s', (_, lines) => {
  test.each(lines.filter((line) => /^[a-z]/.test(wordsOf(line)[0] ?? '')))('%s', async (line) => {
    const request = await parse(wordsOf(line));
    expect(request?.command.name).toBeDefined();
    if (request !== undefined) new Values(request.flags, request.given, {}).input();
  });
});

/** Those that people watch: the suites of their own have them. */
const watched = ['turnpike tui', 'turnpike logs tail'];

test('README’s commands without a browser do what it says, one after the other', async () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const [, section = ''] = readme.split('## Without a browser');
  const lines = commandsIn(section.split('\n## ')[0] ?? '').filter(
    (line) => !watched.includes(line),
  );
  expect(lines.length).toBeGreaterThan(6);
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-readme-'));
  const here = (name: string) => join(folder, name);
  const inputs: Readonly<Record<string, string>> = {
    'password.txt': 'a long password\n',
    'key.txt': 'sk-vendor\n',
  };
  writeFileSync(here('site.yaml'), 'turnpike: 1\noptions:\n  SystemName: Gate\n');
  try {
    for (const line of lines) {
      const words = wordsOf(line).map((word) =>
        /^site\.(yaml|backup)$/.test(word) ? here(word) : word,
      );
      const input = inputs[/ < (\S+)/.exec(line)?.[1] ?? ''];
      const run = await runCli([...words, '--data-dir', here('data')], {
        connects: true,
        ...(input === undefined ? {} : { input }),
      });
      // The doctor of a site at rest has something to say, such as that no gateway runs.
      const allowed = words[0] === 'doctor' ? [0, 1] : [0];
      expect(allowed, `${line}: ${run.stderr}${run.stdout}`).toContain(run.exitCode);
    }
    expect(readFileSync(here('site.backup')).length).toBeGreaterThan(10_000);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the way back to a snapshot leaves nothing that would be applied to it', () => {
  const page = readFileSync(join(root, 'docs/backups.md'), 'utf8');
  const line = /`(cd \/var\/lib\/turnpike && .*)`/.exec(page)?.[1] ?? '';
  const folder = mkdtempSync(join(tmpdir(), 'way-back-'));
  try {
    mkdirSync(join(folder, 'snapshots'));
    writeFileSync(join(folder, 'snapshots/x-before-migration.db'), 'a snapshot');
    for (const suffix of ['', '-wal', '-shm', '-charges-0', '-charges-1'])
      writeFileSync(join(folder, `turnpike.db${suffix}`), 'of the newer version');
    for (const name of ['ledger-head.json', 'secret.json']) writeFileSync(join(folder, name), name);
    const typed = line.replace('/var/lib/turnpike', folder).replace('…', 'x');
    execFileSync('sh', ['-c', typed]);
    expect(readdirSync(folder).sort()).toEqual(['secret.json', 'snapshots', 'turnpike.db']);
    expect(readFileSync(join(folder, 'turnpike.db'), 'utf8')).toBe('a snapshot');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
