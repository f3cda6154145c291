/** Bedrock's Mantle: the makers' own wires (docs/rules/providers.md#bedrock-mantle). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Secret } from '../../../src/core/kernel/secret.ts';
import { aws } from '../../../src/core/providers/aws/index.ts';
import { mantle } from '../../../src/core/providers/aws/mantle.ts';
import { builtInProviders } from '../../../src/core/providers/index.ts';
import { asSent } from '../../contract/providers/support/as-sent.ts';
import { type CallBench, startCallBench } from '../../support/calls.ts';
import { callersBothWays, question } from '../../support/five-callers.ts';
import { vendorReply } from '../../support/vendor-replies.ts';

const setting = { use_mantle: true };
const key = new Secret('bedrock-api-key|us-west-2');
const messages = [{ role: 'user', content: 'Hi' }];
const parameters = { type: 'object', properties: {} };
const tools = [{ type: 'function', function: { name: 'look', parameters } }];

describe('a channel speaks it', () => {
  const slugOf = (baseUrl: string, chosen = {}) =>
    builtInProviders.forChannel(33, { key, baseUrl, setting: chosen })?.slug;

  it('by its setting or its address', () => {
    expect(slugOf('', setting)).toBe(mantle.slug);
    expect(slugOf('https://bedrock-mantle.eu-west-1.api.aws')).toBe(mantle.slug);
    expect(slugOf('https://bedrock-mantle.eu-west-1.api.aws/openai/v1')).toBe(mantle.slug);
    expect(slugOf('')).toBe(aws.slug);
    expect(slugOf('https://bedrock-runtime.eu-west-1.amazonaws.com')).toBe(aws.slug);
  });
});

describe('addresses and ids', () => {
  const own = { key, baseUrl: '', settings: setting };

  it('follow from the region of the key', () => {
    const claude = asSent(mantle, 'chat', 'claude-opus-5', { messages }, own);
    expect(claude.url).toBe('https://bedrock-mantle.us-west-2.api.aws/anthropic/v1/messages');
    expect(claude.body.model).toBe('anthropic.claude-opus-5');
    const gpt = asSent(mantle, 'chat', 'gpt-5.6-sol', { messages, tools }, own);
    expect(gpt.url).toBe('https://bedrock-mantle.us-west-2.api.aws/openai/v1/responses');
    expect(gpt.body.model).toBe('openai.gpt-5.6-sol');
    const open = asSent(mantle, 'chat', 'openai.gpt-oss-120b', { messages }, own);
    expect(open).toMatchObject({
      url: 'https://bedrock-mantle.us-west-2.api.aws/openai/v1/chat/completions',
      body: { model: 'openai.gpt-oss-120b' },
    });
  });

  it.each(['', '/openai/v1', '/anthropic', '/v1/'])(
    'are the same behind a base with %j',
    (path) => {
      const baseUrl = `https://bedrock-mantle.eu-west-1.api.aws${path}`;
      const { url, body, forwarded } = asSent(
        mantle,
        'messages',
        'anthropic.claude-haiku-5-5',
        { max_tokens: 9, messages },
        { ...own, baseUrl },
      );
      expect(url).toBe('https://bedrock-mantle.eu-west-1.api.aws/anthropic/v1/messages');
      expect([forwarded, body.model]).toEqual([true, 'anthropic.claude-haiku-5-5']);
    },
  );
});

describe.each([
  ['an API key', 'bedrock-api-key|us-west-2', /^Bearer bedrock-api-key$/],
  [
    'a signature',
    'AKIDEXAMPLE|secret|us-west-2',
    /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/us-west-2\/bedrock-mantle\/aws4_request/,
  ],
])('with %s', (_what, channelKey, authorization) => {
  const models = 'claude-opus-5-5,gpt-6-sol';
  let bench: CallBench;
  let customer: Awaited<ReturnType<CallBench['gateway']['addCustomer']>>;
  beforeAll(async () => {
    bench = await startCallBench('none');
    await bench.gateway.addChannel({
      type: 33,
      baseUrl: bench.upstream.url,
      models,
      key: channelKey,
      setting: JSON.stringify(setting),
    });
    customer = await bench.gateway.addCustomer(1e12);
    bench.upstream.answer(vendorReply({ prompt: 1000, output: 100, written: 500 }));
  });
  afterAll(() => bench.close());

  const served = [
    ['claude-opus-5-5', '/anthropic/v1/messages', 'anthropic.claude-opus-5-5'],
    ['gpt-6-sol', '/openai/v1/', 'openai.gpt-6-sol'],
  ] as const;

  it.each(
    callersBothWays.flatMap(([caller, stream]) =>
      served.map((one) => [caller, stream, ...one] as const),
    ),
  )('%s callers, streamed %s, are served by %s', async (caller, stream, model, path, id) => {
    const { path: asked, body } = question(caller, model, stream);
    const before = await bench.spent(customer.userId);
    const reply = await bench.post(asked, customer.key, JSON.stringify(body));
    expect([reply.status, await reply.text()]).toEqual([200, expect.stringContaining('ok')]);
    const sent = bench.upstream.requests.at(-1);
    expect(sent?.path).toContain(path);
    expect(sent?.json['model']).toBe(id);
    expect(sent?.headers['authorization']).toMatch(authorization);
    expect(sent?.headers).not.toHaveProperty('x-api-key');
    // Half of the prompt was written to the cache, at 1.25 times the price of input.
    const { input, output } = model.startsWith('gpt')
      ? { input: 2, output: 10 }
      : { input: 4, output: 20 };
    const quota = (500 * input + 500 * input * 1.25 + 100 * output) / 2;
    expect((await bench.spent(customer.userId)) - before).toBe(quota);
  });
});

it('tools that Anthropic’s servers run are not there', () => {
  const call = { model: 'claude-opus-5' };
  const takes = (type: string) =>
    mantle.operations.chat?.takesTool?.(
      { type: 'foreign', origin: 'anthropic-messages', raw: { type, name: 'x' } },
      { origin: 'anthropic-messages' } as never,
      call as never,
    );
  expect([takes('bash_20250124'), takes('code_execution_20260521')]).toEqual([true, false]);
});
