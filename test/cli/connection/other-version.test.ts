import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { compareVersions, unknownCall } from '../../../src/cli/connection/other-version.ts';
import { startTestGateway } from '../../support/gateway.ts';
import { runCli } from '../run-cli.ts';

let server: Server | undefined;
afterEach(() => server?.close());

/** A server whose replies stand in a table, by path; every other path is unknown to it. */
async function serve(replies: Record<string, unknown>, unknown?: unknown): Promise<string> {
  server = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    response.setHeader('content-type', 'application/json');
    const found = replies[path];
    if (found !== undefined) return response.end(JSON.stringify(found));
    const message = `Invalid URL (${request.method} ${path})`;
    const body = { error: { message, type: 'invalid_request_error', param: '', code: '' } };
    return response.writeHead(404).end(JSON.stringify(unknown ?? body));
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
const info = { code: 200, message: '', data: { id: 1 } };
const list = (url: string, lang = 'en') =>
  runCli(['budgets', 'list', '--server', url, '--access-token', 'x', '--json', '--lang', lang], {
    connects: true,
  });

describe('a command that the gateway does not have', () => {
  test('names both versions and says which to upgrade', async () => {
    const status = (version: string) => ({ success: true, message: '', data: { version } });
    const older = await serve({ '/users/get/info': info, '/api/status': status('0.0.9') });
    const run = await list(older);
    expect(run.exitCode).toBe(3);
    expect(run.failure()).toEqual({
      code: 'unknown_url',
      message: expect.stringMatching(
        /^The gateway at http:.* is of version 0\.0\.9 and does not have this command, .*: upgrade the gateway$/,
      ),
    });
    expect((await list(older, 'zh')).failure().message).toContain('请升级网关');
    server?.close();
    const newer = await serve({ '/users/get/info': info, '/api/status': status('99.1.0') });
    expect((await list(newer)).failure().message).toMatch(/no longer .*: upgrade this program$/);
    server?.close();
    const silent = await serve({ '/users/get/info': info });
    expect((await list(silent)).failure().message).toMatch(/another version, or no Turnpike$/);
  });

  test('builds of one version are told apart, and commits say nothing of the age', () => {
    const at = { url: 'http://127.0.0.1:3000', language: 'en' } as const;
    const say = (theirs: string) => unknownCall({ ...at, theirs }, '0.2.0').message;
    expect(say('0.1.9+abc1234')).toMatch(/upgrade the gateway$/);
    expect(say('0.10.0')).toMatch(/upgrade this program$/);
    expect(say('0.2.0+abc1234')).toMatch(/use the same build for both$/);
  });

  test('what a gateway refuses for another reason stays what it is', async () => {
    const gateway = await startTestGateway();
    try {
      const run = await runCli(['users', 'show', '4711', '--server', gateway.url, '--json'], {
        connects: true,
        environment: { TURNPIKE_ACCESS_TOKEN: 'wrong' },
      });
      expect(run.failure().code).toBe('access_token_invalid');
    } finally {
      await gateway.close();
    }
  });
});

test('versions are compared as numbers', () => {
  for (const [one, other, order] of [
    ['0.9.0', '0.10.0', -1],
    ['1.0.0', '0.10.0', 1],
    ['v1.2.3', '1.2.3+commit', 0],
    ['', '0.1.0', -1],
  ] as const)
    expect(Math.sign(compareVersions(one, other))).toBe(order);
});

test('a server that is no gateway is said to be none, whatever JSON it answers with', async () => {
  for (const reply of [{ error: 'not found' }, { message: 'Not Found' }, { detail: '' }, {}, []]) {
    const url = await serve({}, reply);
    const run = await list(url);
    expect([reply, run.failure().message]).toEqual([
      reply,
      expect.stringMatching(
        /^http:.* answers with status 404, but not as a Turnpike gateway does$/,
      ),
    ]);
    expect(run.exitCode).toBe(6);
    server?.close();
  }
  // its status is that of a gateway, and the words are missing
  const url = await serve({ '/users/get/info': { code: 500, message: '' } });
  expect((await list(url)).failure().message).toBe('HTTP 200');
});
