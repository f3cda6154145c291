import { createHash } from 'node:crypto';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createExpressApp } from '../../src/server/express-app.ts';
import { keepAssets, keptAssets } from '../../src/server/kept-assets.ts';
import { createTestApp } from '../support/app.ts';
import { startTestServer } from './http.ts';

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const clean of cleanups.splice(0)) clean();
});

const builtPage =
  '<!doctype html><meta name="sources" /><link rel="icon" href="/assets/mark.svg" type="image/svg+xml" />' +
  '<title>Turnpike</title><script>theme()</script><script src="/assets/a-1.js"></script>';

async function serve(environment: Record<string, string> = {}): Promise<string> {
  return (await serveSite(environment)).url;
}

async function serveSite(environment: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'console-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), builtPage);
  writeFileSync(join(folder, 'assets', 'a-1.js'), 'console.log(1)');
  writeFileSync(join(folder, 'logo.png'), 'png');
  const { app, root } = await createTestApp(environment);
  const server = createServer(
    createExpressApp({ app, operatorKey: undefined, consoleFolder: folder }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true });
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { options } = app.site;
  const set = (key: string, value: string) => options.set(root, key, value);
  return { url, set, folder };
}

test('hashed assets are cached permanently, the page is fresh on every path, its own script allowed by hash', async () => {
  const url = await serve();
  const asset = await fetch(`${url}/assets/a-1.js`);
  expect(asset.headers.get('cache-control')).toBe('public,max-age=31536000,immutable');
  expect((await fetch(`${url}/logo.png`)).headers.get('content-type')).toBe('image/png');
  for (const path of ['/', '/login', '/channel?p=2', '/user/reset']) {
    const page = await fetch(url + path);
    expect([
      page.status,
      page.headers.get('cache-control'),
      page.headers.get('content-type'),
    ]).toEqual([200, 'no-cache', 'text/html; charset=utf-8']);
    expect(page.headers.get('content-security-policy')).toContain(
      `'sha256-${createHash('sha256').update('theme()').digest('base64')}'`,
    );
  }
  expect((await fetch(`${url}/assets/gone.js`)).status).toBe(404);
  expect((await fetch(`${url}/favicon.ico`)).status).toBe(404);
  expect((await fetch(`${url}/../index.html.bak`)).status).toBe(200);
});

test('the page bears the name and the logo of the site from its first byte, the newest ones', async () => {
  const { url, set } = await serveSite();
  const load = async () => {
    const reply = await fetch(`${url}/login`);
    const text = await reply.text();
    return {
      title: /<title>(.*?)<\/title>/.exec(text)?.[1],
      icon: /<link rel="icon" href="([^"]*)"/.exec(text)?.[1],
      markers: [reply.headers.get('cache-control'), reply.headers.get('etag')],
      policy: reply.headers.get('content-security-policy') ?? '',
      build: (await fetch(`${url}/api/status`)).headers.get('x-turnpike-build'),
      scripts: text.split('<script').length - 1,
    };
  };
  const before = await load();
  expect([before.title, before.icon]).toEqual(['New API', '/logo.png']);
  const hostile = `</title><script>alert("$&$1")</script>'&`;
  await set('SystemName', hostile);
  await set('Logo', 'https://pictures.example/a.png?x=1&y=2');
  const after = await load();
  expect(after).toEqual({
    ...before,
    title: `&lt;/title>&lt;script>alert(&quot;$&amp;$1&quot;)&lt;/script>'&amp;`,
    icon: 'https://pictures.example/a.png?x=1&amp;y=2',
    policy: expect.stringContaining("img-src 'self' data: blob: https://pictures.example"),
  });
  expect(after.markers).toEqual(['no-cache', null]);
  const digest = createHash('sha256').update('theme()').digest('base64');
  expect(after.policy).toContain(`'sha256-${digest}'`);
  await set('Logo', 'uploads/logo.png');
  await set('SystemName', ' ');
  const last = await load();
  // What has no name keeps that of the page; a picture in the option is not sent with each page.
  expect([last.title, last.icon]).toEqual(['Turnpike', '/uploads/logo.png']);
  await set('Logo', 'data:image/png;base64,AAAA');
  expect((await load()).icon).toBe('/assets/mark.svg');
});

