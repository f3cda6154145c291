/** Conversations on their channel, seen from outside. */
import { describe, expect, test } from 'vitest';
import { createLocalTransport } from '../../../../src/server/local-client.ts';
import { runCli } from '../../../cli/run-cli.ts';
import {
  type Answer,
  errorReply,
  messagesReply,
  type TestUpstream,
} from '../../../support/upstream.ts';
import { fine, startRelay, upstream } from './relay-support.ts';

const models = 'gpt-4o,gpt-4o-mini';

/**
 * Four channels of one tier: staying on one of them by chance twenty times is as good as
 * impossible.
 */
async function fourChannels(
  options: Record<string, string | number | boolean> = {},
  environment: Record<string, string> = {},
) {
  const relay = await startRelay({ RetryTimes: 1, ...options }, environment);
  const upstreams: TestUpstream[] = [];
  const ids: number[] = [];
  for (let index = 0; index < 4; index++) {
    const one = await upstream();
    upstreams.push(one);
    ids.push(await relay.addChannel(one, { models }));
  }
  const counts = () => upstreams.map(({ requests }) => requests.length);
  /** Index of the upstream that receives the next request. */
  const ask = async (
    fields: Record<string, unknown> = {},
    headers: Record<string, string> = {},
  ) => {
    const before = counts();
    expect((await relay.chat(fields, headers)).status).toBe(200);
    const after = counts();
    return after.findIndex((count, index) => count > (before[index] ?? 0));
  };
  const places = async (times: number, ...call: Parameters<typeof ask>) => {
    const found = new Set<number>();
    for (let index = 0; index < times; index++) found.add(await ask(...call));
    return found;
  };
  return { relay, upstreams, ids, ask, places };
}

