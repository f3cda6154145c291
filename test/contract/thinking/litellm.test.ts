/** What LiteLLM sends of an earlier answer, recorded from the library itself. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Loose, recordsOf } from '../../../src/core/canonical/kit/read-json.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { sendJson, startUpstream, type TestUpstream } from '../../support/upstream.ts';
import { returnedByLiteLlm } from './chat-clients.ts';

const recorded = JSON.parse(
  readFileSync(new URL('../../fixtures/clients/litellm.json', import.meta.url), 'utf8'),
) as Readonly<Record<'reply' | 'whole' | 'streamed', Loose>>;

describe.each(['whole', 'streamed'] as const)('%s', (how) => {
  it('the client of the matrix returns an answer as LiteLLM does', () => {
    const [, turn] = recordsOf(recorded[how]['messages']);
    expect(returnedByLiteLlm({ stream: how === 'streamed' }, recorded.reply)).toEqual(turn);
  });
});

describe('its second turn', () => {
  let gateway: TestGateway;
  let upstream: TestUpstream;
  let key: string;
  beforeAll(async () => {
    gateway = await startTestGateway();
    upstream = await startUpstream();
    await gateway.set('SelfUseModeEnabled', true);
    await gateway.set('global.thinking_minutes', 0);
    const models = String(recorded.whole['model']);
    await gateway.addChannel({ type: 14, baseUrl: upstream.url, models });
    key = (await gateway.addCustomer(1_000_000_000)).key;
    const message = { id: 'msg_1', type: 'message', role: 'assistant', model: models };
    const usage = { input_tokens: 9, output_tokens: 9 };
    upstream.answer((response) =>
      sendJson(response, 200, {
        ...message,
        usage,
        stop_reason: 'end_turn',
        content: [{ type: 'text', text: 'Blue.' }],
      }),
    );
  });
  afterAll(async () => {
    await gateway.close();
    await upstream.close();
  });

  it.each([
    ['with the signed thinking that it returns, although nothing is remembered', 'whole', 3],
    ['without thinking, where it returned no signature', 'streamed', 2],
  ] as const)('reaches Claude %s', async (_, how, count) => {
    upstream.requests.length = 0;
    const reply = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(recorded[how]),
    });
    expect(reply.status, await reply.text()).toBe(200);
    const [, turn] = recordsOf(upstream.requests[0]?.json['messages']);
    const blocks = recordsOf(turn?.['content']);
    expect(blocks).toHaveLength(count);
    if (how === 'whole')
      expect(blocks[0]).toEqual({
        type: 'thinking',
        thinking: 'Thought one.',
        signature: 'c2lnbmVk',
      });
  });

  it('may have fields of its own of any kind', async () => {
    const [question, turn, ...results] = recordsOf(recorded.whole['messages']);
    const messages = [question, { ...turn, provider_specific_fields: 'none' }, ...results];
    const reply = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...recorded.whole, messages }),
    });
    expect(reply.status).toBe(200);
  });
});