test('pages are limited by address, assets are not', async () => {
  const url = await serve({ GLOBAL_WEB_RATE_LIMIT: '2' });
  const statuses = async (path: string) => [
    (await fetch(url + path)).status,
    (await fetch(url + path)).status,
    (await fetch(url + path)).status,
  ];
  expect(await statuses('/assets/a-1.js')).toEqual([200, 200, 200]);
  expect(await statuses('/login')).toEqual([200, 200, 429]);
});

test('an office behind one address can load pages: 600 in three minutes', async () => {
  const url = await serve();
  const statuses = new Set<number>();
  for (let page = 0; page < 600; page += 1) statuses.add((await fetch(`${url}/login`)).status);
  expect([...statuses]).toEqual([200]);
  expect((await fetch(`${url}/login`)).status).toBe(429);
});

test('files of the last two builds are served, those of older ones are removed', async () => {
  const data = mkdtempSync(join(tmpdir(), 'console-data-'));
  cleanups.push(() => rmSync(data, { recursive: true }));
  const built = join(data, 'built');
  for (const build of ['1', '2', '3', '4']) {
    rmSync(built, { recursive: true, force: true });
    mkdirSync(built);
    writeFileSync(join(built, `screen-${build}.js`), `build ${build}`);
    await keepAssets(built, join(data, 'console'), build);
    // The clock of the file system is too coarse for builds of the same moment.
    utimesSync(join(data, 'console', build), Number(build), Number(build));
  }
  // A copy that was interrupted.
  mkdirSync(join(data, 'console', '.unfinished'));
  expect(keptAssets(join(data, 'console'), '4')).toEqual(
    ['3', '2'].map((build) => join(data, 'console', build)),
  );
  const url = await serve({ TURNPIKE_DATA_DIR: data });
  const statusOf = async (build: string) =>
    (await fetch(`${url}/assets/screen-${build}.js`)).status;
  expect(await Promise.all(['1', '2', '3', '4'].map(statusOf))).toEqual([404, 404, 200, 200]);
});

test('a file that a build has removed under the running gateway comes from its copy, else it is 404', async () => {
  const data = mkdtempSync(join(tmpdir(), 'console-data-'));
  cleanups.push(() => rmSync(data, { recursive: true }));
  const { url, folder } = await serveSite({ TURNPIKE_DATA_DIR: data });
  const build = (await fetch(`${url}/api/status`)).headers.get('x-turnpike-build') ?? '';
  const asset = async () => {
    const reply = await fetch(`${url}/assets/a-1.js`);
    return [reply.status, (await reply.text()).includes('console.log(1)')];
  };
  mkdirSync(join(data, 'console'));
  cpSync(join(folder, 'assets'), join(data, 'kept'), { recursive: true });
  rmSync(join(folder, 'assets'), { recursive: true });
  expect(await asset()).toEqual([404, false]);
  renameSync(join(data, 'kept'), join(data, 'console', build));
  expect(await asset()).toEqual([200, true]);
});

test('replies of the API name the build of the console', async () => {
  const url = await serve();
  const build = (await fetch(`${url}/api/status`)).headers.get('x-turnpike-build');
  expect(build).toMatch(/^[0-9a-f]{12}$/);
});

test('without a built console the API works and the page says what to do', async () => {
  const { send } = await startTestServer();
  const reply = await send('GET', '/');
  expect([reply.status, reply.text]).toEqual([503, expect.stringContaining('npm run build')]);
});

test('SDKs with a wrong address get an error instead of the page', async () => {
  const url = await serve();
  const get = (path: string, accept: string) => fetch(url + path, { headers: { accept } });
  for (const path of ['/V1/models', '/v3/models', '/v1beta1/publishers', '/upload/v1beta/files']) {
    const reply = await get(path, '*/*');
    expect([path, reply.status]).toEqual([path, 404]);
    expect(await reply.json()).toMatchObject({ error: { message: `Invalid URL (GET ${path})` } });
  }
  const lacking = await get('/models', 'application/json');
  expect([lacking.status, await lacking.json()]).toMatchObject([
    404,
    { error: { message: 'Invalid URL (GET /models)' } },
  ]);
  for (const [path, accept] of [
    ['/models', '*/*'],
    ['/models', 'text/html,application/xhtml+xml,*/*;q=0.8'],
    ['/', 'application/json'],
  ] as const)
    expect((await get(path, accept)).headers.get('content-type')).toBe('text/html; charset=utf-8');
});
