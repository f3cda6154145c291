/** xAI's search, which is a tool of Responses now (docs/rules/providers.md#xai). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { xai } from '../../../src/core/providers/xai/index.ts';
import { asSent } from '../../contract/providers/support/as-sent.ts';
import { type CallBench, startCallBench } from '../../support/calls.ts';
import { callersBothWays, question } from '../../support/five-callers.ts';
import { sendJson } from '../../support/upstream.ts';
import { vendorReply } from '../../support/vendor-replies.ts';

const model = 'grok-4.7-search';

let bench: CallBench;
let customer: Awaited<ReturnType<CallBench['gateway']['addCustomer']>>;
beforeAll(async () => {
  bench = await startCallBench('none');
  await bench.gateway.addChannel({ type: 48, baseUrl: bench.upstream.url, models: model });
  await bench.gateway.set('ModelRatio', JSON.stringify({ [model]: 1 }));
  customer = await bench.gateway.addCustomer(1e12);
  const search = { type: 'web_search_call', id: 'ws_1', status: 'completed' };
  bench.upstream.answer((response, request) => {
    if (!request.path.endsWith('/responses') || 'search_parameters' in request.json)
      return sendJson(response, 410, { error: 'Live search is no longer offered' });
    return vendorReply({ prompt: 100, output: 10, reply: { output: [search] } })(response, request);
  });
});
afterAll(() => bench.close());

it.each(callersBothWays)(
  'the suffix -search is the tool web_search: %s, streamed %s',
  async (...how) => {
    const [caller, stream] = how;
    const { path, body } = question(caller, model, stream);
    const reply = await bench.post(path, customer.key, JSON.stringify(body));
    expect([reply.status, await reply.text()]).toEqual([200, expect.stringContaining('ok')]);
    expect(bench.upstream.requests.at(-1)?.json).toMatchObject({
      model: 'grok-4.7',
      tools: [{ type: 'web_search' }],
    });
  },
);

describe('names', () => {
  const messages = [{ role: 'user', content: 'Hi' }];

  it('have an effort before the search', () => {
    const { url, body } = asSent(xai, 'chat', 'grok-4.7-high-search', { messages });
    expect(url).toMatch(/\/v1\/responses$/);
    expect(body).toMatchObject({ model: 'grok-4.7', reasoning: { effort: 'high' } });
  });

  it('keep what else the caller asks for', () => {
    const functions = [{ type: 'function', function: { name: 'look', parameters: {} } }];
    const { body } = asSent(xai, 'chat', model, {
      messages: [{ role: 'system', content: 'Brief.' }, ...messages],
      tools: functions,
      reasoning_effort: 'max',
    });
    expect(body).toMatchObject({
      tools: [{ type: 'function', name: 'look' }, { type: 'web_search' }],
      input: [{ role: 'system', content: 'Brief.' }, { role: 'user' }],
      reasoning: { effort: 'xhigh' },
    });
    // xAI refuses the field.
    expect(body).not.toHaveProperty('instructions');
  });

  it('do not search twice, and take no effort that the model refuses', () => {
    const tools = [{ type: 'web_search', allowed_domains: ['x.ai'] }];
    const given = { input: 'Hi', tools, reasoning: { effort: 'high' } };
    const { body, forwarded } = asSent(xai, 'Responses', 'grok-4.20-reasoning-search', given);
    expect(forwarded).toBe(true);
    expect(body).toEqual({ model: 'grok-4.20-reasoning', input: 'Hi', tools });
  });

  it('search as before where a server has no Responses', () => {
    const settings = { use_responses: false };
    const { url, body } = asSent(xai, 'chat', model, { messages }, { settings });
    expect(url).toMatch(/chat\/completions$/);
    expect(body).toMatchObject({ model: 'grok-4.7', search_parameters: { mode: 'on' } });
  });
});
