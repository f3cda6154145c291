// Covers src/core/payments/wechat-pay-client.ts, src/core/payments/wechat-pay-crypto.ts.
/** Whose signatures are taken, and when WeChat Pay's certificates are read (docs/rules/payments.md#wechat-pay). */
import {
  createCipheriv,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  createWechatPayClient,
  readResource,
} from '../../../src/core/payments/wechat-pay-client.ts';
import { isSigned, signLines } from '../../../src/core/payments/wechat-pay-crypto.ts';
import type { WireRequest } from '../../../src/core/upstream/exchange.ts';
import { platform, publicKeyId, stranger } from '../../support/wechat-pay-provider.ts';
import { codeOf } from '../billing/ledger-support.ts';

const start = 1_795_000_000;
const apiKey = '0123456789abcdef0123456789abcdef';
const merchantKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
const platformKey = createPrivateKey(platform.key);
const publicPem = createPublicKey(platform.key).export({ type: 'spki', format: 'pem' }).toString();

function sealed(text: string, key = apiKey) {
  const cipher = createCipheriv('aes-256-gcm', key, 'nonce-123456', { authTagLength: 16 });
  cipher.setAAD(Buffer.from('certificate'));
  const bytes = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  const ciphertext = bytes.toString('base64');
  return { ciphertext, nonce: 'nonce-123456', associated_data: 'certificate' };
}
const certificates = (serial = platform.serial) =>
  JSON.stringify({
    data: [{ serial_no: serial, encrypt_certificate: sealed(platform.cert) }],
  });

interface Signing {
  readonly key?: KeyObject;
  readonly serial?: string;
  readonly at?: number | string;
}

function openClient(more: object = {}) {
  let now = start;
  const options: Readonly<Record<string, string>> = {
    'WechatPay.PublicKey': '',
    'WechatPay.PublicKeyID': '',
    'WechatPay.MchID': 'm1',
    'WechatPay.CertSerialNumber': 'S1',
    'WechatPay.APIv3Key': apiKey,
    'WechatPay.PrivateKey': merchantKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    ...more,
  };
  const signed = (body: string, { key = platformKey, serial, at = now }: Signing = {}) => ({
    'wechatpay-timestamp': String(at),
    'wechatpay-nonce': 'n',
    'wechatpay-serial': serial ?? platform.serial,
    'wechatpay-signature': signLines([String(at), 'n', body], key),
  });
  const site = { list: certificates(), listSigning: {} as Signing, reply: '{"a":1}', status: 200 };
  const sent: WireRequest[] = [];
  const client = createWechatPayClient({
    options: { get: ((name: string) => options[name]) as never },
    upstream: {
      collect: async (request, most) => {
        sent.push({ ...(request as WireRequest), most } as never);
        const isList = String(request.url).endsWith('/v3/certificates');
        const text = isList ? site.list : site.reply;
        const headers = signed(text, isList ? site.listSigning : {});
        return { status: isList ? 200 : site.status, headers, bytes: Buffer.from(text) };
      },
    },
    endpoint: 'https://pay.example.com',
    clock: { now: () => now * 1000, sleep: async () => undefined },
    ids: { hex: () => 'a1b2' },
  });
  return {
    client,
    signed,
    sent,
    site,
    pass: (seconds: number) => {
      now += seconds;
    },
    /** Whether a notice is taken, or why not. */
    verify: (signing: Signing = {}, body = '{}', changed = body) =>
      codeOf(client.verify(signed(body, signing), Buffer.from(changed))),
    downloads: () => sent.filter(({ url }) => String(url).endsWith('/v3/certificates')).length,
  };
}
const invalid = 'payment_signature_invalid';

describe('a signature', () => {
  it('is over all lines and the bytes of the body', async () => {
    const { verify } = openClient();
    expect(await verify()).toBe('ok');
    expect(await verify({}, '{}', '{ }')).toBe(invalid);
    expect(await verify({ key: stranger })).toBe(invalid);
    const own = createPublicKey(platform.key);
    const signature = signLines(['1', 'n', 'body'], platformKey);
    expect(isSigned(['1', 'n'], Buffer.from('body'), signature, own)).toBe(true);
    expect(isSigned(['1', 'm'], Buffer.from('body'), signature, own)).toBe(false);
  });

  it('is of these minutes', async () => {
    const { verify } = openClient();
    expect(await verify({ at: start - 300 })).toBe('ok');
    expect(await verify({ at: start + 300 })).toBe('ok');
    expect(await verify({ at: start - 301 })).toBe(invalid);
    expect(await verify({ at: start + 301 })).toBe(invalid);
    for (const at of [`${start}.0`, ` ${start}`, `+${start}`, ''])
      expect(await verify({ at }), at).toBe(invalid);
  });

  it('by the configured key needs no certificate', async () => {
    const key = { 'WechatPay.PublicKey': publicPem, 'WechatPay.PublicKeyID': publicKeyId };
    const { verify, downloads } = openClient(key);
    expect(await verify({ serial: publicKeyId })).toBe('ok');
    expect(downloads()).toBe(0);
    expect(await verify()).toBe('ok');
    expect(downloads()).toBe(1);
    const unset = openClient({ 'WechatPay.PublicKeyID': publicKeyId });
    expect(await unset.verify({ serial: publicKeyId })).toBe(invalid);
    const nameless = openClient({ 'WechatPay.PublicKey': publicPem });
    expect(await nameless.verify({ serial: '' })).toBe(invalid);
  });
});

