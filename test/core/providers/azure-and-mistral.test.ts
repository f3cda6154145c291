/** Newer interfaces of Azure and Mistral (docs/rules/providers.md#azure-addresses, #mistral). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { azureAddress } from '../../../src/core/providers/azure/address.ts';
import { azure } from '../../../src/core/providers/azure/index.ts';
import { mistral } from '../../../src/core/providers/mistral/index.ts';
import { asSent } from '../../contract/providers/support/as-sent.ts';
import { testCall } from '../../contract/providers/support/call.ts';
import { type CallBench, startCallBench } from '../../support/calls.ts';
import { callersBothWays, question } from '../../support/five-callers.ts';
import { vendorReply } from '../../support/vendor-replies.ts';

const messages = [{ role: 'user', content: 'Hi' }];
const parameters = { type: 'object', properties: {} };
const tool = (name: string) => ({ type: 'function', function: { name, parameters } });

describe('Azure at /openai/v1', () => {
  const root = 'https://r.openai.azure.com/openai/v1';
  const own = { baseUrl: root };
  const chat = { messages, tools: [tool('look')] };

  it('needs no version, and names the deployment in the body', () => {
    const plain = asSent(azure, 'chat', 'gpt-4.1', chat, own);
    expect(plain).toMatchObject({ url: `${root}/chat/completions`, body: { model: 'gpt-4.1' } });
    expect(asSent(azure, 'chat', 'gpt-6-sol', chat, own).url).toBe(`${root}/responses`);
    const call = { ...testCall({ ...own, model: 'gpt-realtime' }), settings: {} };
    expect(azureAddress('realtime', call, 'live')).toBe(`${root}/realtime?model=live`);
    expect(azureAddress('image', call, 'drawing')).toBe(`${root}/images/generations`);
  });

  it('keeps a version that the channel or the caller names', () => {
    const dated = { ...own, other: '2024-10-21' };
    expect(asSent(azure, 'chat', 'gpt-4.1', chat, dated).url).toBe(
      'https://r.openai.azure.com/openai/deployments/gpt-4.1/chat/completions?api-version=2024-10-21',
    );
    const settings = { azure_responses_version: 'preview' };
    expect(asSent(azure, 'chat', 'gpt-6-sol', chat, { ...own, settings }).url).toBe(
      `${root}/responses?api-version=preview`,
    );
  });
});

describe('Mistral', () => {
  const model = 'mistral-large-4';

  it('is given a named tool beside the others', () => {
    const tool_choice = { type: 'function', function: { name: 'look' } };
    const tools = [tool('look'), tool('other')];
    const { body } = asSent(mistral, 'chat', model, { messages, tools, tool_choice });
    expect(body).toMatchObject({ tool_choice, tools });
    const own = { input: 'Hi', tools: [{ type: 'function', name: 'look', parameters }] };
    const forced = { ...own, tool_choice: { type: 'function', name: 'look' } };
    expect(asSent(mistral, 'Responses', model, forced).body).toMatchObject({ tool_choice });
  });

  it.each([
    ['auto', 'auto'],
    ['default', 'standard_only'],
    ['standard_only', 'standard_only'],
    ['priority', undefined],
  ])('knows tier %s as %s', (service_tier, sent) => {
    const { body } = asSent(mistral, 'chat', model, { messages, service_tier });
    expect(body.service_tier).toBe(sent);
  });

  it('gets the key of the cache from callers of Responses', () => {
    const own = { input: 'Hi', prompt_cache_key: 'mine' };
    expect(asSent(mistral, 'Responses', model, own).body).toMatchObject({
      prompt_cache_key: 'mine',
    });
    const { body } = asSent(mistral, 'Responses', model, { input: 'Hi' });
    expect(body).not.toHaveProperty('prompt_cache_key');
  });

  it('gets what else only it knows, and nothing that it refuses', () => {
    const own = { guardrails: [{ block: true }], prompt_cache_key: 'mine', metadata: { a: 'b' } };
    const { body } = asSent(mistral, 'chat', model, {
      messages,
      ...own,
      logit_bias: {},
      user: 'u',
    });
    expect(body).toMatchObject(own);
    expect(body).not.toHaveProperty('logit_bias');
    expect(body).not.toHaveProperty('user');
  });

  describe('names the tier in its usage', () => {
    let bench: CallBench;
    let customer: Awaited<ReturnType<CallBench['gateway']['addCustomer']>>;
    beforeAll(async () => {
      bench = await startCallBench('none');
      await bench.gateway.addChannel({ type: 42, baseUrl: bench.upstream.url, models: model });
      const details = { [model]: { factors: { priority: 2 } } };
      await bench.gateway.set('ModelPriceDetails', JSON.stringify(details));
      customer = await bench.gateway.addCustomer(1e12);
      const usage = { service_tier: 'priority' };
      bench.upstream.answer(vendorReply({ prompt: 1000, output: 100, usage }));
    });
    afterAll(() => bench.close());

    it.each(callersBothWays)('which %s callers pay, streamed %s', async (caller, stream) => {
      const { path, body } = question(caller, model, stream);
      const before = await bench.spent(customer.userId);
      const reply = await bench.post(path, customer.key, JSON.stringify(body));
      expect([reply.status, await reply.text()]).toEqual([200, expect.any(String)]);
      // 0.7 and 2.1 dollars per million, twice as much for the tier.
      expect((await bench.spent(customer.userId)) - before).toBe(1000 * 0.7 + 100 * 2.1);
    });
  });
});
