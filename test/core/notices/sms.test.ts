/** Text messages through servers that speak the providers' protocols. */
import { describe, expect, it, test } from 'vitest';
import { acsQuery, signAcs } from '../../../src/core/notices/sms/aliyun-sender.ts';
import { createTextMessages } from '../../../src/core/notices/sms/sms.ts';
import { createUpstream } from '../../../src/core/upstream/send.ts';
import { codeOf, createTestApp, type TestApp } from '../../support/app.ts';
import {
  type SmsProtocol,
  type SmsProvider,
  smsKeys,
  startSmsProvider,
} from '../../support/sms-provider.ts';

async function setOptions({ operator }: TestApp, options: Record<string, string | boolean>) {
  await operator.option.setMany({
    values: Object.entries(options).map(([key, value]) => ({ key, value })),
  });
}

const common = {
  'sms.sign_name': '收费站',
  'sms.template_code': 'SMS_1',
  'sms.access_key_id': smsKeys.id,
  'sms.access_key_secret': smsKeys.secret,
  'sms.app_id': '1400000001',
  'sms.region': 'ap-beijing',
};

async function withProvider(
  name: SmsProtocol,
): Promise<TestApp & { provider: SmsProvider; send: (phone: string) => Promise<void> }> {
  const provider = await startSmsProvider(name);
  const site = await createTestApp({
    ALIYUN_SMS_ENDPOINT: provider.url,
    TENCENT_SMS_ENDPOINT: provider.url,
  });
  const options =
    name === 'webhook'
      ? { 'sms.webhook_url': `${provider.url}/sms`, 'sms.webhook_secret': smsKeys.secret }
      : common;
  await setOptions(site, { ...options, 'sms.provider': name });
  return { ...site, provider, send: (phone) => site.app.notices.sms.sendCode(phone, '012345', 5) };
}

describe.each(['webhook', 'aliyun', 'tencent'] as const)('%s', (name) => {
  const template = { webhook: '', aliyun: 'SMS_1', tencent: '1400000001/SMS_1' }[name];
  const sign = name === 'webhook' ? '' : '收费站';

  it('takes a signed message, with a number and variables as it reads them', async () => {
    const { provider, send, ...site } = await withProvider(name);
    await send('+8613800000000');
    await setOptions(site, { 'sms.template_params': 'minutes,code' });
    await send('+85291234567');
    const [first, second] = provider.messages;
    expect(first).toEqual({
      phone: name === 'aliyun' ? '13800000000' : '+8613800000000',
      values: name === 'webhook' ? ['012345', '5'] : ['012345'],
      template,
      sign,
    });
    expect(second?.phone).toBe(name === 'aliyun' ? '85291234567' : '+85291234567');
    expect(second?.values).toEqual(name === 'webhook' ? ['012345', '5'] : ['5', '012345']);
  });

  it('refuses a message under the wrong secret, and one that it does not like', async () => {
    const { provider, send, ...site } = await withProvider(name);
    provider.misbehave({ refuse: 'isv.BUSINESS_LIMIT_CONTROL' });
    expect(await codeOf(send('+8613800000000'))).toBe('sms_failed');
    provider.misbehave(undefined);
    await setOptions(site, {
      [name === 'webhook' ? 'sms.webhook_secret' : 'sms.access_key_secret']: 'another',
    });
    expect(await codeOf(send('+8613800000000'))).toBe('sms_failed');
    expect(provider.messages).toEqual([]);
  });

  it.runIf(name === 'webhook')('is given up on after five seconds', async () => {
    const { provider, send } = await withProvider(name);
    provider.misbehave({ silent: true });
    const start = performance.now();
    expect(await codeOf(send('+8613800000000'))).toBe('sms_failed');
    expect(performance.now() - start).toBeLessThan(60_000);
  });

  it('cannot be chosen while what it needs is missing, which cannot be cleared while it is chosen', async () => {
    const site = await createTestApp();
    expect(await codeOf(site.operator.option.set({ key: 'sms.provider', value: name }))).toBe(
      'option_needs',
    );
    const { app, operator } = await withProvider(name);
    const needed = name === 'webhook' ? 'sms.webhook_url' : 'sms.sign_name';
    expect(await codeOf(operator.option.set({ key: needed, value: '' }))).toBe('option_in_use');
    expect(await codeOf(app.notices.sms.sendCode('+8613800000000', '012345', 5))).toBe(
      'it did not fail',
    );
  });
});

test('the signature of Alibaba Cloud is that of its documented example', () => {
  const query = {
    ImageId: 'win2019_1809_x64_dtc_zh-cn_40G_alibase_20230811.vhd',
    RegionId: 'cn-shanghai',
  };
  expect(acsQuery({ b: "a b*'()!~", a: '+&=/收' })).toBe(
    'a=%2B%26%3D%2F%E6%94%B6&b=a%20b%2A%27%28%29%21~',
  );
  const headers = signAcs({
    keyId: 'YourAccessKeyId',
    keySecret: 'YourAccessKeySecret',
    host: 'ecs.cn-shanghai.aliyuncs.com',
    action: 'RunInstances',
    version: '2014-05-26',
    query,
    date: '2023-10-26T10:22:32Z',
    nonce: '3156853299f313e23d1673dc12e1703d',
  });
  expect(headers['authorization']).toBe(
    'ACS3-HMAC-SHA256 Credential=YourAccessKeyId,' +
      'SignedHeaders=host;x-acs-action;x-acs-content-sha256;x-acs-date;x-acs-signature-nonce;x-acs-version,' +
      'Signature=06563a9e1b43f5dfe96b81484da74bceab24a1d853912eee15083a6f0f3283c0',
  );
});

describe('the log as provider', () => {
  it('writes the code to the log; the other providers never do', async () => {
    const provider = await startSmsProvider('webhook');
    const lines: { level: string; text: string }[] = [];
    const write = (level: string) => (fields: object, text: string) => {
      lines.push({
        level,
        text: `${text} ${JSON.stringify(fields, (_, value) => (value instanceof Error ? String(value.stack) : value))}`,
      });
    };
    const logger = {
      debug: write('debug'),
      info: write('info'),
      warn: write('warn'),
      error: write('error'),
    };
    const { app, operator, ...site } = await createTestApp();
    const upstream = createUpstream();
    const sms = createTextMessages({ ...app, options: app.site.options, upstream, logger });
    sms.warnOfLogSender();
    expect(lines.map(({ level }) => level)).toEqual(['warn']);
    await sms.sendCode('+8613800000000', '012345', 5);
    expect(
      lines.some(({ text }) => text.includes('012345') && text.includes('+8613800000000')),
    ).toBe(true);
    lines.length = 0;
    await setOptions({ app, operator, ...site } as TestApp, {
      'sms.webhook_url': provider.url,
      'sms.webhook_secret': smsKeys.secret,
      'sms.provider': 'webhook',
    });
    sms.warnOfLogSender();
    expect(lines).toEqual([]);
    await sms.sendCode('+8613800000000', '012345', 5);
    provider.misbehave({ refuse: 'code 012345' });
    expect(await codeOf(sms.sendCode('+8613800000000', '012345', 5))).toBe('sms_failed');
    await upstream.close();
    expect(lines.map(({ level }) => level)).toEqual(['info', 'error']);
    expect(lines.filter(({ text }) => /012345|13800000000/.test(text))).toEqual([]);
    await operator.option.setMany({
      values: [
        { key: 'sms.provider', value: 'log' },
        { key: 'PhoneLoginEnabled', value: false },
      ],
    });
    lines.length = 0;
    sms.warnOfLogSender();
    expect(lines).toEqual([]);
  });
});
