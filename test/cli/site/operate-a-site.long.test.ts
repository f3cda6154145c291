/**
 * A whole site is set up and operated by command line alone: examples/operate-a-site, on the data
 * folder and by `--server`. The script checks each command; this test compares what the two ways
 * leave. `SITE_TEST=processes` starts the built program for each command, instead of this process.
 */
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { program } from '../../support/program.ts';
import { startResidentTurnpike } from './resident-turnpike.ts';

const script = fileURLToPath(
  new URL('../../../examples/operate-a-site/operate-a-site.sh', import.meta.url),
);

let folder = '';
let turnpike: { readonly path: string; close(): void };
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'turnpike-site-'));
  turnpike =
    process.env['SITE_TEST'] === 'processes'
      ? usingProcesses()
      : await startResidentTurnpike(folder);
});
afterAll(() => {
  turnpike?.close();
  rmSync(folder, { recursive: true, force: true });
});

function usingProcesses() {
  const path = join(folder, 'bin');
  mkdirSync(path);
  for (const [name, words] of [
    ['node', ''],
    ['turnpike', `'${program}'`],
  ] as const) {
    writeFileSync(join(path, name), `#!/bin/sh\nexec '${process.execPath}' ${words} "$@"\n`);
    chmodSync(join(path, name), 0o755);
  }
  return { path, close: () => {} };
}

/** Runs the script; its files stay in the returned folder. */
async function operate(
  name: string,
  ...flags: string[]
): Promise<{ exitCode: number | null; printed: string; work: string }> {
  const work = join(folder, name);
  const child = spawn('bash', [script, ...flags], {
    env: { ...process.env, PATH: `${turnpike.path}:${process.env['PATH']}`, KEEP: work },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => (printed += String(chunk)));
  const exitCode = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { exitCode, printed, work };
}

/**
 * What differs from run to run: times, secrets that are made, the ports of the upstream, who called
 * from where.
 */
const varying = /(^|_)(time|at|ms|key|id|ip|base_url|reference|code)$/;

function comparable(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => comparable(item));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, comparable(item, key)]),
    );
  if (typeof value === 'string' && value.startsWith('{')) return comparable(JSON.parse(value));
  return varying.test(name) && name !== 'user_id' ? typeof value : value;
}

const contents = (work: string) =>
  Object.fromEntries(
    readdirSync(join(work, 'site')).map((file) => [
      file,
      comparable(JSON.parse(readFileSync(join(work, 'site', file), 'utf8'))),
    ]),
  );

const missing = ['bash', 'curl'].filter(
  (name) => spawnSync(name, ['--version']).error !== undefined,
);
if (missing.length > 0)
  console.warn(`operating a site is not tested: ${missing.join(' and ')} not installed`);

describe.skipIf(missing.length > 0)('a whole site by command line', () => {
  test('on the data folder and by --server: every step succeeds, and both leave the same site', {
    timeout: 300_000,
  }, async () => {
    const local = await operate('local');
    expect(local.printed.slice(-1500)).toContain('commands, all as expected');
    expect(local.exitCode).toBe(0);
    const remote = await operate('remote', '--remote');
    expect(remote.printed.slice(-1500)).toContain('commands, all as expected');
    expect(contents(remote.work)).toEqual(contents(local.work));
  });
});
