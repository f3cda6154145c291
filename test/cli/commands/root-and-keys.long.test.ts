/** `turnpike rotate-crypto` and `turnpike reset-root-password`. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fromBase32, totpCode } from '../../../src/core/accounts/factors/totp.ts';
import { rotateStorageSecrets } from '../../../src/core/storage/open.ts';
import { makeSite, openSite, rootPassword } from '../../support/data-folder-site.ts';
import { startTestGateway } from '../../support/gateway.ts';
import { hashAsUsual } from '../../support/light-hashing.ts';
import { program } from '../../support/program.ts';
import { runCli } from '../run-cli.ts';

hashAsUsual(); // the program makes some of the passwords
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnpike-keys-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/**
 * The new key's users can be read: the secret option and the setting of a user are opened on the
 * way.
 */
const opens = (environment: NodeJS.ProcessEnv = {}) =>
  openSite(folder, environment).use(async (client) => {
    const [token] = (await client.userTokens.list({})).items;
    return token?.name;
  });
const withToken = (environment: NodeJS.ProcessEnv = {}) =>
  makeSite(folder, 1, environment).then((site) =>
    site.use((client) =>
      client.userTokens.create({ name: 'kept', unlimited_quota: true, user: 'user1' }),
    ),
  );
const keyFile = () => readFileSync(join(folder, 'secret.json'), 'utf8');
const secretOf = (text: string) =>
  Buffer.from((JSON.parse(text) as { crypto_secret: string }).crypto_secret);
const rotate = (words: readonly string[] = [], options: Parameters<typeof runCli>[1] = {}) =>
  runCli(['rotate-crypto', '--data-dir', folder, '--json', '--yes', ...words], options);

