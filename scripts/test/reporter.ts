/**
 * After a run: which files are too slow for the quick suite, what could not run for want of a
 * program, and with `--report` where the seconds went. The figures of every file are kept in
 * node_modules/.cache/test-report.json.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import { missingTools } from '../../test/support/tools.ts';
import { type Kind, kinds, type Usage } from '../../test/support/usage.ts';

const root = join(import.meta.dirname, '../..');
const kept = join(root, 'node_modules/.cache/test-report.json');
const slowest = 20;
/** Seconds of a file in the quick suite; a machine that is busy with other things needs more. */
const quickLimit = 20;

interface FileFigures {
  readonly file: string;
  readonly kind: Kind;
  readonly tests: number;
  /** From the first import to the last hook. */
  readonly seconds: number;
  /** Of the worker and of the processes of the file that have ended. */
  readonly cpu: number;
  readonly uses: Usage;
}

export class TestReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const files = modules.map(figuresOf).toSorted((one, other) => other.seconds - one.seconds);
    mkdirSync(dirname(kept), { recursive: true });
    writeFileSync(kept, `${JSON.stringify(files, null, 1)}\n`);
    if (process.env['TEST_REPORT'] === 'true') console.log(render(files));
    if (process.env['TEST_SUITE'] === 'quick') warnOfSlow(files);
    const missing = missingTools();
    if (missing.length === 0) return;
    const skipped = missing.map(({ name, tests }) => `  ${name}: ${tests}`).join('\n');
    console.log(
      `\nNot tested, because it is not installed:\n${skipped}\nTo install it (Debian, as root): scripts/install-test-tools.sh`,
    );
  }
}

function warnOfSlow(files: readonly FileFigures[]): void {
  const slow = files.filter(({ seconds }) => seconds > quickLimit);
  if (slow.length === 0) return;
  const rows = slow.map(({ file, seconds }) => `  ${file}: ${seconds} s`).join('\n');
  console.log(
    `\nOver ${quickLimit} s, which is long for \`npm test\` (CONTRIBUTING.md#quick-and-long):\n${rows}`,
  );
}

function figuresOf(module: TestModule): FileFigures {
  const { duration, collectDuration, setupDuration } = module.diagnostic();
  const { cpu = 0, uses = {} } = module.meta();
  return {
    file: relative(root, module.moduleId),
    kind: kinds.find((kind) => (uses[kind] ?? 0) > 0) ?? 'pure',
    tests: [...module.children.allTests()].length,
    seconds: round((duration + collectDuration + setupDuration) / 1000),
    cpu: round(cpu),
    uses,
  };
}

function render(files: readonly FileFigures[]): string {
  const byKind = kinds.flatMap((kind) => {
    const own = files.filter((file) => file.kind === kind);
    if (own.length === 0) return [];
    return [row(kind, own.length, sum(own, 'tests'), sum(own, 'seconds'), sum(own, 'cpu'))];
  });
  const started = kinds.flatMap((kind) => {
    const count = files.reduce((total, { uses }) => total + (uses[kind] ?? 0), 0);
    return count === 0 ? [] : [`${kind} ${count}`];
  });
  const slow = files
    .slice(0, slowest)
    .map(({ file, kind, tests, seconds, cpu }) => row(kind, '', tests, seconds, cpu, file));
  return [
    '',
    row('kind', 'files', 'tests', 'seconds', 'CPU'),
    ...byKind,
    row('all', files.length, sum(files, 'tests'), sum(files, 'seconds'), sum(files, 'cpu')),
    `started: ${started.join(', ')}`,
    '',
    'The slowest files',
    ...slow,
    '',
  ].join('\n');
}

const row = (kind: string, ...cells: readonly (string | number)[]): string =>
  `${kind.padEnd(12)}${cells.map((cell) => (String(cell).includes('/') ? `  ${cell}` : String(cell).padStart(9))).join('')}`;

const sum = (files: readonly FileFigures[], field: 'tests' | 'seconds' | 'cpu'): number =>
  round(files.reduce((total, file) => total + file[field], 0));

const round = (seconds: number): number => Math.round(seconds * 10) / 10;
