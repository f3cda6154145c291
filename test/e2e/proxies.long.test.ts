/** The examples of docs/operate.md#reverse-proxies, with the real servers. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type CallBench, startCallBench, startQuota } from '../support/calls.ts';
import { makeCertificate } from '../support/certificate.ts';
import { freePort } from '../support/postgres.ts';
import { openSocket } from '../support/socket-client.ts';
import { hasTool } from '../support/tools.ts';
import { chatStream } from '../support/upstream.ts';

const folder = mkdtempSync(join(tmpdir(), 'turnpike-proxy-'));
const operate = readFileSync(join(import.meta.dirname, '../../docs/operate.md'), 'utf8');
const certificate = makeCertificate();
const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
let bench: CallBench;
let proxy: ChildProcess | undefined;
let url: string;

beforeAll(async () => {
  writeFileSync(files.cert, certificate.cert);
  writeFileSync(files.key, certificate.key);
  bench = await startCallBench('gpt-4o', { TRUSTED_PROXIES: 'private' });
});
afterEach(async () => {
  const running = proxy;
  proxy = undefined;
  if (running === undefined || running.exitCode !== null) return;
  const ended = once(running, 'exit');
  running.kill('SIGTERM');
  await ended;
});
afterAll(async () => {
  await bench.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The documented example for this gateway, at a port of this test and with its certificate. */
function example(language: string): string {
  const [, text = ''] = new RegExp(`\`\`\`${language}\\n([^]+?)\`\`\``).exec(operate) ?? [];
  expect(text).toContain('127.0.0.1:3000');
  return text.replace('127.0.0.1:3000', new URL(bench.gateway.url).host);
}

async function start(program: string, words: readonly string[]): Promise<void> {
  const PATH = [process.env['PATH'], '/usr/sbin'].join(delimiter);
  const env = { ...process.env, PATH, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const child = spawn(program, words, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  proxy = child;
  let printed = '';
  child.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString('utf8')));
  await expect
    .poll(async () => {
      if (child.exitCode !== null) throw new Error(`${program} ended:\n${printed}`);
      return get('/readyz').then(({ status }) => status, String);
    })
    .toBe(200);
}

const proxies = {
  nginx: async (port: number) => {
    const server = example('nginx')
      .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
      .replace('/etc/ssl/gate.example.org.pem', files.cert)
      .replace('/etc/ssl/gate.example.org.key', files.key);
    const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    );
    const config = `pid ${folder}/nginx.pid; error_log stderr; events {}
      http { access_log off; ${places.join(' ')} ${server} }`;
    writeFileSync(join(folder, 'nginx.conf'), config);
    await start('nginx', ['-c', join(folder, 'nginx.conf'), '-g', 'daemon off;']);
  },
  caddy: async (port: number) => {
    const site = example('caddyfile').replace(
      'gate.example.org {',
      `https://127.0.0.1:${port} {\n\tbind 127.0.0.1\n\ttls ${files.cert} ${files.key}`,
    );
    const config = `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${site}`;
    writeFileSync(join(folder, 'Caddyfile'), config);
    await start('caddy', ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile']);
  },
} as const;

/** A GET through the proxy from one of this machine's addresses. */
function get(path: string, key = '', localAddress = '127.0.0.1'): Promise<{ status: number }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number }>();
  const headers = {
    authorization: `Bearer ${key}`,
    // What a caller claims is not believed.
    'x-forwarded-for': '127.0.0.9',
  };
  request(url + path, { headers, localAddress, ca: certificate.cert }, (response) => {
    response.resume();
    resolve({ status: response.statusCode ?? 0 });
  })
    .on('error', reject)
    .end();
  return promise;
}

describe.each(['nginx', 'caddy'] as const)('%s', (name) => {
  test.skipIf(!hasTool(name))('streams, passes WebSockets and says who calls', async () => {
    const port = await freePort();
    url = `https://127.0.0.1:${port}`;
    await proxies[name](port);

    const { key } = await bench.gateway.addCustomer(startQuota);
    const left = bench.upstream.aborted;
    // The upstream sends one word and no more: it arrives before the answer ends.
    bench.upstream.answer(chatStream(['first '], null, { end: 'hang' }));
    const asked = request(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ca: certificate.cert,
    });
    asked.end(
      JSON.stringify({
        model: 'gpt-4o',
        stream: true,
        messages: [{ role: 'user', content: 'hi' }],
      }),
    );
    const [response] = (await once(asked, 'response')) as [AsyncIterable<Buffer>];
    let streamed = '';
    for await (const piece of response) {
      streamed += piece.toString('utf8');
      if (streamed.includes('first ')) break;
    }
    expect(streamed).toContain('first ');
    // The client has left: the upstream's work is not paid for any longer.
    await expect.poll(() => bench.upstream.aborted).toBe(left + 1);

    const client = await openSocket(`${url.replace('https', 'wss')}/v1/responses`, {
      headers: { authorization: `Bearer ${key}` },
      ca: certificate.cert,
    });
    client.send({ type: 'unheard.of' });
    expect(await client.next()).toMatchObject({ type: 'error' });
    client.socket.close();

    const bound = await bench.gateway.addCustomer(startQuota, { allow_ips: '127.0.0.2' });
    expect(await get('/v1/models', bound.key, '127.0.0.2')).toEqual({ status: 200 });
    expect(await get('/v1/models', bound.key, '127.0.0.3')).toEqual({ status: 403 });
    expect(await get('/v1/models', bound.key, '127.0.0.9')).toEqual({ status: 403 });
  });
});
