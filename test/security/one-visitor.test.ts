/**
 * One visitor does not stop the gateway (docs/security.md#one-visitor): bodies are bounded before
 * they are parsed, and time is rationed.
 */
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it, test } from 'vitest';
import type { Endpoint } from '../../src/core/contract/endpoint.ts';
import { api } from '../../src/core/contract/index.ts';
import { exceedsJson } from '../../src/core/kernel/json-size.ts';
import { startTestServer, type TestServer } from '../server/http.ts';

const withBody = (Object.values(api) as Record<string, Endpoint>[])
  .flatMap((group) => Object.values(group))
  .filter(
    ({ method, changes, upload }) => (method !== 'GET' || changes === true) && upload === undefined,
  );
/** Those that visitors may make are bounded; all others are refused before anything is read. */
const callsOf = (access: 'visitor' | 'others') =>
  withBody.filter((call) => (call.access === 'visitor') === (access === 'visitor'));
const methodOf = ({ method }: Endpoint) => (method === 'GET' ? 'POST' : method);
const pathOf = ({ path }: Endpoint) => path.replaceAll(/[:*]\w+/g, '1');

const compressors = {
  gzip: gzipSync,
  deflate: deflateSync,
  br: brotliCompressSync,
  zstd: zstdCompressSync,
};
const fields = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]));
const nested = (depth: number) => `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`;
const bodies = {
  'a body of 65 KB': {
    body: JSON.stringify({ text: 'x'.repeat(65 * 1024) }),
    status: 413,
    code: 'request_too_large',
  },
  '1,100 values': { body: JSON.stringify(fields(1100)), status: 400, code: 'request_too_complex' },
  '17 lists within each other': { body: nested(17), status: 400, code: 'request_too_complex' },
  'nesting without end': {
    body: `{"a":${'['.repeat(30_000)}`,
    status: 400,
    code: 'request_too_complex',
  },
} as const;

describe('a caller without a session', () => {
  it('the calls that visitors make are known', () => {
    expect(callsOf('visitor').length).toBeGreaterThan(10);
    expect(callsOf('visitor').map(({ path }) => path)).toContain('/api/model_list');
  });

  test.each(Object.entries(bodies))(
    'cannot send %s to any call',
    async (_, { body, status, code }) => {
      const { send } = await startTestServer();
      for (const call of callsOf('visitor')) {
        const reply = await send(methodOf(call), pathOf(call), { body });
        const reason =
          (call.shape ?? 'data') === 'code' ? reply.json['reason'] : reply.json['code'];
        expect([call.path, reply.status, reason]).toEqual([call.path, status, code]);
      }
    },
  );

  it('nor in a form that unpacks to it', async () => {
    const { url } = await startTestServer();
    const send = async (text: string) => {
      const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
      return (
        await fetch(`${url}/api/model_list`, { method: 'POST', headers, body: gzipSync(text) })
      ).status;
    };
    expect(await send(bodies['a body of 65 KB'].body)).toBe(413);
    expect(await send(bodies['1,100 values'].body)).toBe(400);
    expect(await send('{"model":["a"]}')).toBe(200);
  });

  it.each(['gzip', 'deflate', 'br', 'zstd'])(
    'gets 400 for a body that is no %s, or breaks off',
    async (encoding) => {
      const { url } = await startTestServer();
      const send = async (body: Buffer) => {
        const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
        const reply = await fetch(`${url}/api/model_list`, {
          method: 'POST',
          headers,
          body: new Uint8Array(body),
        });
        return { status: reply.status, ...((await reply.json()) as object) };
      };
      const expected = { status: 400, success: false };
      expect(await send(Buffer.from('no such encoding at all'))).toMatchObject(expected);
      const whole = compressors[encoding as keyof typeof compressors](
        `{"model":["${'a'.repeat(2000)}"]}`,
      );
      expect(await send(whole.subarray(0, whole.length - 4))).toMatchObject(expected);
    },
  );

  it('is refused by all other calls before anything of a body is read', async () => {
    const { send } = await startTestServer();
    for (const call of callsOf('others')) {
      const reply = await send(methodOf(call), pathOf(call), { body: 'no JSON' });
      const code = call.shape === 'code' ? reply.json['reason'] : reply.json['code'];
      expect([call.path, reply.status, code]).toEqual([call.path, 401, 'not_signed_in']);
    }
  });

  it('may send what the forms send', async () => {
    const { send } = await startTestServer();
    const filter = {
      model: 'a,'.repeat(5000),
      tags: Array.from({ length: 500 }, (_, index) => `tag ${index}`),
    };
    expect((await send('POST', '/api/model_list', { body: filter })).status).toBe(200);
  });
});

describe('a signed-in caller', () => {
  it('may send much more, but not without bounds either', async () => {
    const { send, signIn } = await startTestServer();
    const headers = await signIn('root');
    const save = (body: unknown) => send('PUT', '/api/user/self', { headers, body });
    expect((await save({ display_name: 'Root', ...fields(50_000) })).json['success']).toBe(true);
    expect(await save(fields(60_000))).toMatchObject({
      status: 400,
      json: { code: 'request_too_complex' },
    });
    expect(await save(nested(65))).toMatchObject({
      status: 400,
      json: { code: 'request_too_complex' },
    });
    expect(await save({ text: 'x'.repeat(1024 * 1024) })).toMatchObject({ status: 413 });
  });

  it('has the rights of a visitor with a session that is over', async () => {
    const { send } = await startTestServer();
    const headers = { cookie: 'session=over', 'new-api-user': '1' };
    expect((await send('POST', '/api/model_list', { headers, body: fields(1100) })).status).toBe(
      400,
    );
  });
});

