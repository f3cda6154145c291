/**
 * `turnpike profiles login` and `setup` on a remote gateway
 * (docs/rules/command-line.md#which-gateway).
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { profilePath, readProfiles } from '../../../src/cli/connection/profiles.ts';
import { fromBase32, totpCode } from '../../../src/core/accounts/factors/totp.ts';
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
  runCli(
    [
      'profiles',
      'login',
      'work',
      '--server',
      gateway.url,
      '--username',
      'root',
      '--password-stdin',
      '--json',
      ...more,
    ],
    {
      environment: environment(),
      input: password,
    },
  );
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
  const asked = await runCli(['profiles', 'login', 'work', '--server', gateway.url, '--json'], {
    environment: environment(),
  });
  expect([asked.exitCode, asked.failure().message]).toEqual([2, '--username is required']);
  const silent = await runCli(
    ['profiles', 'login', 'work', '--server', gateway.url, '--username', 'root', '--json'],
    {
      environment: environment(),
    },
  );
  expect([silent.exitCode, silent.failure().message]).toEqual([
    2,
    'Use --password-stdin or TURNPIKE_PASSWORD',
  ]);
});

/** Sets up the authenticator app of a user, and returns its next code and the recovery codes. */
async function addAuthenticator(
  user: { readonly id: number; readonly username: string },
  password: string,
) {
  let cookie = '';
  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json', 'new-api-user': String(user.id), cookie };
    const reply = await fetch(gateway.url + path, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    cookie = reply.headers.get('set-cookie')?.split(';')[0] ?? cookie;
    return ((await reply.json()) as { data: { secret: string; recovery_codes: readonly string[] } })
      .data;
  };
  await post('/api/user/login', { username: user.username, password });
  const { secret } = await post('/api/turnpike/self/second-factor/totp', {});
  const codeOf = (offset: number) =>
    totpCode(fromBase32(secret), Math.floor(Date.now() / 30_000) + offset);
  const { recovery_codes } = await post('/api/turnpike/self/second-factor/totp/confirm', {
    code: codeOf(0),
  });
  return { nextCode: codeOf(1), recoveryCodes: recovery_codes };
}

test('a user with an authenticator app signs in with --code or a recovery code, each of them once', async () => {
  const [username, password] = ['linxi', 'a long password'];
  const { id } = await gateway.client.user.create({ username, password });
  const { nextCode, recoveryCodes } = await addAuthenticator({ id, username }, password);
  const logInWith = (...more: string[]) =>
    runCli(
      [
        'profiles',
        'login',
        'linxi',
        '--server',
        gateway.url,
        '--username',
        username,
        '--password-stdin',
        '--yes',
        ...more,
      ],
      { environment: environment(), input: password },
    );
  const without = await logInWith('--json');
  expect([without.exitCode, without.failure().message]).toEqual([
    2,
    expect.stringContaining('--code'),
  ]);
  const [recoveryCode = ''] = recoveryCodes;
  for (const code of [nextCode, recoveryCode]) {
    const wrong = await logInWith('--json', '--code', code === nextCode ? '000000' : 'aaaaa-aaaaa');
    expect([wrong.exitCode, wrong.failure().code]).toEqual([2, 'second_factor_invalid']);
    const right = await logInWith('--json', '--code', code);
    expect([right.exitCode, right.stderr]).toEqual([0, '']);
    const repeated = await logInWith('--json', '--code', code);
    expect([repeated.exitCode, repeated.failure().code]).toEqual([
      2,
      code === nextCode ? 'second_factor_used' : 'second_factor_invalid',
    ]);
  }
  const asked = await runCli(['profiles', 'login', 'linxi', '--server', gateway.url, '--yes'], {
    environment: environment(),
    person: { answers: [username, password, recoveryCodes[1] ?? ''] },
  });
  expect([asked.exitCode, asked.questions.length]).toEqual([0, 3]);
});
