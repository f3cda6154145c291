/** What the options of the payment methods do to what is sent to their providers. */
import { expect, test } from 'vitest';
import { configureEpay, startEpayGateway } from '../support/epay-gateway.ts';
import {
  configureWechatPay,
  startWechatPay,
  wechatPayOptions,
} from '../support/wechat-pay-provider.ts';
import { startTestServer } from './http.ts';

async function startPayer(environment: Record<string, string> = {}) {
  const server = await startTestServer(environment);
  await server.addUser('ann');
  const headers = await server.signIn('ann');
  const call = async (path: string, body: object) =>
    (await server.send('POST', path, { headers, body })).json;
  return { ...server, call };
}

test('Epay: EpayId and the callback address are in the order', async () => {
  const gateway = await startEpayGateway();
  const { operator, call } = await startPayer();
  await configureEpay(operator, gateway);
  await operator.option.set({ key: 'EpayId', value: 'shop-7' });
  const order = async () =>
    (await call('/api/user/pay', { amount: 10, payment_method: 'zfb' }))['data'];
  expect(await order()).toMatchObject({
    pid: 'shop-7',
    notify_url: expect.not.stringContaining('callback.example'),
  });
  await operator.option.set({ key: 'CustomCallbackAddress', value: 'https://callback.example/' });
  expect(await order()).toMatchObject({
    notify_url: 'https://callback.example/api/user/epay/notify',
  });
});

test('WeChat Pay: merchant, app and where its notices go are in the order', async () => {
  let now = () => 0;
  const provider = await startWechatPay(() => now());
  const { operator, call, clock } = await startPayer({ WECHAT_PAY_ENDPOINT: provider.url });
  now = clock.now;
  await configureWechatPay(operator);
  const { 'WechatPay.MchID': mchid, 'WechatPay.AppID': appid } = wechatPayOptions();
  const orderOf = async () => {
    await call('/api/user/wechatpay', { amount: 10, top_up_code: '' });
    return [...provider.orders.values()].at(-1);
  };
  expect(await orderOf()).toMatchObject({ mchid, appid });
  await operator.option.set({ key: 'CustomCallbackAddress', value: 'https://callback.example' });
  expect((await orderOf())?.['notify_url']).toMatch(/^https:\/\/callback\.example\//);
  await operator.option.set({ key: 'WechatPay.NotifyUrl', value: 'https://pay.example/notice' });
  expect(await orderOf()).toMatchObject({ notify_url: 'https://pay.example/notice' });
});

test.each([
  ['WechatPay.CertSerialNumber', 'WRONG'],
  ['WechatPay.MchID', '999'],
])('WeChat Pay: requests are signed in the name of %s', async (key, wrong) => {
  let now = () => 0;
  const provider = await startWechatPay(() => now());
  const { operator, call, clock } = await startPayer({ WECHAT_PAY_ENDPOINT: provider.url });
  now = clock.now;
  await configureWechatPay(operator);
  await operator.option.set({ key, value: wrong });
  await call('/api/user/wechatpay', { amount: 10, top_up_code: '' });
  expect(provider.orders.size).toBe(0);
});

test('WeChat Pay: replies are verified with WechatPay.PublicKey where its id names the key', async () => {
  let now = () => 0;
  const provider = await startWechatPay(() => now());
  const { operator, call, clock } = await startPayer({ WECHAT_PAY_ENDPOINT: provider.url });
  now = clock.now;
  await configureWechatPay(operator, true);
  const order = async () =>
    (await call('/api/user/wechatpay', { amount: 10, top_up_code: '' }))['message'];
  expect(await order()).toBe('success');
  expect(provider.calls).not.toContain('GET /v3/certificates');
  await operator.option.setMany({
    values: [
      { key: 'WechatPay.PublicKeyID', value: '' },
      { key: 'WechatPay.PublicKey', value: '-' },
    ],
  });
  expect(await order()).toBe('success');
  expect(provider.calls).toContain('GET /v3/certificates');
});