test.each([
  ['{"a":"[[[[{{{{,,,,,,\\",,,[["}', { values: 2, depth: 1 }, false],
  ['["a","b","c"]', { values: 2, depth: 9 }, true],
  ['["a","b","c"]', { values: 3, depth: 9 }, false],
  ['[[[]]]', { values: 9, depth: 2 }, true],
  ['[[],[],[]]', { values: 9, depth: 2 }, false],
  ['{"a\\\\":1,"b":[1]}', { values: 3, depth: 2 }, false],
  ['"text', { values: 0, depth: 0 }, false],
])('%s is measured without a parse', (text, limits, exceeds) => {
  expect(exceedsJson(Buffer.from(text), limits)).toBe(exceeds);
});

describe('the time of the main thread', () => {
  /** Each piece of work that is measured takes 50 ms. */
  const slowServer = async (environment: Record<string, string> = {}): Promise<TestServer> => {
    let time = 0;
    const threadTime = () => {
      time += 50;
      return time;
    };
    const limits = {
      GLOBAL_API_RATE_LIMIT_ENABLE: 'true',
      GLOBAL_API_RATE_LIMIT: '100000',
      TRUSTED_PROXIES: 'private',
    };
    return startTestServer({ ...limits, ...environment }, true, threadTime);
  };
  const from = (address: string) => ({ 'x-forwarded-for': address });
  /** Calls until one is refused, 200 at most. */
  const useUp = async (
    { send }: TestServer,
    headers: Record<string, string>,
    path = '/api/notice',
  ) => {
    for (let count = 1; count <= 200; count++) {
      const reply = await send('GET', path, { headers });
      if (reply.status === 429) return { count, reply };
    }
    throw new Error('nothing was refused');
  };

  it('is rationed by address: others are answered, and it comes back', async () => {
    const server = await slowServer();
    const { reply, count } = await useUp(server, from('192.0.2.1'));
    expect(count).toBeLessThanOrEqual(41);
    expect(reply.json).toMatchObject({ success: false, code: 'rate_limited' });
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    const status = async (address: string) =>
      (await server.send('GET', '/api/status', { headers: from(address) })).status;
    expect([await status('192.0.2.1'), await status('192.0.2.2')]).toEqual([429, 200]);
    server.clock.move(Number(reply.headers.get('retry-after')) * 1000);
    expect(await status('192.0.2.1')).toBe(200);
    expect((await useUp(server, from('192.0.2.1'))).count).toBeLessThan(5);
  });

  it('IPv6 counts by /64', async () => {
    const server = await slowServer();
    await useUp(server, from('2001:db8:1:2:aaaa::1'));
    const status = async (address: string) =>
      (await server.send('GET', '/api/notice', { headers: from(address) })).status;
    expect([await status('2001:db8:1:2:bbbb:0:0:9'), await status('2001:db8:1:3::1')]).toEqual([
      429, 200,
    ]);
  });

  it('is rationed by account, from wherever it calls; the operator is not counted', async () => {
    const server = await slowServer();
    const root = await server.signIn('root');
    let refused = 0;
    for (let count = 1; count <= 60; count++) {
      const { status } = await server.send('GET', '/api/user/self', {
        headers: { ...root, ...from(`198.51.100.${count}`) },
      });
      if (status === 429) refused += 1;
    }
    expect(refused).toBeGreaterThan(10);
    const operator = { authorization: `Bearer ${server.operatorKey}` };
    for (let count = 1; count <= 60; count++)
      expect((await server.send('GET', '/api/user/self', { headers: operator })).status).toBe(200);
  });

  it('counts bodies that are refused, too', async () => {
    const server = await slowServer();
    const statuses: number[] = [];
    for (let count = 1; count <= 60; count++)
      statuses.push(
        (
          await server.send('POST', '/api/model_list', {
            body: fields(1100),
            headers: from('192.0.2.9'),
          })
        ).status,
      );
    expect(statuses[0]).toBe(400);
    expect(statuses.at(-1)).toBe(429);
  });

  it('has no limit where calls have none', async () => {
    const server = await slowServer({ GLOBAL_API_RATE_LIMIT_ENABLE: 'false' });
    await expect(useUp(server, from('192.0.2.1'))).rejects.toThrow('nothing was refused');
  });
});

it('eight bodies a second of 90,000 keys are refused, and others are answered meanwhile', async () => {
  const { send } = await startTestServer({
    GLOBAL_API_RATE_LIMIT_ENABLE: 'true',
    TRUSTED_PROXIES: 'private',
  });
  const body = JSON.stringify(fields(90_000));
  const attack = await Promise.all(
    Array.from({ length: 24 }, () =>
      send('POST', '/api/model_list', { body, headers: { 'x-forwarded-for': '192.0.2.1' } }),
    ),
  );
  expect(attack.filter(({ status }) => status !== 413 && status !== 429)).toEqual([]);
  const other = await send('GET', '/api/status', { headers: { 'x-forwarded-for': '192.0.2.2' } });
  expect(other.json['success']).toBe(true);
});