describe('a conversation', () => {
  test('stays on its channel, others are drawn as ever', async () => {
    const { relay, ids, ask, places } = await fourChannels();
    const place = await ask({ prompt_cache_key: 'a' });
    expect(await places(20, { prompt_cache_key: 'a' })).toEqual(new Set([place]));
    expect(await relay.route()).toMatchObject([
      { channel: ids[place], reason: 'affinity', candidates: ids },
    ]);
    expect((await places(40)).size).toBeGreaterThan(1);
    const session = { 'x-claude-code-session-id': 'b' };
    const other = await ask({}, session);
    expect(await places(10, {}, session)).toEqual(new Set([other]));
  });

  test('does not stay on a channel that has become slow, and what it costs to move is measured', async () => {
    const metrics = { METRICS_TOKEN: 'a-token-of-metrics-0123456789abcdef' };
    const { relay, upstreams, ids, ask, places } = await fourChannels({}, metrics);
    const call = { prompt_cache_key: 'a', stream: true };
    const place = await ask(call);
    const late: Answer = (response, request) => {
      relay.clock.move(16_000);
      return fine(response, request);
    };
    // One late word, and one in time: it stays.
    for (const answer of [late, fine, late]) {
      upstreams[place]?.answer(answer);
      expect(await ask(call)).toBe(place);
    }
    upstreams[place]?.answer(late);
    expect(await ask(call)).toBe(place);
    const moved = await ask(call);
    expect(moved).not.toBe(place);
    expect(await relay.route()).toMatchObject([{ channel: ids[moved], moved: true }]);
    expect(await places(5, call)).toEqual(new Set([moved]));
    const text = relay.app.metrics.render?.() ?? '';
    expect(text).toContain('turnpike_conversation_turns_total{affinity="kept"} 9');
    expect(text).toContain('turnpike_conversation_turns_total{affinity="moved"} 1');
    expect(text).toContain(
      'turnpike_conversation_tokens_total{affinity="moved",kind="cached"} 400',
    );

    // The command reads the same from the rows.
    const transport = createLocalTransport(relay.app, undefined, 'en');
    const run = (line: string) =>
      runCli(['logs', 'conversations', ...line.split(' ')], { transport });
    const { json, stdout } = await run('--json');
    const turn = { prompt: 1000, cached: 400 };
    const times = (requests: number) => ({
      requests,
      prompt: requests * turn.prompt,
      cached: requests * turn.cached,
    });
    expect(json(), stdout).toEqual({
      rows: 11,
      since: expect.any(Number),
      kept: times(9),
      moved: times(1),
      other: times(1),
    });
    expect((await run('--lang en')).stdout).toMatch(/kept channel and key +9 +9000 +3600 +40\.0%/);
    expect((await run('--lang zh')).stdout).toMatch(/换到其他渠道或密钥 +1 +1000 +400 +40\.0%/);
    // The newest rows only, and those that a filter selects.
    expect((await run('--rows 3 --json')).json()).toMatchObject({
      rows: 3,
      kept: { requests: 3 },
      moved: { requests: 0 },
    });
    const none = (await run('--model nothing --json')).json();
    expect(none).toMatchObject({ rows: 0, since: null, other: { requests: 0 } });
    expect((await run('--rows 0')).exitCode).toBe(2);
  });

  test('stays on a slow channel where there is no other', async () => {
    const { relay, upstreams, ids, ask } = await fourChannels();
    const call = { prompt_cache_key: 'a', stream: true };
    const place = await ask(call);
    for (const id of ids) if (id !== ids[place]) await relay.operator.channel.remove({ id });
    upstreams[place]?.answer((response, request) => {
      relay.clock.move(16_000);
      return fine(response, request);
    });
    for (let turn = 0; turn < 3; turn += 1) expect(await ask(call)).toBe(place);
  });

  test('uses the same channel with a model of the same family', async () => {
    const { ask, places } = await fourChannels();
    const place = await ask({ prompt_cache_key: 'a' });
    expect(await places(10, { prompt_cache_key: 'a', model: 'gpt-4o-mini' })).toEqual(
      new Set([place]),
    );
  });

  test('moves when its channel fails, and stays where it was served', async () => {
    const { upstreams, ask, places } = await fourChannels();
    const place = await ask({ prompt_cache_key: 'a' });
    upstreams[place]?.answer(errorReply(500, { message: 'boom' }), fine);
    await ask({ prompt_cache_key: 'a' });
    const after = await places(20, { prompt_cache_key: 'a' });
    expect([after.size, after.has(place)]).toEqual([1, false]);
  });

  test('returns to its channel when switching on success is off', async () => {
    const { upstreams, ask, places } = await fourChannels({
      'channel_affinity_setting.switch_on_success': false,
    });
    const place = await ask({ prompt_cache_key: 'a' });
    upstreams[place]?.answer(errorReply(500, { message: 'boom' }), fine);
    await ask({ prompt_cache_key: 'a' });
    expect(await places(10, { prompt_cache_key: 'a' })).toEqual(new Set([place]));
  });

  test('leaves a channel that was switched off or no longer has the model', async () => {
    const { relay, ids, ask, places } = await fourChannels();
    const place = await ask({ prompt_cache_key: 'a' });
    await relay.operator.channel.update({ id: ids[place] ?? 0, status: 2 });
    const next = await ask({ prompt_cache_key: 'a' });
    expect(next).not.toBe(place);
    await relay.operator.channel.update({ id: ids[next] ?? 0, models: 'gpt-4o-mini' });
    const last = await ask({ prompt_cache_key: 'a' });
    expect([place, next]).not.toContain(last);
    expect(await places(10, { prompt_cache_key: 'a' })).toEqual(new Set([last]));
  });

  test('is forgotten after its time', async () => {
    const { relay, ask, places } = await fourChannels({
      'channel_affinity_setting.default_ttl_seconds': 60,
    });
    await ask({ prompt_cache_key: 'a' });
    relay.clock.move(60_000);
    await ask({ prompt_cache_key: 'a' });
    expect(await relay.route()).toMatchObject([{ reason: 'weight' }]);
    relay.clock.move(59_000);
    expect((await places(5, { prompt_cache_key: 'a' })).size).toBe(1);
  });

  test('is kept per user, and not at all when the option is off', async () => {
    const { relay, places } = await fourChannels({ 'channel_affinity_setting.enabled': false });
    expect((await places(40, { prompt_cache_key: 'a' })).size).toBeGreaterThan(1);
    expect(await relay.route()).toMatchObject([{ reason: 'weight' }]);
  });
});

