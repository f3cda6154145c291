/** The program as a separate process, as people run it: start, stop, signals, a real terminal. */
import { type ChildProcess, execFileSync, spawnSync } from 'node:child_process';
import { openSync, readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { program } from '../support/program.ts';
import { hasTool } from '../support/tools.ts';
import { folder, run, serve, start, startPrograms } from './programs.ts';

startPrograms();

/** Of the process as it runs now (Linux). */
const argumentsOf = ({ pid }: ChildProcess) => readFileSync(`/proc/${pid}/cmdline`, 'utf8');

test('a full disk behind standard output is said, in the language of the machine', () => {
  const full = openSync('/dev/full', 'w');
  const run = spawnSync(process.execPath, [program, 'completion', 'bash'], {
    env: { PATH: process.env['PATH'], LANG: 'zh_CN.UTF-8' },
    stdio: ['ignore', full, 'pipe'],
    encoding: 'utf8',
  });
  expect(run.stderr).toContain('无法使用 stdout');
  expect(run.status).toBe(1);
});

test('a full disk behind a download is said in the same way', async () => {
  const setup = ['setup', '--username', 'root', '--password-stdin', '--data-dir', folder];
  await run(setup, 'a long password\n');
  const download = spawnSync(
    process.execPath,
    [program, 'logs', 'export', '--data-dir', folder, '--lang', 'en'],
    { stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'], encoding: 'utf8' },
  );
  expect([download.status, download.stderr.trim()]).toEqual([
    1,
    'Cannot use stdout: the disk is full; free some space',
  ]);
});

describe('serve', () => {
  test('shows a setup code until it is set up, refuses a second process, drains on SIGTERM', async () => {
    const { child, printed, exited, url } = await serve();
    expect(argumentsOf(child)).toContain('--max-semi-space-size=32');
    await vi.waitFor(() => expect(printed.stdout).toContain('in another terminal'));
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
    await vi.waitFor(async () => expect((await fetch(`${url}/api/status`)).status).toBe(503));
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
});

test('a pipe that closes early is not a failure', async () => {
  const { child, exited } = start(['--help']);
  child.stdout.destroy();
  expect(await exited).toBe(0);
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

  test('the screens open, follow a resize, are suspended and continued, and leave the terminal as it was', async () => {
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
    await vi.waitFor(() => expect(show()).toContain('1 Overview 2 Req'), {
      timeout: 60_000,
      interval: 200,
    });
    await vi.waitFor(() => expect(show().split('\n')[0]).toMatch(/^┌─{78}┐$/), {
      timeout: 60_000,
      interval: 100,
    });
    tmux('send-keys', '4');
    await vi.waitFor(() => expect(show()).toMatch(/● +1 root/), { interval: 100 });
    tmux('resize-window', '-x', '130', '-y', '30');
    await vi.waitFor(() => expect(show().split('\n')[0]).toMatch(/^┌─{128}┐$/), {
      timeout: 60_000,
      interval: 100,
    });
    const modes = () => tmux('display-message', '-p', '#{alternate_on} #{cursor_flag}').trim();
    for (const signal of ['C-z', 'TSTP', 'STOP']) {
      if (signal === 'C-z') tmux('send-keys', signal);
      else process.kill(screensPid(), `SIG${signal}`);
      await vi.waitFor(() => expect(show()).toMatch(/Stopped|Suspended/), {
        timeout: 60_000,
        interval: 100,
      });
      if (signal !== 'STOP') {
        expect([show().includes('Users'), modes()]).toEqual([false, '0 1']);
        tmux('send-keys', 'stty -a | grep -wo -e -icanon -e icanon; echo "typed"', 'Enter');
        await vi.waitFor(() => expect(show()).toMatch(/^icanon\ntyped/m), {
          timeout: 60_000,
          interval: 100,
        });
      }
      tmux('resize-window', '-x', '110', '-y', '28');
      tmux('send-keys', 'fg', 'C-j'); // after SIGSTOP the terminal is still raw
      await vi.waitFor(() => expect(show()).toMatch(/^┌─{108}┐\n[\s\S]*● +1 root[\s\S]*┘/), {
        timeout: 60_000,
        interval: 100,
      });
      expect([show().includes('typed'), modes()]).toEqual([false, '1 0']);
      tmux('resize-window', '-x', '130', '-y', '30');
    }
    tmux('send-keys', 'Down');
    tmux('resize-window', '-x', '60', '-y', '20');
    await vi.waitFor(() => expect(show()).toContain('at least 80x24 is needed'), {
      timeout: 60_000,
      interval: 100,
    });
    tmux('send-keys', 'q');
    await vi.waitFor(
      () =>
        expect([modes(), show().trimEnd().at(-1)]).toEqual(['0 1', expect.stringMatching(/[#$]/)]),
      {
        timeout: 60_000,
        interval: 100,
      },
    );
    // a shell forgets the rest of a line that was suspended
    tmux('send-keys', 'echo "left with $?"', 'Enter');
    await vi.waitFor(() => expect(show()).toContain('left with 0'), {
      timeout: 60_000,
      interval: 200,
    });
    expect(show()).not.toContain('Overview');
  });
});
