/** The package as a stranger gets it: packed, installed into an empty folder, started. */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import OpenAI from 'openai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '../../src/core/config/load.ts';
import { openSource } from '../../src/core/maintenance/extract-backup.ts';
import { restoreSite } from '../../src/core/maintenance/restore.ts';
import { program } from '../support/program.ts';
import { releasedSites, siteFile } from '../support/released-sites.ts';
import { type SpawnedGateway, spawnGateway } from '../support/spawned-gateway.ts';
import { startUpstream } from '../support/upstream.ts';

const root = join(dirname(program), '..');
const folder = mkdtempSync(join(tmpdir(), 'turnpike-package-'));
const installed = join(folder, 'node_modules', 'turnpike');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The Node of this project, without what npm says to the scripts that it runs. */
const environment = {
  PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
  HOME: folder,
};

const npm = (...words: string[]): string =>
  execFileSync('npm', [...words, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    encoding: 'utf8',
    env: environment,
  });

/** Dependencies come from this checkout, so that no registry is called. */
function dependency(name: string): string {
  const [packed] = JSON.parse(
    npm('pack', join(root, 'node_modules', name), '--json', '--ignore-scripts'),
  ) as [{ filename: string }];
  return `file:${join(folder, packed.filename)}`;
}

beforeAll(() => {
  const [packed] = JSON.parse(npm('pack', root, '--json', '--ignore-scripts')) as [
    { filename: string },
  ];
  const names = ['better-sqlite3', 'node-addon-api'];
  const local = Object.fromEntries(names.map((name) => [name, dependency(name)]));
  const dependencies = { ...local, turnpike: `file:${join(folder, packed.filename)}` };
  const overrides = Object.fromEntries(names.map((name) => [name, `$${name}`]));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ dependencies, overrides }));
  npm('install', '--ignore-scripts', '--offline');
  chmodSync(folder, 0o755);
});

test('the package holds the program, its licences and nothing of the repository', () => {
  expect(readdirSync(installed).sort()).toEqual(
    ['CHANGELOG.md', 'LICENSE', 'README.md', 'bin', 'dist', 'package.json'].sort(),
  );
  const files = readdirSync(join(installed, 'dist'));
  expect(files.filter((name) => name.startsWith('.'))).toEqual([]);
  expect(files).toEqual(expect.arrayContaining(['THIRD-PARTY-NOTICES.txt', 'sbom.cdx.json', 'ui']));
});

/** Who runs it in the image: not root, who may write anywhere. */
const user = process.getuid?.() === 0 ? 1000 : undefined;

/** A new folder of this user's. */
function ownFolder(name: string): string {
  const path = join(folder, name);
  mkdirSync(path, { mode: 0o700 });
  if (user !== undefined) chownSync(path, user, user);
  return path;
}

test('as in the image: not as root, the program read-only, its health check tells a gateway that runs', async () => {
  const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');
  const [, settings = ''] = /^ENV ((?:.+\\\n)*.+)$/m.exec(dockerfile) ?? [];
  const pairs = settings.split(/[\s\\]+/).map((pair) => pair.split('='));
  const variables = Object.fromEntries(pairs);
  const [, check = '[]'] = /HEALTHCHECK.*\n\s*CMD (\[.+\])$/m.exec(dockerfile) ?? [];
  const [, ...words] = JSON.parse(check) as string[];
  const isHealthy = (port: string) =>
    spawnSync(process.execPath, words, { env: { TURNPIKE_PORT: port } }).status === 0;

  const data = ownFolder('volume');
  chmodSync(folder, 0o555);
  execFileSync('chmod', ['-R', 'a-w', installed]);
  const inImage = { ...variables, TURNPIKE_PORT: '0', TURNPIKE_HOST: '127.0.0.1' };
  const { url, close } = await spawnGateway(
    inImage,
    data,
    join(installed, 'bin/turnpike.js'),
    user,
  );
  try {
    expect(isHealthy(new URL(url).port)).toBe(true);
  } finally {
    chmodSync(folder, 0o755);
    execFileSync('chmod', ['-R', 'u+w', installed]);
    await close();
  }
  expect(isHealthy(new URL(url).port)).toBe(false);
});

/** A command of the installed program, run by this user. Its output, which has to be JSON. */
function turnpike(words: readonly string[], input = ''): Record<string, never> {
  const output = execFileSync(
    process.execPath,
    [join(installed, 'bin/turnpike.js'), ...words, '--json'],
    {
      cwd: '/',
      encoding: 'utf8',
      env: { ...environment, HOME: join(folder, 'home') },
      input,
      ...(user !== undefined && { uid: user, gid: user }),
    },
  );
  return JSON.parse(output);
}
const serve = (data: string): Promise<SpawnedGateway> =>
  spawnGateway({}, data, join(installed, 'bin/turnpike.js'), user);

