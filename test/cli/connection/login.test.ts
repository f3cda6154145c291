/** `turnpike profiles login` and `setup` on a remote gateway (docs/rules/command-line.md#which-gateway). */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { profilePath, readProfiles } from '../../../src/cli/connection/profiles.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { runCli } from '../run-cli.ts';

let folder = '';
let gateway: TestGateway;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'turnpike-login-'));
  gateway = await startTestGateway();
});
afterAll(async () => {
  await gateway.close();
  rmSync(folder, { recursive: true, force: true });
});

const environment = () => ({ TURNPIKE_CONFIG_DIR: folder });
const logIn = (password: string, ...more: string[]) =>
  runCli(['profiles', 'login', 'work', '--server', gateway.url, '--username', 'root', '--password-stdin', '--json', ...more], {
    environment: environment(),
    input: password,
  });
const savedToken = () => readProfiles(profilePath(environment()))['work']?.access_token;

test('saves a token without printing it, keeps one that is in use, and ends its login', async () => {
  const wrong = await logIn('a wrong password');
  expect(wrong.exitCode).not.toBe(0);
  expect(savedToken()).toBeUndefined();

  const first = await logIn('root-password');
  expect(first.json()).toEqual({ name: 'work', server: gateway.url });
  const token = savedToken() ?? '';
  expect(token).not.toBe('');
  expect(first.stdout + first.stderr).not.toContain(token);

  const again = await logIn('root-password');
  expect([again.exitCode, again.failure().message]).toEqual([2, expect.stringContaining('--yes')]);
  expect(savedToken()).toBe(token);
  expect((await logIn('root-password', '--yes')).exitCode).toBe(0);
  expect(savedToken()).not.toBe(token);
  expect(await gateway.client.session.list()).toEqual([]);
});

test('without a terminal, what is missing is named', async () => {
  const asked = await runCli(['profiles', 'login', 'work', '--server', gateway.url, '--json'], { environment: environment() });
  expect([asked.exitCode, asked.failure().message]).toEqual([2, '--username is required']);
  const silent = await runCli(['profiles', 'login', 'work', '--server', gateway.url, '--username', 'root', '--json'], {
    environment: environment(),
  });
  expect([silent.exitCode, silent.failure().message]).toEqual([2, 'Use --password-stdin or TURNPIKE_PASSWORD']);
});
