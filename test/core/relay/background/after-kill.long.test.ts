/**
 * A background response whose gateway was killed has failed, and its hold is returned
 * (docs/rules/responses.md#background).
 */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { operatorOf, type SpawnedGateway, spawnGateway } from '../../../support/spawned-gateway.ts';
import { startUpstream, type TestUpstream } from '../../../support/upstream.ts';

/** On a busy machine, too. */
const eventually = <T>(look: () => T | Promise<T>) => vi.waitFor(look);

let upstream: TestUpstream;
beforeAll(async () => {
  upstream = await startUpstream();
});
afterAll(() => upstream.close());

async function setUp(gateway: SpawnedGateway): Promise<string> {
  const operator = operatorOf(gateway);
  const password = 'a long password';
  await operator.system.setup({
    username: 'root',
    password,
    confirmPassword: password,
    setup_token: 'TESTAB',
    SiteLanguage: 'zh',
  });
  const channel = { name: 'up', type: 1, key: 'k', base_url: upstream.url, models: 'gpt-4o' };
  await operator.channel.create(channel);
  const { key } = await operator.userTokens.create({
    name: 'test',
    unlimited_quota: true,
    user: 'root',
  });
  return `sk-${key}`;
}

test('kill -9: it has failed after the restart, its stream ends, and nothing was charged', async () => {
  upstream.answer(() => undefined);
  let gateway = await spawnGateway({});
  const { dataDir } = gateway;
  try {
    const key = await setUp(gateway);
    const quota = async () => (await operatorOf(gateway).user.list({})).items[0]?.quota;
    const before = await quota();
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const begun = await fetch(`${gateway.url}/v1/responses`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ model: 'gpt-4o', input: 'Hi', background: true, stream: true }),
    });
    const reader = begun.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!text.includes('response.queued')) text += (await reader?.read())?.value ?? '';
    const id = /"id":"(resp_\w+)"/.exec(text)?.[1] ?? '';
    await eventually(() => expect(upstream.requests).toHaveLength(1));
    await gateway.kill();
    gateway = await spawnGateway({}, dataDir);
    const read = (query: string) => fetch(`${gateway.url}/v1/responses/${id}${query}`, { headers });
    expect(await (await read('')).json()).toMatchObject({
      id,
      status: 'failed',
      background: true,
      error: { code: 'server_error' },
    });
    const events = await (await read('?stream=true&starting_after=1')).text();
    expect(events).toContain('event: response.failed');
    expect(await quota()).toBe(before);
  } finally {
    await gateway.close();
  }
});
