/** Tags from their sources to log rows and sums (docs/rules/tags.md). */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { tagsOf } from '../../../../src/core/relay/charge/tags.ts';
import { SummedTags } from '../../../../src/core/relay/summed-tags.ts';
import { agentNamed } from '../../../../src/core/vocabulary/agents.ts';
import { isTag, mostSummedTags, mostTags } from '../../../../src/core/vocabulary/tags.ts';
import { startTestGateway, type TestGateway } from '../../../support/gateway.ts';
import { anyText, fc, runs } from '../../../support/property.ts';
import {
  chatReply,
  errorReply,
  sendJson,
  startUpstream,
  type TestUpstream,
} from '../../../support/upstream.ts';

let gateway: TestGateway;
let upstream: TestUpstream;
const model = 'gpt-test';

beforeAll(async () => {
  upstream = await startUpstream();
  gateway = await startTestGateway();
  await gateway.set('ModelRatio', { [model]: 1 });
  await gateway.set('ModelPrice', { suno_music: 0.01 });
  await gateway.set('RetryTimes', 0);
  await gateway.set('ErrorLogEnabled', true);
  await gateway.addChannel({ type: 1, baseUrl: upstream.url, models: model });
  await gateway.addChannel({ type: 36, baseUrl: upstream.url, models: 'suno_music' });
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});
beforeEach(() => {
  upstream.answer(chatReply());
  upstream.requests.length = 0;
});

const chat = { model, messages: [{ role: 'user', content: 'hello' }] };

function post(
  path: string,
  key: string,
  headers: Record<string, string> = {},
  body: object = chat,
): Promise<Response> {
  return fetch(gateway.url + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'accept-language': 'en',
      'content-type': 'application/json',
      ...headers,
    },
    body: JSON.stringify(body),
  });
}

/** Of requests. */
const rowsOf = async (filter: object) => {
  const { items } = await gateway.client.log.list({ p: 1, page_size: 50, ...filter });
  return items.filter(({ model_name: name }) => name !== '');
};
const tagsOfUser = async (username: string) => {
  const rows = await rowsOf({ username });
  return rows.map(({ tags }) => tags);
};

describe('the tags of a request', () => {
  /** A reply of Chat Completions and of Responses at once. */
  const reply = {
    id: 'r',
    object: 'response',
    status: 'completed',
    model,
    created_at: 1,
    output: [
      {
        type: 'message',
        id: 'm',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: 'hello', annotations: [] }],
      },
    ],
    choices: [
      { index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' },
    ],
    usage: {
      prompt_tokens: 5,
      completion_tokens: 5,
      input_tokens: 5,
      output_tokens: 5,
      total_tokens: 10,
    },
  };

  it.each([
    ['/v1/chat/completions', { ...chat, metadata: { team: 'blue', job: 'night' } }],
    ['/v1/responses', { model, input: 'hello', metadata: { team: 'blue', job: 'night' } }],
  ])('at %s are those of its header, its agent and its metadata', async (path, body) => {
    const { key, username } = await gateway.addCustomer(10_000_000);
    upstream.answer((response) => sendJson(response, 200, reply));
    const headers = { 'x-turnpike-tags': 'project:a, urgent', 'user-agent': 'claude-cli/2.1 (x)' };
    expect((await post(path, key, headers, body)).status).toBe(200);
    expect(await tagsOfUser(username)).toEqual([
      'project:a,urgent,agent:claude-code,team:blue,job:night',
    ]);
  });

  it('at Anthropic’s path are its user id, where it is a tag, which a session of an agent is not', async () => {
    const { key, username } = await gateway.addCustomer(10_000_000);
    const send = (user_id: string) =>
      post('/v1/messages', key, {}, { ...chat, max_tokens: 5, metadata: { user_id } });
    expect((await send('customer-7')).status).toBe(200);
    expect((await send(`user_${'a'.repeat(64)}_account__session_b`)).status).toBe(200);
    expect((await send('{"device_id":"d","session_id":"s"}')).status).toBe(200);
    expect((await tagsOfUser(username)).toSorted()).toEqual(['', '', 'user_id:customer-7']);
  });

  it('are on the row of a task and of a request that failed', async () => {
    const { key, username } = await gateway.addCustomer(10_000_000);
    const headers = { 'x-turnpike-tags': 'film' };
    upstream.answer(errorReply(500, { message: 'broken' }));
    const body = { ...chat, metadata: { team: 'blue' } };
    expect((await post('/v1/chat/completions', key, headers, body)).ok).toBe(false);
    expect(await expectRows(username)).toEqual(['film,team:blue']);
    upstream.answer((response) => sendJson(response, 200, { code: 'success', data: 'task-1' }));
    expect((await post('/suno/submit/music', key, headers, { prompt: 'a song' })).status).toBe(200);
    expect((await tagsOfUser(username)).toSorted()).toEqual(['film', 'film,team:blue']);
  });

  /** Rows of failures are written after the reply. */
  async function expectRows(username: string): Promise<readonly string[]> {
    await expect.poll(() => tagsOfUser(username)).toHaveLength(1);
    return tagsOfUser(username);
  }

  it.each([
    ['/v1/chat/completions', chat, { error: { code: 'tags_invalid' } }],
    ['/v1/messages', { ...chat, max_tokens: 5 }, { type: 'error' }],
  ])('that are wrong in the header are refused at %s, in its words', async (path, body, form) => {
    const { key } = await gateway.addCustomer(10_000_000);
    const wrong = ['a'.repeat(65), 'two words;', '<script>', '%zz', '%2C', '🙂'];
    const many = Array.from({ length: mostTags + 1 }, (_, index) => `t${index}`).join(',');
    const bytes = wrong.map((text) => Buffer.from(text).toString('latin1'));
    for (const tags of [...bytes, '\xff', many]) {
      const reply = await post(path, key, { 'x-turnpike-tags': tags }, body);
      expect({ tags, status: reply.status }).toEqual({ tags, status: 400 });
      const text = await reply.text();
      expect(JSON.parse(text)).toMatchObject(form);
      expect(text).toContain('x-turnpike-tags');
    }
    expect(upstream.requests).toEqual([]);
  });

  it('may have letters of any script, as UTF-8 or percent-encoded', async () => {
    const { key, username } = await gateway.addCustomer(10_000_000);
    const headers = {
      'x-turnpike-tags': `${Buffer.from('项目:甲').toString('latin1')},${encodeURIComponent('Größe 4')}`,
    };
    expect((await post('/v1/chat/completions', key, headers)).status).toBe(200);
    expect(await tagsOfUser(username)).toEqual(['项目:甲,Größe 4']);
  });

  it('do not reach the vendor by their header', async () => {
    const { key } = await gateway.addCustomer(10_000_000);
    await post('/v1/chat/completions', key, { 'x-turnpike-tags': 'a' });
    expect(JSON.stringify(upstream.requests.map(({ headers }) => headers))).not.toContain('tags');
  });

  it('are at most ten whatever is sent, and each is one', () => {
    const text = anyText(80);
    const metadata = fc.dictionary(text, fc.oneof(text, fc.nat(), fc.constant(null)));
    fc.assert(
      fc.property(metadata, text, (value, agent) => {
        const body = { has: () => true, get: () => value };
        const headers = { 'user-agent': agent, 'x-turnpike-tags': 'a,b' };
        const tags = tagsOf({ request: { headers } } as never, body as never);
        expect(tags.slice(0, 2)).toEqual(['a', 'b']);
        expect(tags.length).toBeLessThanOrEqual(mostTags);
        for (const tag of tags) expect(isTag(tag) && !tag.includes(',')).toBe(true);
      }),
      runs(200),
    );
  });

  it('are none where there is nothing: the same empty list, made once', () => {
    const request = { headers: { 'user-agent': 'OpenAI/Python 1.0' } };
    const body = { has: () => false, get: () => undefined };
    expect(tagsOf({ request } as never, body)).toBe(tagsOf({ request } as never));
    expect(agentNamed('codex_exec/0.169.0 (Linux)')).toBe('codex');
    expect(agentNamed('/')).toBeUndefined();
  });
});

