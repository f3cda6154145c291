/**
 * Servers that take text messages as the providers do, and check the signatures of what they get.
 */
import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type Lifetime, startProvider } from './provider-server.ts';

export interface ReceivedMessage {
  readonly phone: string;
  readonly values: readonly string[];
  readonly template: string;
  readonly sign: string;
}

export interface SmsTrouble {
  readonly refuse?: string;
  readonly delivers?: boolean;
  readonly silent?: boolean;
}

export interface SmsProvider {
  readonly url: string;
  /** Messages with a right signature. */
  readonly messages: ReceivedMessage[];
  /** The code of the last message. */
  lastCode(): string;
  /**
   * Replies of the next calls: refused with the provider's code, before or after delivery, or none
   * at all.
   */
  misbehave(how: SmsTrouble | undefined): void;
}

export const smsKeys = { id: 'test-key-id', secret: 'test-key-secret' } as const;

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string) =>
  createHmac('sha256', key).update(text).digest();

interface Call {
  readonly request: IncomingMessage;
  readonly url: URL;
  readonly body: string;
}

interface Protocol {
  /** Null: the signature is wrong. */
  read(call: Call): ReceivedMessage | null;
  taken(): unknown;
  refused(code: string): { readonly status: number; readonly body: unknown };
}

const header = ({ request }: Call, name: string) => String(request.headers[name] ?? '');

const webhook: Protocol = {
  read: (call) => {
    const signature = createHmac('sha256', smsKeys.secret).update(call.body).digest('hex');
    if (header(call, 'x-webhook-signature') !== signature) return null;
    const { phone, code, minutes, template } = JSON.parse(call.body) as Record<string, string>;
    return {
      phone: String(phone),
      values: [String(code), String(minutes)],
      template: String(template),
      sign: '',
    };
  },
  taken: () => ({}),
  refused: (code) => ({ status: 500, body: { code } }),
};

/** Alibaba Cloud, "V3 request body and signature mechanism". */
const aliyun: Protocol = {
  read: (call) => {
    const authorization = header(call, 'authorization');
    const [, id, names = '', signature] =
      /^ACS3-HMAC-SHA256 Credential=([^,]+),SignedHeaders=([^,]+),Signature=(\w+)$/.exec(
        authorization,
      ) ?? [];
    const lines = names.split(';').map((name) => `${name}:${header(call, name)}\n`);
    const query = call.url.search.slice(1).split('&').sort().join('&');
    const canonical = [
      call.request.method,
      call.url.pathname,
      query,
      lines.join(''),
      names,
      sha256(call.body),
    ].join('\n');
    const expected = hmac(smsKeys.secret, `ACS3-HMAC-SHA256\n${sha256(canonical)}`).toString('hex');
    const isFor = (action: string) =>
      header(call, 'x-acs-action') === action && header(call, 'x-acs-version') === '2017-05-25';
    if (id !== smsKeys.id || signature !== expected || !isFor('SendSms')) return null;
    const of = (name: string) => call.url.searchParams.get(name) ?? '';
    const values = Object.values(JSON.parse(of('TemplateParam')) as Record<string, string>);
    return {
      phone: of('PhoneNumbers'),
      values,
      template: of('TemplateCode'),
      sign: of('SignName'),
    };
  },
  taken: () => ({ Code: 'OK', Message: 'OK', BizId: 'biz-1', RequestId: 'r' }),
  refused: (code) => ({ status: 200, body: { Code: code, Message: 'refused', RequestId: 'r' } }),
};

/** Tencent Cloud, "Signature v3". */
const tencent: Protocol = {
  read: (call) => {
    const [, id, date = '', names = '', signature] =
      /^TC3-HMAC-SHA256 Credential=([^/]+)\/([^/]+)\/sms\/tc3_request, SignedHeaders=([^,]+), Signature=(\w+)$/.exec(
        header(call, 'authorization'),
      ) ?? [];
    const lines = names.split(';').map((name) => `${name}:${header(call, name).toLowerCase()}\n`);
    const canonical = ['POST', '/', '', lines.join(''), names, sha256(call.body)].join('\n');
    const text = [
      'TC3-HMAC-SHA256',
      header(call, 'x-tc-timestamp'),
      `${date}/sms/tc3_request`,
      sha256(canonical),
    ].join('\n');
    const key = hmac(hmac(hmac(`TC3${smsKeys.secret}`, date), 'sms'), 'tc3_request');
    const isFor =
      header(call, 'x-tc-action') === 'SendSms' && header(call, 'x-tc-version') === '2021-01-11';
    if (
      id !== smsKeys.id ||
      signature !== hmac(key, text).toString('hex') ||
      !isFor ||
      header(call, 'x-tc-region') !== 'ap-beijing'
    )
      return null;
    const body = JSON.parse(call.body) as Record<string, string & readonly string[]>;
    return {
      phone: body['PhoneNumberSet']?.[0] ?? '',
      values: body['TemplateParamSet'] ?? [],
      template: `${body['SmsSdkAppId']}/${body['TemplateId']}`,
      sign: String(body['SignName']),
    };
  },
  taken: () => ({
    Response: { SendStatusSet: [{ Code: 'Ok', SerialNo: 'serial-1' }], RequestId: 'r' },
  }),
  refused: (code) => ({
    status: 200,
    body: { Response: { SendStatusSet: [{ Code: code, Message: 'refused' }], RequestId: 'r' } },
  }),
};

const protocols = { webhook, aliyun, tencent } as const;
export type SmsProtocol = keyof typeof protocols;

export async function startSmsProvider(
  name: SmsProtocol,
  lifetime: Lifetime = 'test',
): Promise<SmsProvider> {
  const protocol = protocols[name];
  const messages: ReceivedMessage[] = [];
  let trouble: SmsTrouble | undefined;
  const url = await startProvider((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (trouble?.silent) return;
      const call = {
        request,
        url: new URL(request.url ?? '/', 'http://provider'),
        body: Buffer.concat(chunks).toString(),
      };
      const message = protocol.read(call);
      const refusal = message === null ? 'SignatureDoesNotMatch' : trouble?.refuse;
      const reply =
        refusal === undefined ? { status: 200, body: protocol.taken() } : protocol.refused(refusal);
      if (message !== null && (refusal === undefined || trouble?.delivers)) messages.push(message);
      response
        .writeHead(reply.status, { 'content-type': 'application/json' })
        .end(JSON.stringify(reply.body));
    });
  }, lifetime);
  return {
    url,
    messages,
    lastCode: () => messages.at(-1)?.values[0] ?? 'none',
    misbehave: (how) => {
      trouble = how;
    },
  };
}
