/** What else happens to the program as a process: refusals, broken files, signals, keys. */
import { type ChildProcess, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { program } from '../support/program.ts';
import { hasTool } from '../support/tools.ts';
import { folder, run, serve, start, startPrograms } from './programs.ts';

startPrograms();

/** Of the process as it runs now (Linux). */
const argumentsOf = ({ pid }: ChildProcess) => readFileSync(`/proc/${pid}/cmdline`, 'utf8');

/** Preloaded into the program: SIGUSR2 ends its threads. */
const endThreads = `
  import { Worker } from 'node:worker_threads';
  const workers = new Set();
  const { postMessage } = Worker.prototype;
  Worker.prototype.postMessage = function (...given) {
    workers.add(this);
    return postMessage.apply(this, given);
  };
  process.on('SIGUSR2', () => workers.forEach((worker) => worker.terminate()));
`;

describe('serve', () => {
  test('ends when the writing thread has died, and releases the folder', async () => {
    const preload = join(folder, 'end-threads.mjs');
    writeFileSync(preload, endThreads);
    const { child, printed, exited, url } = await serve({
      NODE_OPTIONS: `--import=${preload} --max-semi-space-size=24`,
    });
    expect(argumentsOf(child)).not.toContain('--max-semi-space-size'); // it was chosen
    expect((await fetch(`${url}/api/status`)).status).toBe(200); // a connection that stays open
    child.kill('SIGUSR2');
    expect(await exited).toBe(6);
    expect(printed.stderr).toContain('the database thread ended');
    const again = await serve();
    again.child.kill('SIGTERM');
    expect(await again.exited).toBe(0);
  });

  test('--demo is a site of its own that answers without a vendor, and leaves nothing', async () => {
    const other = join(folder, 'other');
    const { child, printed, exited } = start(['serve', '--demo', '--port', '0', '--json'], {
      TURNPIKE_DATA_DIR: other,
      SQL_DSN: 'postgres://127.0.0.1:1/none',
      TMPDIR: folder,
      NODE_COMPILE_CACHE: join(folder, 'cache'),
    });
    await vi.waitFor(() => expect(printed.stdout).toMatch(/\n}\n$/), { timeout: 120_000 });
    const { url, data_dir, demo } = JSON.parse(printed.stdout);
    expect(data_dir.startsWith(join(folder, 'turnpike-demo-'))).toBe(true);
    const reply = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${demo.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'claude-haiku-5-5',
        messages: [{ role: 'user', content: 'hello' }],
      }),
    });
    expect(reply.status).toBe(200);
    const login = await fetch(`${url}/api/user/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: demo.username, password: demo.password }),
    });
    expect(await login.json()).toMatchObject({ success: true, data: { role: 100 } });
    child.kill('SIGTERM');
    expect(await exited).toBe(0);
    expect(readdirSync(folder).filter((name) => name !== 'cache')).toEqual([]);
  }, 180_000);

  test.each([
    [['--demo'], '--data-dir cannot be used with --demo'],
    [['--redis-url', 'redis://127.0.0.1'], 'PostgreSQL'],
    [['--workers', '2'], '--database-url'],
    [['--port', 'many'], '--port many: use 0-65535'],
    [['--durability', 'some'], '--durability some: use full, normal'],
    [['--access-log', '/dev/null/access.log'], 'The access log cannot be written to /dev/null/'],
  ])('%j is refused with a word about it', async (flags, said) => {
    const refused = await run(['serve', '--data-dir', folder, '--no-open', ...flags]);
    expect(refused.exitCode).not.toBe(0);
    expect(refused.stderr).toContain(said);
  });

  test('a reader of its log that goes away does not end it, and the banner is not in the log', async () => {
    const flags = ['--log-to', 'stdout', '--log-format', 'text', '--access-log', 'access.log'];
    const { child, printed, exited } = start([
      'serve',
      '--port',
      '0',
      '--no-open',
      '--data-dir',
      folder,
      ...flags,
    ]);
    await expect.poll(() => printed.stderr).toMatch(/http:\/\/127\.0\.0\.1:\d+/);
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(printed.stderr)?.[0] ?? '';
    const refuse = () => fetch(`${url}/api/user/epay/notify?x=1`);
    await refuse();
    await expect.poll(() => printed.stdout).toContain('a payment notice was refused');
    expect(printed.stdout).not.toContain(url);
    child.stdout.destroy();
    for (let line = 0; line < 3; line += 1) await refuse();
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    child.kill('SIGTERM');
    expect(await exited).toBe(0);
    const access = readFileSync(join(folder, 'logs', 'access.log'), 'utf8');
    expect(access).toMatch(
      /"GET \/api\/user\/epay\/notify HTTP\/1.1" 200 .*\n.*"GET \/readyz HTTP/s,
    );
  });

  test('a port in use is exit code 5', async () => {
    const { url } = await serve();
    const other = mkdtempSync(join(tmpdir(), 'turnpike-process-'));
    const refused = await run(['--port', new URL(url).port, '--no-open', '--data-dir', other]);
    expect(refused).toMatchObject({
      exitCode: 5,
      stderr: expect.stringContaining(new URL(url).port),
    });
    rmSync(other, { recursive: true, force: true });
  });
});

describe('files that cannot be used', () => {
  test.each([
    [
      ['serve', '--no-open', '--data-dir'],
      'file/x',
      1,
      /Cannot use .*file: a file is in the place of a folder/,
    ],
    [
      ['serve', '--no-open', '--data-dir', '--lang', 'zh'],
      'file',
      1,
      /无法使用 .*file：应为目录的位置是一个文件/,
    ],
    [
      ['users', 'list', '--data-dir'],
      'typo',
      2,
      /There is no site in .*typo \(.*typo\/turnpike\.db does not exist\)\. Check --data-dir/,
    ],
    [['channels', 'list', '--data-dir', '--lang', 'zh'], 'typo', 2, /typo 中没有站点/],
    [
      ['users', 'list', '--data-dir'],
      'broken',
      6,
      /database .*broken\/turnpike\.db is not available: .*damaged; restore it/,
    ],
    [
      ['serve', '--no-open', '--port', '0', '--data-dir'],
      'locked',
      6,
      /locked\/turnpike\.db is not available: another program/,
    ],
  ])(
    '%j %s is exit code %i with the file and what to do',
    async (words, name, exitCode, message) => {
      writeFileSync(join(folder, 'file'), '');
      for (const made of ['broken', 'locked']) mkdirSync(join(folder, made));
      writeFileSync(
        join(folder, 'broken/turnpike.db'),
        'this is no database, whatever its name says',
      );
      const rival = new Database(join(folder, 'locked/turnpike.db'));
      rival.exec('BEGIN EXCLUSIVE');
      try {
        const at = words.indexOf('--data-dir') + 1;
        const refused = await run([...words.slice(0, at), join(folder, name), ...words.slice(at)]);
        expect(refused.stderr).toMatch(message);
        expect(refused.stderr.trim().split('\n')).toHaveLength(1);
        expect(refused.exitCode).toBe(exitCode);
      } finally {
        rival.close();
      }
    },
  );

  test('a damaged file of profiles', async () => {
    writeFileSync(join(folder, 'profiles.json'), '{bad');
    const { exited, printed } = start(['profiles', 'list'], { TURNPIKE_CONFIG_DIR: folder });
    expect(await exited).toBe(2);
    expect(printed.stderr).toContain(
      `${join(folder, 'profiles.json')} is not a file of saved gateways: correct or delete it`,
    );
  });

  test('an address that is not of this machine', async () => {
    const refused = await run([
      'serve',
      '--host',
      '192.0.2.1',
      '--port',
      '0',
      '--no-open',
      '--data-dir',
      folder,
    ]);
    expect(refused).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('no address 192.0.2.1: choose another with --host'),
    });
  });
});

test('a closed stderr leaves the exit code as it is', async () => {
  const { child, exited } = start(['users', 'nonsense']);
  child.stderr.destroy();
  expect(await exited).toBe(2);
});

test('Ctrl-C ends a tail with exit code 130, and the folder is free again', async () => {
  await run(
    ['setup', '--username', 'root', '--password-stdin', '--data-dir', folder],
    'a long password\n',
  );
  const add = ['users', 'add', '--username', 'linxi', '--quota', '500', '--password-stdin'];
  await run([...add, '--data-dir', folder], 'a long password\n');
  const tail = start(['logs', 'tail', '--data-dir', folder]);
  await vi.waitFor(() => expect(tail.printed.stdout).toContain('linxi'));
  tail.child.kill('SIGINT');
  expect(await tail.exited).toBe(130);
  expect((await run(['users', 'list', '--data-dir', folder])).exitCode).toBe(0);
});

describe.skipIf(!hasTool('tmux'))('in a real terminal (needs tmux)', () => {
  const socket = `turnpike-test-${process.pid}`;
  const tmux = (...words: string[]) =>
    execFileSync('tmux', ['-L', socket, '-f', '/dev/null', ...words], { encoding: 'utf8' });
  afterEach(() => {
    try {
      tmux('kill-server');
    } catch {
      // the server ended with its last window
    }
  });

  test('a batch of codes is created by keys, and Ctrl-C in a question leaves the terminal clean', async () => {
    await run(
      ['setup', '--username', 'root', '--password-stdin', '--data-dir', folder],
      'a long password\n',
    );
    tmux('new-session', '-d', '-x', '80', '-y', '24', '-e', 'LANG=C.UTF-8', 'sh');
    const show = () => tmux('capture-pane', '-p');
    const see = (expected: string | RegExp) =>
      vi.waitFor(() => expect(show()).toMatch(expected), { interval: 100 });
    const turnpike = `env -u CI NO_COLOR=1 '${process.execPath}' '${program}'`;
    tmux(
      'send-keys',
      `${turnpike} tui --ascii --data-dir '${folder}'; echo "left with $?"`,
      'Enter',
    );
    await see(/1 Overview/);
    for (const [key, expected] of [
      ['6', /Nothing here yet/],
      ['n', /amount per code.*\$1/],
      ['Enter', /number of codes: 10/],
      ['Enter', /name \(empty/],
      ['Enter', /file \(empty/],
      ['C-u', /only\): +\|/],
      ['Enter', /Created 10 codes/],
      ['0', /Ledger/],
      ['v', /adds up: 1 user,/],
      [':', /: +overview requests/],
    ] as const) {
      tmux('send-keys', key);
      await see(expected);
    }
    tmux('send-keys', 'C-c');
    await see(/left with 0/);
    expect(show()).not.toContain('Ledger');
  });
});
