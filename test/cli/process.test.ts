/** The program as a separate process, as people run it: start, stop, signals, a real terminal. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { program } from '../support/program.ts';
import { hasTool } from '../support/tools.ts';

// Each test starts several processes; a busy machine needs many seconds for that.
vi.setConfig({ testTimeout: 60_000 });
const running = new Set<ChildProcess>();
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnpike-process-'));
});
afterEach(async () => {
  for (const child of running) child.kill('SIGKILL');
  await vi.waitFor(() => expect(running.size).toBe(0), { timeout: 30_000 });
  rmSync(folder, { recursive: true, force: true });
});

function start(words: readonly string[], environment: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, [program, ...words], {
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      LANG: 'C.UTF-8',
      ...environment,
    },
  });
  running.add(child);
  const printed = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    printed.stdout += String(chunk);
  });
  child.stderr.on('data', (chunk) => {
    printed.stderr += String(chunk);
  });
  const exited = new Promise<number | null>((resolve) =>
    child.once('close', (code) => {
      running.delete(child);
      resolve(code);
    }),
  );
  return { child, printed, exited };
}

async function run(words: readonly string[], input = '') {
  const { child, printed, exited } = start(words);
  child.stdin?.end(input);
  return { exitCode: await exited, ...printed };
}

async function serve(environment: NodeJS.ProcessEnv = {}) {
  const server = start(['serve', '--port', '0', '--no-open', '--data-dir', folder], environment);
  await vi.waitFor(() => expect(server.printed.stdout).toMatch(/http:\/\/127\.0\.0\.1:\d+/), {
    timeout: 40_000,
  });
  return { ...server, url: /http:\/\/127\.0\.0\.1:\d+/.exec(server.printed.stdout)?.[0] ?? '' };
}

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

  test('shows a setup code until it is set up, refuses a second process, drains on SIGTERM', async () => {
    const { child, printed, exited, url } = await serve();
    expect(argumentsOf(child)).toContain('--max-semi-space-size=32');
    await vi.waitFor(() => expect(printed.stdout).toContain('in another terminal'), {
      timeout: 30_000,
    });
    const code = /Setup code\s+(\w{3}) (\w{3})/.exec(printed.stdout) ?? [];
    expect(printed.stdout).toContain(`${url}/setup#code=${code[1]}-${code[2]}`);
    expect(printed.stdout).toContain(folder);
    const second = await run(['serve', '--port', '0', '--data-dir', folder, '--json']);
    expect(second.exitCode).toBe(5);
    expect(JSON.parse(second.stderr)).toMatchObject({ error: { code: 'data_folder_locked' } });

    const setup = await run(
      ['setup', '--username', 'root', '--password-stdin', '--data-dir', folder],
      'a long password\n',
    );
    expect(setup).toMatchObject({ exitCode: 0, stdout: '' });
    const again = await run(
      ['setup', '--username', 'root', '--password-stdin', '--data-dir', folder],
      'a long password\n',
    );
    expect(again.exitCode).toBe(5);
    expect(await (await fetch(`${url}/api/setup`)).json()).toMatchObject({
      data: { status: true },
    });

    child.kill('SIGTERM');
    expect(await exited).toBe(0);
    expect(readFileSync(join(folder, 'logs/turnpike.log'), 'utf8')).not.toContain(
      'a long password',
    );
  });

  test('on SIGTERM new connections get 503 in their own format while a stream ends', async () => {
    const { promise: streaming, resolve: onStream } = Promise.withResolvers<ServerResponse>();
    const upstream = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(
        'data: {"choices":[{"index":0,"delta":{"role":"assistant","content":"first"}}]}\n\n',
      );
      onStream(response);
    });
    await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
    await run(
      ['setup', '--username', 'root', '--password-stdin', '--data-dir', folder],
      'a long password\n',
    );
    const { child, exited, url } = await serve();
    const { key: operatorKey } = JSON.parse(readFileSync(join(folder, 'gateway.json'), 'utf8')) as {
      key: string;
    };
    const post = (path: string, body: object, key: string) =>
      fetch(url + path, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          connection: 'close',
        },
        body: JSON.stringify(body),
      });
    const baseUrl = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
    await post(
      '/api/channel/',
      { name: 'c', type: 1, key: 'k', models: 'gpt-4o', base_url: baseUrl },
      operatorKey,
    );
    const token = (await (
      await post('/api/token/', { name: 't', unlimited_quota: true }, operatorKey)
    ).json()) as {
      data: { key: string };
    };
    const chat = { model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }], max_tokens: 9 };
    const stream = post('/v1/chat/completions', { ...chat, stream: true }, `sk-${token.data.key}`);
    const held = await streaming;

    child.kill('SIGTERM');
    await vi.waitFor(async () => expect((await fetch(`${url}/api/status`)).status).toBe(503), {
      timeout: 30_000,
    });
    const status = await fetch(`${url}/api/status`);
    expect(status.headers.get('retry-after')).toBe('1');
    expect(await status.json()).toMatchObject({ success: false, code: 'shutting_down' });
    expect((await fetch(url)).status).toBe(503);
    const claude = await post('/v1/messages', chat, 'sk-none');
    expect([claude.status, claude.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await claude.json()).toMatchObject({
      type: 'error',
      error: { type: expect.any(String) },
    });
    const openai = await post('/v1/chat/completions', chat, 'sk-none');
    expect(openai.status).toBe(503);
    expect(await openai.json()).toMatchObject({ error: { code: 'shutting_down' } });

    held.end(
      'data: {"choices":[{"index":0,"delta":{"content":" last"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
    );
    expect(await (await stream).text()).toMatch(/first.* last.*\[DONE\]/s);
    expect(await exited).toBe(0);
    await expect(fetch(`${url}/api/status`)).rejects.toThrow();
    upstream.closeAllConnections();
    upstream.close();
  });

  test.each([
    [['--redis-url', 'redis://127.0.0.1'], 'PostgreSQL'],
    [['--workers', '2'], '--workers'],
    [['--port', 'many'], '--port many: use 0-65535'],
    [['--durability', 'some'], '--durability some: use full, normal'],
  ])('%j is refused with a word about it', async (flags, said) => {
    const refused = await run(['serve', '--data-dir', folder, '--no-open', ...flags]);
    expect(refused.exitCode).not.toBe(0);
    expect(refused.stderr).toContain(said);
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

test('a pipe that closes early is not a failure', async () => {
  const { child, exited } = start(['--help']);
  child.stdout.destroy();
  expect(await exited).toBe(0);
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
  await vi.waitFor(() => expect(tail.printed.stdout).toContain('linxi'), { timeout: 30_000 });
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

  test('the screens open, follow a resize, are suspended and continued, and leave the terminal as it was', {
    timeout: 60_000,
  }, async () => {
    await run(
      ['setup', '--username', 'root', '--password-stdin', '--data-dir', folder],
      'a long password\n',
    );
    tmux('new-session', '-d', '-x', '80', '-y', '24', '-e', 'LANG=C.UTF-8', 'sh');
    const show = () => tmux('capture-pane', '-p');
    const screensPid = () => Number(readFileSync(join(folder, 'pid'), 'utf8'));
    // In CI Ink only draws the last frame, so CI is unset.
    const line = `exec env -u CI '${process.execPath}' '${program}' tui --data-dir '${folder}'`;
    tmux(
      'send-keys',
      `sh -c "echo \\$\\$ > '${folder}/pid'; printf within-a-line; ${line}"`,
      'Enter',
    );
    await vi.waitFor(() => expect(show()).toContain('1 Overview  2 Requests'), {
      timeout: 15_000,
      interval: 200,
    });
    await vi.waitFor(() => expect(show().split('\n')[0]).toMatch(/^┌─{78}┐$/), {
      timeout: 15_000,
      interval: 100,
    });
    tmux('send-keys', '4');
    await vi.waitFor(() => expect(show()).toMatch(/● +1 root/), { timeout: 15_000, interval: 100 });
    tmux('resize-window', '-x', '130', '-y', '30');
    await vi.waitFor(() => expect(show().split('\n')[0]).toMatch(/^┌─{128}┐$/), {
      timeout: 15_000,
      interval: 100,
    });
    const modes = () => tmux('display-message', '-p', '#{alternate_on} #{cursor_flag}').trim();
    for (const signal of ['C-z', 'TSTP', 'STOP']) {
      if (signal === 'C-z') tmux('send-keys', signal);
      else process.kill(screensPid(), `SIG${signal}`);
      await vi.waitFor(() => expect(show()).toMatch(/Stopped|Suspended/), {
        timeout: 15_000,
        interval: 100,
      });
      if (signal !== 'STOP') {
        expect([show().includes('Users'), modes()]).toEqual([false, '0 1']);
        tmux('send-keys', 'stty -a | grep -wo -e -icanon -e icanon; echo "typed"', 'Enter');
        await vi.waitFor(() => expect(show()).toMatch(/^icanon\ntyped/m), {
          timeout: 15_000,
          interval: 100,
        });
      }
      tmux('resize-window', '-x', '110', '-y', '28');
      tmux('send-keys', 'fg', 'C-j'); // after SIGSTOP the terminal is still raw
      await vi.waitFor(() => expect(show()).toMatch(/^┌─{108}┐\n[\s\S]*● +1 root[\s\S]*┘/), {
        timeout: 15_000,
        interval: 100,
      });
      expect([show().includes('typed'), modes()]).toEqual([false, '1 0']);
      tmux('resize-window', '-x', '130', '-y', '30');
    }
    tmux('send-keys', 'Down');
    tmux('resize-window', '-x', '60', '-y', '20');
    await vi.waitFor(() => expect(show()).toContain('at least 80x24 is needed'), {
      timeout: 15_000,
      interval: 100,
    });
    tmux('send-keys', 'q');
    await vi.waitFor(
      () =>
        expect([modes(), show().trimEnd().at(-1)]).toEqual(['0 1', expect.stringMatching(/[#$]/)]),
      {
        timeout: 30_000,
        interval: 100,
      },
    );
    // a shell forgets the rest of a line that was suspended
    tmux('send-keys', 'echo "left with $?"', 'Enter');
    await vi.waitFor(() => expect(show()).toContain('left with 0'), {
      timeout: 30_000,
      interval: 200,
    });
    expect(show()).not.toContain('Overview');
  });

  test('a batch of codes is created by keys, and Ctrl-C in a question leaves the terminal clean', async () => {
    await run(
      ['setup', '--username', 'root', '--password-stdin', '--data-dir', folder],
      'a long password\n',
    );
    tmux('new-session', '-d', '-x', '80', '-y', '24', '-e', 'LANG=C.UTF-8', 'sh');
    const show = () => tmux('capture-pane', '-p');
    const see = (expected: string | RegExp) =>
      vi.waitFor(() => expect(show()).toMatch(expected), { timeout: 15_000, interval: 100 });
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