describe('rotate-crypto', () => {
  test('encrypts all secrets with a new key, and keeps the old one for earlier backups', async () => {
    await withToken();
    const before = keyFile();
    const backup = join(folder, 'before.backup');
    await runCli(['backup', backup, '--data-dir', folder]);
    const { rotated, kept_key } = (await rotate()).json<{
      rotated: Record<string, number>;
      kept_key: string;
    }>();
    expect(rotated).toMatchObject({ tokens: 1, options: 1, channels: 0 });
    expect(keyFile()).not.toBe(before);
    expect(JSON.parse(keyFile()).session_secret).toBe(JSON.parse(before).session_secret);
    expect(readFileSync(kept_key, 'utf8')).toBe(before);
    expect(await opens()).toBe('kept');
    const other = await runCli([
      'restore',
      backup,
      '--data-dir',
      folder,
      '--force',
      '--yes',
      '--json',
    ]);
    expect(other.failure().code).toBe('backup_key_missing');
  });

  test('changes nothing where a secret cannot be decrypted, while a gateway runs, or without a new CRYPTO_SECRET', async () => {
    await withToken();
    const before = keyFile();
    writeFileSync(
      join(folder, 'secret.json'),
      before.replace(/"crypto_secret": "./, '"crypto_secret": "!'),
    );
    const wrong = keyFile();
    expect((await rotate()).failure().code).toBe('site_key_wrong');
    expect(keyFile()).toBe(wrong);
    expect(existsSync(join(folder, 'secret.json.next'))).toBe(false);
    writeFileSync(join(folder, 'secret.json'), before);
    await openSite(folder).use(async () => {
      expect((await rotate()).failure().code).toBe('data_folder_locked');
    });
    const environment = { CRYPTO_SECRET: 'from the environment' };
    expect((await rotate([], { environment })).exitCode).toBe(2);
    expect(await opens()).toBe('kept');
  });

  test('takes the new value of CRYPTO_SECRET from standard input', async () => {
    await withToken({ CRYPTO_SECRET: 'the first value' });
    const environment = { CRYPTO_SECRET: 'the first value' };
    const run = await rotate(['--new-secret-stdin'], { environment, input: 'the second value\n' });
    expect(run.json()).toMatchObject({ kept_key: null });
    expect(await opens({ CRYPTO_SECRET: 'the second value' })).toBe('kept');
  });

  test('interrupted before or after the database changed, the next start finds the right key', async () => {
    await withToken();
    const next = join(folder, 'secret.json.next');
    const old = keyFile();
    writeFileSync(next, JSON.stringify({ session_secret: 's', crypto_secret: 'unused' }));
    expect(await opens()).toBe('kept');
    expect(existsSync(next)).toBe(false);
    expect(keyFile()).toBe(old);

    const replaced = JSON.stringify({ session_secret: 's', crypto_secret: 'the next one' });
    writeFileSync(next, replaced);
    const url = `sqlite:${join(folder, 'turnpike.db')}`;
    await rotateStorageSecrets({
      url,
      masterKey: secretOf(old),
      newMasterKey: secretOf(replaced),
      now: 1,
    });
    expect(await opens()).toBe('kept');
    expect(keyFile()).toBe(replaced);
  });

  test('kill -9 at any moment leaves a site that opens', async () => {
    await withToken();
    for (const ms of [350, 500, 650]) {
      await new Promise<void>((resolve) => {
        const child = spawn(
          process.execPath,
          [program, 'rotate-crypto', '--yes', '--data-dir', folder],
          { stdio: 'ignore' },
        );
        const timer = setTimeout(() => child.kill('SIGKILL'), ms);
        child.once('close', () => {
          clearTimeout(timer);
          resolve();
        });
      });
      expect(await opens()).toBe('kept');
    }
  });
});

describe('reset-root-password', () => {
  const reset = (dataDir: string, input: string, ...flags: string[]) =>
    runOnFolder(
      ['reset-root-password', '--password-stdin', '--data-dir', dataDir, '--json', ...flags],
      input,
    );
  /** In a process of its own: the command connects by itself. */
  const runOnFolder = (words: readonly string[], input: string) =>
    new Promise<{ exitCode: number | null; stdout: string; stderr: string }>((resolve) => {
      const child = spawn(process.execPath, [program, ...words]);
      const printed = { stdout: '', stderr: '' };
      child.stdout.on('data', (chunk) => {
        printed.stdout += String(chunk);
      });
      child.stderr.on('data', (chunk) => {
        printed.stderr += String(chunk);
      });
      child.once('close', (exitCode) => resolve({ exitCode, ...printed }));
      child.stdin.end(input);
    });

  test('on a stopped site: the new password signs in, the old one does not, and the audit log says so', async () => {
    const site = await makeSite(folder, 0);
    await site.use((client) => client.option.set({ key: 'PasswordLoginEnabled', value: false }));
    const run = await reset(folder, 'a new password\n');
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(JSON.parse(run.stdout)).toEqual({
      id: 1,
      username: 'root',
      second_factor: false,
      turnstile: false,
    });
    await site.use(async (client) => {
      await client.auth.login({ username: 'root', password: 'a new password' });
      await expect(
        client.auth.login({ username: 'root', password: rootPassword }),
      ).rejects.toThrow();
      const { items } = await client.audit.list({});
      expect(items.map(({ action }) => action)).toEqual(
        expect.arrayContaining(['user.update', 'option.set']),
      );
    });
    expect((await reset(folder, 'short')).exitCode).toBe(2);
  });

  test('on a mistyped folder: says that there is no site, and makes none', async () => {
    const typo = join(folder, 'a-typo');
    const run = await runCli(
      ['reset-root-password', '--password-stdin', '--data-dir', typo, '--json'],
      {
        input: 'a new password',
      },
    );
    expect(run.failure()).toMatchObject({
      code: 'site_missing',
      message: expect.stringContaining(typo),
    });
    expect(existsSync(typo)).toBe(false);
  });

  test('through the running gateway: sessions and a lock end, second factors with --reset-factors, and root signs in', async () => {
    const gateway = await startTestGateway();
    try {
      const login = (password: string) =>
        fetch(`${gateway.url}/api/user/login`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ username: 'root', password }),
        });
      const cookie = (await login('root-password')).headers.get('set-cookie')?.split(';')[0] ?? '';
      const self = () =>
        fetch(`${gateway.url}/api/user/self`, { headers: { cookie, 'new-api-user': '1' } });
      expect(await (await self()).json()).toMatchObject({ success: true });
      expect((await reset(gateway.dataDir, 'a new password')).exitCode).toBe(0);
      expect((await self()).status).toBe(401);
      const signedInAgain = await login('a new password');
      expect(await signedInAgain.json()).toMatchObject({ success: true });

      // Root loses everything: the phone with the second factor, and then too many tries.
      const session = signedInAgain.headers.get('set-cookie')?.split(';')[0] ?? '';
      const post = async (path: string, body: object) => {
        const headers = {
          cookie: session,
          'new-api-user': '1',
          'content-type': 'application/json',
        };
        const reply = await fetch(gateway.url + path, {
          method: 'POST',
          headers,
          body: JSON.stringify(body),
        });
        return (await reply.json()) as { success: boolean; data: { secret: string } };
      };
      const { data } = await post('/api/turnpike/self/second-factor/totp', {});
      const code = totpCode(fromBase32(data.secret), Math.floor(Date.now() / 30_000));
      expect(await post('/api/turnpike/self/second-factor/totp/confirm', { code })).toMatchObject({
        success: true,
      });
      await Promise.all(Array.from({ length: 10 }, () => login('a wrong password')));
      expect(await (await login('a new password')).json()).toMatchObject({
        code: 'account_locked',
      });
      const kept = await reset(gateway.dataDir, 'a third password');
      expect(JSON.parse(kept.stdout)).toMatchObject({ second_factor: true });
      expect(await (await login('a third password')).json()).toMatchObject({
        code: 'second_factor_required',
      });
      expect((await reset(gateway.dataDir, 'a fourth password', '--reset-factors')).exitCode).toBe(
        0,
      );
      const signedIn = await login('a fourth password');
      expect(await signedIn.json()).toMatchObject({ success: true, data: { username: 'root' } });
    } finally {
      await gateway.close();
    }
  });
});