test('Claude Code keeps its channel by the session inside metadata.user_id', async () => {
  const relay = await startRelay();
  const upstreams = [await upstream(), await upstream(), await upstream()];
  for (const one of upstreams) {
    one.answer(messagesReply());
    await relay.addChannel(one, { type: 14, models: 'claude-3-5-sonnet-20241022' });
  }
  for (let index = 0; index < 12; index++) {
    const metadata = {
      user_id: JSON.stringify({ device_id: `d${index}`, account_uuid: '', session_id: 's' }),
    };
    const body = {
      model: 'claude-3-5-sonnet-20241022',
      max_tokens: 9,
      messages: [{ role: 'user', content: 'Hello' }],
      metadata,
    };
    expect((await relay.post('/v1/messages', body)).status).toBe(200);
  }
  expect(upstreams.map(({ requests }) => requests.length).sort((a, b) => b - a)).toEqual([
    12, 0, 0,
  ]);
});

describe('a conversation without an id', () => {
  const turns = (count: number, question = 'Hi') =>
    Array.from({ length: 2 * count - 1 }, (_, index) => ({
      role: index % 2 === 0 ? 'user' : 'assistant',
      content: index === 0 ? question : `turn ${index}`,
    }));
  const system = { role: 'system', content: 'Be brief.' };

  test('keeps its channel from the second turn on', async () => {
    const { relay, ids, ask } = await fourChannels();
    for (const question of ['one', 'two', 'three', 'four']) {
      const place = await ask({ messages: [system, ...turns(1, question)] });
      for (let count = 2; count <= 6; count++)
        expect(await ask({ messages: [system, ...turns(count, question)] })).toBe(place);
      expect(await relay.route()).toMatchObject([
        { channel: ids[place], reason: 'affinity', affinity: 'beginning', candidates: ids },
      ]);
    }
    await ask({ prompt_cache_key: 'a' });
    await ask({ prompt_cache_key: 'a' });
    expect(await relay.route()).toMatchObject([{ reason: 'affinity', affinity: 'id' }]);
  });

  test('begins anywhere, and is another with other tools or another beginning', async () => {
    const { relay, ask, places } = await fourChannels();
    expect((await places(40, { messages: turns(1) })).size).toBeGreaterThan(1);
    const tool = { type: 'function', function: { name: 'look' } };
    for (const fields of [
      { messages: turns(2, 'Ho') },
      { messages: [system, ...turns(2)] },
      { messages: turns(2), tools: [tool] },
    ]) {
      await ask(fields);
      expect(await relay.route()).toMatchObject([{ reason: 'weight' }]);
    }
  });

  test('moves after a failure and stays where it went', async () => {
    const { upstreams, ask, places } = await fourChannels();
    const place = await ask({ messages: turns(1) });
    upstreams[place]?.answer(errorReply(500, { message: 'boom' }), fine);
    await ask({ messages: turns(2) });
    const after = await places(20, { messages: turns(3) });
    expect([after.size, after.has(place)]).toEqual([1, false]);
  });

  test.each([
    [
      '/v1/messages',
      (count: number) => ({
        max_tokens: 99,
        // The mark moves on with the conversation.
        messages: turns(count).map(({ role, content }, index, { length }) => ({
          role,
          content: [
            {
              type: 'text',
              text: content,
              ...(index === length - 1 ? { cache_control: { type: 'ephemeral' } } : {}),
            },
          ],
        })),
      }),
    ],
    [
      '/v1beta/models/gpt-4o:generateContent',
      (count: number) => ({
        contents: turns(count).map(({ role, content }) => ({
          role: role === 'user' ? role : 'model',
          parts: [{ text: content }],
        })),
      }),
    ],
    ['/v1/responses', (count: number) => ({ instructions: 'Be brief.', input: turns(count) })],
    ['/v2/chat', (count: number) => ({ messages: turns(count) })],
  ])('keeps its channel and its key on %s', async (path, fieldsOf) => {
    const relay = await startRelay();
    const one = await upstream();
    one.answer(fine);
    const keys = ['key-1', 'key-2', 'key-3', 'key-4', 'key-5', 'key-6'];
    const setting = JSON.stringify({ use_responses: false });
    await relay.addChannel(one, { key: keys.join('\n'), multi_key_mode: 'random', setting });
    for (let count = 1; count <= 8; count++)
      expect((await relay.post(path, { model: 'gpt-4o', ...fieldsOf(count) })).status).toBe(200);
    expect(new Set(one.requests.map(({ headers }) => headers.authorization)).size).toBe(1);
  });
});
