/**
 * Which gateway a command works on, and how calls reach it
 * (docs/rules/command-line.md#which-gateway).
 */
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import {
  createServer,
  type IncomingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Values } from '../../../src/cli/base/flags.ts';
import { UsageError } from '../../../src/cli/base/usage-error.ts';
import { connectionFlags } from '../../../src/cli/command/common-flags.ts';
import { connect } from '../../../src/cli/connection/connect.ts';
import { profilePath, readProfiles } from '../../../src/cli/connection/profiles.ts';
import { loadConfig } from '../../../src/core/config/load.ts';
import { silentLogger } from '../../../src/core/kernel/logger.ts';
import { startGateway } from '../../../src/server/start.ts';
import { codeOf } from '../../support/app.ts';
import { makeSite } from '../../support/data-folder-site.ts';
import { startTestGateway } from '../../support/gateway.ts';
import { runCli } from '../run-cli.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnpike-cli-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (
  given: Record<string, string>,
  environment: NodeJS.ProcessEnv = {},
  makesSite = false,
) => connect(new Values(connectionFlags, given, environment), environment, 'en', { makesSite });

describe('a remote gateway', () => {
  let server: Server;
  let seen: { method: string; url: string; headers: IncomingHttpHeaders }[];
  let url: string;
  /** Is called with half a download written; the rest follows from what it does. */
  let onDownload: (response: ServerResponse) => void;
  beforeEach(async () => {
    seen = [];
    onDownload = (response) => response.destroy();
    server = createServer((request, response) => {
      seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers });
      response.setHeader('content-type', 'application/json');
      response.setHeader('X-Total-Count', '41');
      if (request.url === '/users/get/info')
        response.end('{"code":200,"message":"","data":{"id":7}}');
      else if (request.url?.startsWith('/api/channel/'))
        response.end('{"success":true,"message":"","data":[]}');
      else if (request.url === '/api/status') response.end('<html>');
      else if (request.url?.startsWith('/api/turnpike/audit/export')) {
        response.writeHead(200, { 'content-type': 'text/csv' });
        response.write('id\n1\n', () => onDownload(response));
      } else if (request.url === '/api/notice') response.end('{"detail":"Not Found"}');
      else response.end('{"success":false,"message":"无权","code":"forbidden"}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(() => server.close());

  test('a download that breaks off is unreachable like a call, and leaves no file', async () => {
    const file = join(folder, 'audit.csv');
    const words = ['audit', 'export', file, '--server', url, '--access-token', 'x', '--json'];
    const broken = await runCli(words, { connects: true });
    expect(broken.exitCode).toBe(6);
    expect(broken.failure().code).toBe('gateway_unreachable');
    expect(readdirSync(folder)).toEqual([]);
  });

  test('a download keeps the files beside it, and does not replace one that is made meanwhile', async () => {
    const file = join(folder, 'audit.csv');
    writeFileSync(`${file}.part`, 'mine');
    onDownload = (response) => {
      writeFileSync(file, 'first');
      response.end();
    };
    const words = ['audit', 'export', file, '--server', url, '--access-token', 'x'];
    expect((await runCli(words, { connects: true })).exitCode).toBe(2);
    expect(readdirSync(folder).sort()).toEqual(['audit.csv', 'audit.csv.part']);
    expect(readFileSync(`${file}.part`, 'utf8')).toBe('mine');
    expect(readFileSync(file, 'utf8')).toBe('first');
  });

  test('fetches the user id once and sends it with every call', async () => {
    const { client, kind } = await open({ server: `${url}/`, 'access-token': 'secret-token' });
    expect(kind).toBe('remote');
    expect(await client.channel.list({ p: 1 })).toEqual({ items: [], total: 41 });
    await client.channel.list();
    expect(seen.map((call) => call.url)).toEqual([
      '/users/get/info',
      '/api/channel/?p=1',
      '/api/channel/',
    ]);
    expect(seen[1]?.headers).toMatchObject({
      authorization: 'Bearer secret-token',
      'new-api-user': '7',
      'accept-language': 'en',
    });
  });

  test('a gateway that was away at the first call is asked again at the next', async () => {
    const { port } = server.address() as AddressInfo;
    const { client } = await open({ server: url, 'access-token': 't' });
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    expect(await codeOf(client.channel.list())).toBe('gateway_unreachable');
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    expect(await client.channel.list()).toEqual({ items: [], total: 41 });
  });

  test('failures keep their code; a server that is not a gateway is unreachable', async () => {
    const { client } = await open({ server: url, 'access-token': 't' });
    expect(await codeOf(client.user.list())).toBe('forbidden');
    expect(await codeOf(client.system.status())).toBe('gateway_unreachable');
    expect(await codeOf(client.system.notice())).toBe('gateway_unreachable');
  });

  test('a refused connection is exit code 6, and the token is not in the message', async () => {
    const line = [
      'users',
      'list',
      '--json',
      '--server',
      'http://127.0.0.1:9',
      '--access-token',
      'secret-token',
    ];
    const { transport } = await open({
      server: 'http://127.0.0.1:9',
      'access-token': 'secret-token',
    });
    const run = await runCli(line, { transport });
    expect([run.exitCode, run.failure().code]).toEqual([6, 'gateway_unreachable']);
    expect(run.stderr).not.toContain('secret-token');
  });

  test('a redirect is not followed: it could send the token to another server', async () => {
    const other = createServer((_request, response) =>
      response.writeHead(302, { location: `${url}/api/user/` }).end(),
    );
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { client } = await open({
      server: `http://127.0.0.1:${(other.address() as AddressInfo).port}`,
      'access-token': 't',
    });
    expect(await codeOf(client.user.list())).toBe('gateway_unreachable');
    expect(seen).toEqual([]);
    other.close();
  });

  test('can also come from the environment or a profile', async () => {
    const environment = { TURNPIKE_CONFIG_DIR: folder };
    const saved = await runCli(
      ['profiles', 'save', 'home', '--server', url, '--access-token-stdin'],
      {
        environment,
        input: 'secret-token\n',
      },
    );
    expect(saved.exitCode).toBe(0);
    expect(saved.stdout + saved.stderr).not.toContain('secret-token');
    expect(statSync(profilePath(environment)).mode & 0o777).toBe(0o600);
    expect((await open({ profile: 'home' }, environment)).address).toBe(url);
    expect((await open({}, { TURNPIKE_SERVER: url, TURNPIKE_ACCESS_TOKEN: 't' })).address).toBe(
      url,
    );
    expect((await runCli(['profiles', 'list', '--json'], { environment })).stdout).not.toContain(
      'secret-token',
    );
    await runCli(['profiles', 'delete', 'home'], { environment });
    expect(readProfiles(profilePath(environment))).toEqual({});
  });

  test('an incomplete address is a usage error', async () => {
    const visitor = await open({ server: url });
    await expect(visitor.client.user.list()).rejects.toThrow(UsageError);
    expect(await visitor.client.channel.list().catch(() => 'refused')).toBe('refused');
    await expect(open({ 'access-token': 't' })).rejects.toThrow(UsageError);
    await expect(open({ server: 'localhost:3000', 'access-token': 't' })).rejects.toThrow(
      UsageError,
    );
    await expect(open({ profile: 'nowhere' }, { TURNPIKE_CONFIG_DIR: folder })).rejects.toThrow(
      UsageError,
    );
  });
});

describe('what is typed wins over variables', () => {
  const environment = { TURNPIKE_PROFILE: 'saved', TURNPIKE_ACCESS_TOKEN: 't' };

  test('--data-dir over a profile and a server', async () => {
    const { kind, close } = await open(
      { 'data-dir': folder },
      { ...environment, TURNPIKE_SERVER: 'http://127.0.0.1:9' },
      true,
    );
    expect(kind).toBe('direct');
    await close();
  });

  test('--server over a profile', async () => {
    expect((await open({ server: 'http://127.0.0.1:9' }, environment)).address).toBe(
      'http://127.0.0.1:9',
    );
  });

  test('two places on the command line are a usage error', async () => {
    await expect(open({ server: 'http://127.0.0.1:9', 'data-dir': folder })).rejects.toThrow(
      'Use either --{first}',
    );
    await expect(open({ server: 'http://127.0.0.1:9', profile: 'saved' })).rejects.toThrow(
      UsageError,
    );
  });
});

describe('this machine', () => {
  test('uses the gateway running on the folder, as root', async () => {
    const gateway = await startTestGateway();
    try {
      const connection = await open({ 'data-dir': gateway.dataDir });
      expect([connection.kind, connection.address]).toEqual(['running', gateway.url]);
      expect((await connection.client.user.list()).total).toBe(1);
      // A restart changes address and key; the first call after it may find the old address closed.
      await gateway.restart();
      expect(await codeOf(connection.client.user.list())).toBe('gateway_unreachable');
      expect((await connection.client.user.list()).total).toBe(1);
      await connection.close();
    } finally {
      await gateway.close();
    }
  });

  test('a gateway refuses an access token that is not valid: exit code 4', async () => {
    const gateway = await startTestGateway();
    try {
      const { client, transport } = await open({
        server: gateway.url,
        'access-token': 'not-a-token',
      });
      expect(await codeOf(client.user.list())).toBe('access_token_invalid');
      const run = await runCli(['users', 'list', '--json'], { transport });
      expect([run.exitCode, run.failure().code]).toEqual([4, 'access_token_invalid']);
    } finally {
      await gateway.close();
    }
  });

  test('uses the folder itself if no gateway is running, one process at a time', async () => {
    const first = await open({ 'data-dir': folder }, {}, true);
    expect([first.kind, first.address]).toEqual(['direct', folder]);
    await first.client.system.setup({
      username: 'root',
      password: 'a long password',
      confirmPassword: 'a long password',
    });
    expect(await codeOf(open({ 'data-dir': folder }))).toBe('data_folder_locked');
    await first.close();
    const second = await open({ 'data-dir': folder });
    expect((await second.client.user.list()).total).toBe(1);
    await second.close();
  });
});

test.each([{}, { DATABASE_URL: 'postgres://127.0.0.1:9/turnpike' }, { CRYPTO_SECRET: 'given' }])(
  'a folder without a site is refused, and nothing is made there %j',
  async (environment) => {
    const typo = join(folder, 'typo');
    expect(await codeOf(open({ 'data-dir': typo }, environment))).toBe('site_missing');
    expect(existsSync(typo)).toBe(false);
  },
);

test.each([
  ['users list --watch 0.5 --json', 'user1'],
  ['logs tail --json', 'user1'],
])('%s leaves a stopped folder to a gateway that starts, and follows it', async (line, name) => {
  await makeSite(folder);
  const stop = new AbortController();
  let printed = '';
  const ended = runCli([...line.split(' '), '--data-dir', folder], {
    connects: true,
    stop: stop.signal,
    onOutput: (text) => {
      printed += text;
    },
  });
  await expect.poll(() => printed, { timeout: 30_000 }).toContain(name);
  const { config } = loadConfig({
    flags: { 'data-dir': folder, port: 0 },
    environment: {},
    cwd: folder,
  });
  const gateway = await vi.waitFor(
    () => startGateway(config, { logger: silentLogger, version: 'test' }),
    { timeout: 30_000 },
  );
  const add = ['users', 'add', '--username', 'later', '--quota', '5', '--data-dir', folder];
  const environment = { TURNPIKE_PASSWORD: 'a long password' };
  expect((await runCli(add, { connects: true, environment })).exitCode).toBe(0);
  await expect.poll(() => printed, { timeout: 30_000 }).toContain('later');
  stop.abort();
  expect((await ended).exitCode).toBe(130);
  await gateway.close();
});