test('an ordinary user sets up a site, is answered through an SDK, and restores it elsewhere', async () => {
  ownFolder('home');
  const [data, second] = [ownFolder('first'), ownFolder('second')];
  const upstream = await startUpstream();
  const inSite = ['--data-dir', data];
  turnpike(['setup', '--username', 'root', '--password-stdin', ...inSite], 'a long password');
  const address = ['--type', 'openai', '--base-url', upstream.url, '--key-stdin'];
  const gateway = await serve(data);
  turnpike(
    ['channels', 'add', '--name', 'main', ...address, '--models', 'gpt-4o', ...inSite],
    'sk-upstream',
  );
  const { key } = turnpike(['tokens', 'add', '--name', 'app', '--unlimited', ...inSite]);
  const ask = async ({ url }: SpawnedGateway) => {
    const client = new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 });
    const { choices } = await client.chat.completions.create({
      model: 'gpt-4o',
      messages: [{ role: 'user', content: 'Hello' }],
    });
    return choices[0]?.message.content;
  };
  const usage = (dataDir: string) =>
    turnpike(['logs', 'list', '--type', 'usage', '--data-dir', dataDir])['total'];
  const verified = (dataDir: string) => turnpike(['ledger', 'verify', '--data-dir', dataDir])['ok'];
  try {
    expect(await ask(gateway)).toBe('Hello from upstream');
    const backup = join(folder, 'home', 'site.backup');
    turnpike(['backup', backup, '--with-keys', ...inSite]);
    await gateway.kill();
    turnpike(['restore', backup, '--data-dir', second]);
    const restored = await serve(second);
    expect(await ask(restored)).toBe('Hello from upstream');
    expect(usage(second)).toBe(2);
    expect(verified(second)).toBe(true);
    await restored.close();
    // And the first one, which was killed.
    const again = await serve(data);
    expect(await ask(again)).toBe('Hello from upstream');
    expect(verified(data)).toBe(true);
    await again.close();
  } finally {
    await gateway.kill();
    await upstream.close();
  }
});

test.each(releasedSites)(
  'the site of %s is upgraded by the installed program, and taken back',
  async (name) => {
    const data = ownFolder(`released-${name}`);
    const { config } = loadConfig({ flags: { 'data-dir': data }, environment: {}, cwd: data });
    const source = await openSource(siteFile(name));
    const now = Math.floor(Date.now() / 1000);
    await restoreSite({
      config,
      version: '0.0.0',
      now,
      name,
      force: false,
      migrates: false,
      source,
    });
    if (user !== undefined) execFileSync('chown', ['-R', `${user}:${user}`, data]);

    const inSite = ['--data-dir', data];
    const { executed } = turnpike(['upgrade', ...inSite]);
    expect(executed).not.toEqual([]);
    const gateway = await serve(data);
    expect((await fetch(`${gateway.url}/readyz`)).status).toBe(200);
    expect(turnpike(['ledger', 'verify', ...inSite])).toMatchObject({ ok: true });
    await gateway.kill();
    turnpike(['upgrade', '--back', '--yes', ...inSite]);
    expect(turnpike(['upgrade', ...inSite])).toMatchObject({ executed, drifts: 0 });
  },
);

test('its files are replaced while it runs: it goes on, ends properly, and the new ones take over', async () => {
  const data = ownFolder('replaced');
  const password = 'a long password';
  const inSite = ['--data-dir', data];
  turnpike(['setup', '--username', 'root', '--password-stdin', ...inSite], password);
  const gateway = await serve(data);
  const upstream = await startUpstream();
  const address = ['--type', 'openai', '--base-url', upstream.url, '--key', 'sk-upstream'];
  turnpike(['channels', 'add', '--name', 'main', ...address, '--models', 'gpt-4o', ...inSite]);
  const { key } = turnpike(['tokens', 'add', '--name', 'app', '--unlimited', ...inSite]);
  const statusOf = async (path: string, init?: RequestInit) =>
    (await fetch(`${gateway.url}${path}`, init)).status;
  const post = (path: string, body: object, headers = {}) =>
    statusOf(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const long = 'A word and another. '.repeat(4000); // counted by a thread
  const statuses = async () => [
    await post(
      '/v1/chat/completions',
      { model: 'gpt-4o', messages: [{ role: 'user', content: long }] },
      { authorization: `Bearer ${key}` },
    ),
    await post('/api/user/login', { username: 'root', password }),
    await statusOf('/readyz'),
    await statusOf('/api/status'),
    await statusOf('/'),
  ];
  try {
    rmSync(installed, { recursive: true });
    expect(await statuses()).toEqual([200, 200, 200, 200, 200]);
    npm('install', '--ignore-scripts', '--offline');
    expect(await statuses()).toEqual([200, 200, 200, 200, 200]);
    await gateway.stop();
    expect(await gateway.ended).toBe(0);
    const next = await serve(data);
    expect(turnpike(['ledger', 'verify', ...inSite])).toMatchObject({ ok: true });
    await next.close();
  } finally {
    await gateway.kill();
    await upstream.close();
  }
});

test('it starts without install scripts, is ready and shows its licences', async () => {
  const path = join(folder, 'node_modules', '.bin', 'turnpike');
  const { url, close } = await spawnGateway({}, join(folder, 'data'), path);
  try {
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    const notices = await fetch(`${url}/licenses`);
    expect(notices.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await notices.text()).toContain('@fontsource-variable/geist');
    const materials = await (await fetch(`${url}/licenses/sbom.cdx.json`)).json();
    expect(materials).toMatchObject({ bomFormat: 'CycloneDX' });
  } finally {
    await close();
  }
});
