/** The site's language decides where a caller names none (docs/rules/options.md#site-language). */
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { createClient } from '../../../../src/core/contract/client.ts';
import { createLocalTransport } from '../../../../src/server/local-client.ts';
import { createTestApp, testPassword } from '../../../support/app.ts';
import { startRelay, upstream } from '../select/relay-support.ts';

describe('the error for a caller that sends no Accept-Language', () => {
  test.each([
    ['zh', {}, /没有可用的渠道/],
    ['en', {}, /no channel/i],
    ['en', { 'accept-language': 'zh-CN' }, /没有可用的渠道/],
    ['zh', { 'accept-language': 'en-GB' }, /no channel/i],
    ['en', { 'accept-language': 'fr' }, /no channel/i],
  ])('of a site in %s with headers %o', async (SiteLanguage, defaultHeaders, words) => {
    const relay = await startRelay({ SiteLanguage });
    const { key } = await relay.operator.userTokens.create({
      name: 'sdk',
      unlimited_quota: true,
      user: 'customer',
    });
    const openai = new OpenAI({
      apiKey: `sk-${key}`,
      baseURL: `${relay.url}/v1`,
      maxRetries: 0,
      defaultHeaders,
    });
    const call = openai.chat.completions.create({
      model: 'nobody-has-this',
      messages: [{ role: 'user', content: 'Hello' }],
    });
    await expect(call).rejects.toThrow(words);
  });

  test.each([
    ['/v1/messages', { max_tokens: 5 }],
    [
      '/v1beta/models/nobody-has-this:generateContent',
      { contents: [{ parts: [{ text: 'Hello' }] }] },
    ],
  ])('in the shape of %s', async (path, fields) => {
    const relay = await startRelay({ SiteLanguage: 'en' });
    const body = {
      model: 'nobody-has-this',
      messages: [{ role: 'user', content: 'Hello' }],
      ...fields,
    };
    expect((await relay.post(path, body)).text).toMatch(/no channel/i);
    await relay.operator.option.set({ key: 'SiteLanguage', value: 'zh' });
    expect((await relay.post(path, body)).text).toMatch(/没有可用的渠道/);
  });
});

test.each([
  ['zh', '模型测试', /管理员/],
  ['en', 'Model test', /An administrator/],
])('log rows of a site in %s', async (SiteLanguage, tested, granted) => {
  const relay = await startRelay({ SiteLanguage });
  const id = await relay.addChannel(await upstream());
  expect((await relay.operator.channel.test({ id })).success).toBe(true);
  const customer = (await relay.operator.user.list()).items.find(
    ({ username }) => username === 'customer',
  );
  await relay.operator.user.update({
    id: customer?.id ?? 0,
    username: 'customer',
    group: 'default',
    quota: 5,
  });
  const { items } = await relay.operator.log.list({});
  expect(items[0]?.content).toMatch(granted);
  expect(items.map(({ content }) => content)).toContain(tested);
});

describe('the setup stores a language', () => {
  test.each([
    ['that of the request', undefined, 'en'],
    ['the given one', 'zh', 'zh'],
  ] as const)('%s', async (_, SiteLanguage, stored) => {
    const { app } = await createTestApp({}, false);
    const visitor = createClient(createLocalTransport(app, undefined, 'en'));
    await visitor.system.setup({
      username: 'root',
      password: testPassword,
      confirmPassword: testPassword,
      ...(SiteLanguage === undefined ? {} : { SiteLanguage }),
    });
    expect(app.siteLanguage()).toBe(stored);
  });
});