describe('usage by tag', () => {
  it('is filtered in the log, exactly, for administrators and for oneself', async () => {
    const { key, username } = await gateway.addCustomer(10_000_000);
    for (const tags of ['x%,y', 'X%25', 'x', '', 'xy'])
      await post('/v1/chat/completions', key, { 'x-turnpike-tags': tags.replace('%,', '_,') });
    const tagsWith = async (tag: string) =>
      (await rowsOf({ username, tag })).map((row) => row.tags);
    expect(await tagsWith('x')).toEqual(['x']);
    expect(await tagsWith('y')).toEqual(['x_,y']);
    expect(await tagsWith('%')).toEqual([]);
    expect(await tagsWith('x_')).toEqual(['x_,y']);
    expect(await gateway.client.log.stat({ username, tag: 'x' })).toMatchObject({
      quota: (await rowsOf({ username, tag: 'x' }))[0]?.quota,
    });
  });

  it('adds up by day for each tag, beside all usage; the file has the same', async () => {
    const { key, username } = await gateway.addCustomer(10_000_000);
    for (const tags of ['team:red,job', 'team:blue', 'team:red', ''])
      await post('/v1/chat/completions', key, { 'x-turnpike-tags': tags });
    const rows = await rowsOf({ username });
    const each = rows[0]?.quota ?? 0;
    const input = { username, by: 'day' as const, zone: 'UTC' };
    const usage = await gateway.client.data.tags(input);
    expect(usage.totals).toMatchObject({ count: 4, quota: 4 * each });
    expect(usage.tags.map(({ tag, count, quota }) => [tag, count, quota])).toEqual([
      ['team:red', 2, 2 * each],
      ['job', 1, each],
      ['team:blue', 1, each],
    ]);
    for (const { spans, quota } of usage.tags)
      expect(spans.quota.reduce((sum, value) => sum + value, 0)).toBe(quota);
    const teams = await gateway.client.data.tags({ ...input, begins: 'team:' });
    expect(teams.tags.map(({ tag }) => tag)).toEqual(['team:red', 'team:blue']);
  });

  it('keeps the first tags of a user apart, and sums the others as one', () => {
    const summed = new SummedTags();
    const many = Array.from({ length: mostSummedTags.perUser }, (_, index) => `t${index}`);
    expect(summed.of(1, 0, many)).toBe(many);
    expect(summed.of(1, 0, ['t1', 'new', 'newer'])).toEqual(['t1', '']);
    expect(summed.of(2, 0, ['new'])).toEqual(['new']);
    // The next hour begins anew; a charge of the hour before does not take it back.
    expect(summed.of(1, 3600, ['new'])).toEqual(['new']);
    expect(summed.of(1, 0, ['t1'])).toEqual(['t1']);
  });
});
