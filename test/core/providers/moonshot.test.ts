import { describe, expect, it } from 'vitest';
import type { Call } from '../../../src/core/canonical/provider.ts';
import { moonshot } from '../../../src/core/providers/moonshot/index.ts';
import { readBody } from '../../../src/core/relay/body/body-fields.ts';
import { testCall } from '../../contract/providers/support/call.ts';
import { fixtureJson } from '../../contract/providers/support/decode.ts';
import { effectsOf } from '../../contract/providers/support/effects.ts';

const ask = Buffer.from('{"model":"kimi-k2.6","messages":[{"role":"user","content":"Hello"}]}');

const callTo = (baseUrl: string) => ({ ...testCall({ baseUrl }), settings: {} });

function addressOf(
  baseUrl: string,
  format: 'openai-chat' | 'anthropic-messages',
): string | undefined {
  const body = readBody(ask) ?? expect.fail('no body');
  const entry = moonshot.operations.chat?.passThrough?.find((one) => one.format === format);
  return entry?.target(body, callTo(baseUrl))?.url;
}

describe('addresses of Moonshot', () => {
  it.each([
    ['kimi-coding-plan', 'https://api.kimi.com/coding/v1', 'https://api.kimi.com/coding'],
    [
      'https://api.kimi.com/coding/v1',
      'https://api.kimi.com/coding/v1',
      'https://api.kimi.com/coding',
    ],
    ['https://api.moonshot.ai', 'https://api.moonshot.ai/v1', 'https://api.moonshot.ai/anthropic'],
    [
      'https://api.moonshot.cn/v1',
      'https://api.moonshot.cn/v1',
      'https://api.moonshot.cn/anthropic',
    ],
    [
      'https://api.moonshot.cn/anthropic',
      'https://api.moonshot.cn/v1',
      'https://api.moonshot.cn/anthropic',
    ],
  ])('of %s', (base, openAi, anthropic) => {
    expect(addressOf(base, 'openai-chat')).toBe(`${openAi}/chat/completions`);
    expect(addressOf(base, 'anthropic-messages')).toBe(`${anthropic}/v1/messages`);
  });

  it('may be given as a plan name', () => expect(moonshot.planNames).toEqual(['kimi-coding-plan']));
});

describe('the balance of Moonshot', () => {
  const account = fixtureJson('moonshot', 'reply-balance.json');
  const read = (
    baseUrl: string,
    body: unknown = account,
    options: Partial<Call['options']> = {},
  ) => {
    const call = callTo(baseUrl);
    const effects = effectsOf({ [`${baseUrl}/v1/users/me/balance`]: body });
    return moonshot.account?.readBalance?.(
      { ...call, options: { ...call.options, ...options } },
      effects,
    );
  };

  it('is turned into dollars at the site’s rate', async () => {
    const balance = await read('https://api.moonshot.cn', account, { yuanPerDollar: 7.3 });
    expect(balance).toEqual({ amount: '10', currency: 'USD' });
  });

  it('stays in yuan without a rate', async () => {
    expect(await read('https://api.moonshot.cn')).toEqual({ amount: '73', currency: 'CNY' });
  });

  it('is in dollars on the international platform', async () => {
    const balance = await read('https://api.moonshot.ai', account, { yuanPerDollar: 7.3 });
    expect(balance).toEqual({ amount: '73', currency: 'USD' });
  });

  it('is not zero where none was reported', async () => {
    await expect(read('https://api.moonshot.cn', { code: 5, data: {} })).rejects.toMatchObject({
      code: 'bad_response_body',
    });
    await expect(read('https://api.moonshot.cn', { code: 0, data: {} })).rejects.toMatchObject({
      code: 'bad_response_body',
    });
  });
});

it('Moonshot lists its models', async () => {
  const call = callTo('https://api.moonshot.cn');
  const effects = effectsOf({ 'https://api.moonshot.cn/v1/models': { data: [{ id: 'kimi-k3' }] } });
  expect(await moonshot.account?.listModels?.(call, effects)).toEqual(['kimi-k3']);
});
