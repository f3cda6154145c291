import { describe, expect, it } from 'vitest';
import { cloudflare } from '../../../src/core/providers/cloudflare/index.ts';
import { testCall } from '../../contract/providers/support/call.ts';
import { collect, decodeChunks, fixtureBytes } from '../../contract/providers/support/decode.ts';
import { effectsOf } from '../../contract/providers/support/effects.ts';

const facts = {
  baseUrl: 'https://api.cloudflare.com',
  other: 'abc',
  model: '@cf/meta/llama-3.1-8b-instruct',
};
const call = { ...testCall(facts), settings: {} };
const { chat, image } = cloudflare.operations;

describe('Cloudflare', () => {
  it('reads replies of the native interface, streamed', () => {
    const read = (name: string) => {
      const decoder = chat?.createStreamDecoder?.(call) ?? expect.fail('no stream');
      return collect(decodeChunks([fixtureBytes('cloudflare', name)], 'sse', decoder));
    };
    expect(read('stream-native.sse')).toMatchObject({ text: 'Hello there 👋', finishes: ['stop'] });
    const { calls, finishes, usage } = read('stream-tools.sse');
    expect(calls.map((one) => one.arguments)).toEqual(['{"city":"Oslo"}', '{"city":"Rome"}']);
    expect(finishes).toEqual(['tool-calls']);
    expect(usage).toMatchObject({ promptTokens: 20, completionTokens: 10 });
    expect(read('stream-error.sse').errors).toMatchObject([{ status: 429, code: '3040' }]);
  });

  it('reads replies of the native interface, plain', () => {
    const result = {
      response: { city: 'Oslo' },
      tool_calls: [{ name: 'weather', arguments: { city: 'Oslo' } }],
    };
    expect(chat?.decode({ result, success: true }, call)).toMatchObject({
      choices: [
        {
          content: [{ text: '{"city":"Oslo"}' }, { name: 'weather', arguments: '{"city":"Oslo"}' }],
          finish: 'tool-calls',
        },
      ],
    });
  });

  it('lists the models of the account', async () => {
    const url = 'https://api.cloudflare.com/client/v4/accounts/abc/ai/models/search?per_page=100';
    const effects = effectsOf({
      [url]: { result: [{ id: '1', name: '@cf/meta/llama-3.1-8b-instruct' }], success: true },
    });
    for (const baseUrl of [facts.baseUrl, `${facts.baseUrl}/client/v4`]) {
      const names = await cloudflare.account?.listModels?.({ ...call, baseUrl }, effects);
      expect(names).toEqual(['@cf/meta/llama-3.1-8b-instruct']);
    }
  });

  it('draws one image at a time', () => {
    expect(() => image?.encode({ model: 'm', prompt: 'a cat', count: 2, extra: {} }, call)).toThrow(
      'n > 1',
    );
  });
});