describe('the certificates', () => {
  it('are read once, again after twelve hours, and kept where that fails', async () => {
    const { verify, downloads, pass, site } = openClient();
    expect(await Promise.all([verify(), verify()])).toEqual(['ok', 'ok']);
    pass(12 * 3600 - 1);
    expect([await verify(), downloads()]).toEqual(['ok', 1]);
    pass(1);
    site.list = '{}';
    site.listSigning = { key: stranger };
    expect([await verify(), downloads()]).toEqual(['ok', 2]);
    pass(59);
    expect([await verify(), downloads()]).toEqual(['ok', 2]);
    site.list = certificates();
    site.listSigning = {};
    pass(1);
    expect([await verify(), downloads()]).toEqual(['ok', 3]);
    pass(3600);
    expect([await verify(), downloads()]).toEqual(['ok', 3]);
  });

  it('are not read for each unknown number that somebody sends', async () => {
    const { verify, downloads, pass } = openClient();
    expect(await verify({ serial: 'X' })).toBe(invalid);
    expect(await verify({ serial: 'Y' })).toBe(invalid);
    expect(downloads()).toBe(1);
    pass(60);
    expect(await verify({ serial: 'Y' })).toBe(invalid);
    expect(downloads()).toBe(2);
    // A clock that was set back is no reason to wait.
    pass(-60);
    expect(await verify({ serial: 'Y' })).toBe(invalid);
    expect(downloads()).toBe(3);
  });

  it.each([
    ['signed by somebody else', certificates(), { key: stranger }],
    ['signed with another number', certificates(), { serial: 'X' }],
    ['without any', '{}', {}],
    ['that are no list', '[]', {}],
    ['that are no JSON', 'x', {}],
  ])('%s prove nothing', async (_, list, signing) => {
    const { verify, site } = openClient();
    Object.assign(site, { list, listSigning: signing });
    expect(await verify()).toBe(invalid);
  });

  it.each([
    ['{"data":[5]}'],
    ['{"data":[{"serial_no":"PLATFORM01"}]}'],
    [JSON.stringify({ data: [{ encrypt_certificate: sealed(platform.cert, 'f'.repeat(32)) }] })],
  ])('that cannot be opened are refused: %s', async (list) => {
    const { verify, site } = openClient();
    site.list = list;
    expect(await verify()).toBe('payment_notice_invalid');
  });

  it('may be signed by the configured key', async () => {
    const key = { 'WechatPay.PublicKey': publicPem, 'WechatPay.PublicKeyID': publicKeyId };
    const { verify, site } = openClient(key);
    site.listSigning = { serial: publicKeyId };
    expect(await verify()).toBe('ok');
  });
});

describe('a call', () => {
  it('is signed by the merchant, and its reply is verified', async () => {
    const { client, sent } = openClient();
    const reply = await client.call('POST', '/v3/pay', { b: 2 });
    expect(reply).toEqual({ status: 200, json: { a: 1 } });
    const [request] = sent;
    expect(request).toMatchObject({
      method: 'POST',
      url: 'https://pay.example.com/v3/pay',
      body: '{"b":2}',
      firstByteTimeout: 10_000,
      idleTimeout: 10_000,
      totalTimeout: 10_000,
      most: 262_144,
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        'user-agent': 'turnpike',
      },
    });
    expect(request?.headers).not.toHaveProperty('wechatpay-serial');
    const signature = signLines(['POST', '/v3/pay', String(start), 'a1b2', '{"b":2}'], merchantKey);
    expect(request?.headers['authorization']).toBe(
      `WECHATPAY2-SHA256-RSA2048 mchid="m1",nonce_str="a1b2",timestamp="${start}",serial_no="S1",signature="${signature}"`,
    );
  });

  it('without a body has none, and names the configured key', async () => {
    const key = { 'WechatPay.PublicKey': publicPem, 'WechatPay.PublicKeyID': publicKeyId };
    const { client, sent, site } = openClient(key);
    site.reply = '[]';
    expect(await client.call('GET', '/v3/pay', undefined)).toEqual({ status: 200, json: {} });
    expect(sent[0]).not.toHaveProperty('body');
    expect(sent[0]?.headers['wechatpay-serial']).toBe(publicKeyId);
    const signature = signLines(['GET', '/v3/pay', String(start), 'a1b2', ''], merchantKey);
    expect(sent[0]?.headers['authorization']).toContain(signature);
  });

  it('that is refused need not be signed; one that succeeds must', async () => {
    const { client, site, downloads } = openClient();
    site.listSigning = { key: stranger };
    site.status = 300;
    expect(await client.call('GET', '/v3/pay', undefined)).toMatchObject({ status: 300 });
    expect(downloads()).toBe(0);
    site.status = 299;
    expect(await codeOf(client.call('GET', '/v3/pay', undefined))).toBe(invalid);
  });
});

it('fields of a resource that are missing or no texts are empty', () => {
  expect(readResource({ ciphertext: 'a', nonce: 'b', associated_data: 'c' })).toEqual({
    ciphertext: 'a',
    nonce: 'b',
    associatedData: 'c',
  });
  expect(readResource({ nonce: 5 })).toEqual({ ciphertext: '', nonce: '', associatedData: '' });
});
