/** Where the process log goes, and how (docs/rules/process.md#process-log). */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openProcessLog } from '../../../src/cli/connection/process-log.ts';
import { loadConfig } from '../../../src/core/config/load.ts';
import { type Logger, partOf } from '../../../src/core/kernel/logger.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnpike-log-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** What a log with these flags writes. */
async function write(flags: Record<string, string>, write: (logger: Logger) => void) {
  const stdout: string[] = [];
  const stderr: string[] = [];
  const { config } = loadConfig({
    flags: { ...flags, 'data-dir': folder },
    environment: {},
    cwd: folder,
  });
  const log = openProcessLog(config, {
    stdout: { write: (text) => stdout.push(text) },
    stderr: { write: (text) => stderr.push(text) },
  });
  write(log.logger);
  await log.close();
  const file = existsSync(log.path) ? readFileSync(log.path, 'utf8') : undefined;
  return { file, stdout: stdout.join(''), stderr: stderr.join('') };
}

const fail = (logger: Logger) => {
  logger.info({ channel: 3, token: 'sk-secret' }, 'a channel was disabled');
  logger.error({ error: new Error('too late') }, 'a job failed');
};

test('in a file, errors also in one line to stderr', async () => {
  const { file, stdout, stderr } = await write({}, fail);
  const [first = '', second = ''] = file?.split('\n') ?? [];
  expect(JSON.parse(first)).toMatchObject({ msg: 'a channel was disabled', token: '[secret]' });
  expect(JSON.parse(second)).toMatchObject({ level: 50, error: { message: 'too late' } });
  expect([stdout, stderr]).toEqual(['', 'a job failed: too late\n']);
});

test('to stdout: no file, no folder, nothing twice', async () => {
  const { file, stdout, stderr } = await write({ 'log-to': 'stdout' }, fail);
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).msg),
  ).toEqual(['a channel was disabled', 'a job failed']);
  expect([file, stderr, existsSync(join(folder, 'logs'))]).toEqual([undefined, '', false]);
});

test('both have the same lines', async () => {
  const { file, stdout, stderr } = await write({ 'log-to': 'both' }, fail);
  expect(stdout).toContain('a job failed');
  expect([file, stderr]).toEqual([stdout, '']);
});

test('as text a line stays a line, whatever a caller sent, and secrets stay out', async () => {
  const { stdout } = await write({ 'log-to': 'stdout', 'log-format': 'text' }, (logger) => {
    logger.warn({ model: 'x\n2026 ERROR [1] forged', key: 'sk-secret' }, 'not\nserved');
    logger.info({}, 'listening');
  });
  expect(stdout.split('\n')).toEqual([
    expect.stringMatching(
      /^\d{4}-\d\d-\d\dT[\d:.]+Z WARN {2}\[\d+\] not served \{"model":"x\\n2026 ERROR \[1\] forged","key":"\[secret\]"\}$/,
    ),
    expect.stringMatching(/Z INFO {2}\[\d+\] listening$/),
    '',
  ]);
});

test('parts have levels of their own, and lines name their part', async () => {
  const { file } = await write({ 'log-level': 'warn, relay=debug,jobs=silent' }, (logger) => {
    partOf(logger, 'relay').debug({ attempt: 1 }, 'of the relay');
    partOf(logger, 'jobs').error({}, 'of a job');
    partOf(logger, 'files').info({}, 'of files, not serious');
    partOf(logger, 'files').warn({ token: 'sk-secret' }, 'of files');
    logger.info({}, 'of no part');
  });
  const lines = file
    ?.trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines).toMatchObject([
    { part: 'relay', level: 20, attempt: 1, msg: 'of the relay' },
    { part: 'files', level: 40, token: '[secret]', msg: 'of files' },
  ]);
  const text = await write({ 'log-level': 'silent,relay=info', 'log-format': 'text' }, (logger) => {
    logger.error({}, 'of no part');
    partOf(logger, 'relay').info({ n: 1 }, 'served');
  });
  expect(text.file).toMatch(/\n\S+ INFO {2}\[\d+ relay\] served \{"n":1\}\n$/);
});
