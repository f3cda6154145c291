/**
 * Alibaba Cloud's text messages: SendSms, version 2017-05-25, signed by ACS3-HMAC-SHA256 (Alibaba
 * Cloud OpenAPI, "V3 request body and signature mechanism"). The call is made here because the
 * official package brings some forty others for one request.
 */
import { createHash, createHmac } from 'node:crypto';
import type { Clock } from '../../kernel/clock.ts';
import type { Ids } from '../../kernel/ids.ts';
import { parseObject } from '../../kernel/json.ts';
import { homePrefix } from '../../kernel/phone-number.ts';
import type { OptionStore } from '../../site/option-store.ts';
import type { Upstream } from '../../upstream/send.ts';
import { notTaken, post, type SmsSender, templateValues } from './sms-sender.ts';

interface AcsRequest {
  readonly keyId: string;
  readonly keySecret: string;
  readonly host: string;
  readonly action: string;
  readonly version: string;
  readonly query: Readonly<Record<string, string>>;
  /** ISO 8601 in UTC, without milliseconds. */
  readonly date: string;
  readonly nonce: string;
}

const algorithm = 'ACS3-HMAC-SHA256';
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** Percent-encoding of RFC 3986, which leaves fewer characters than encodeURIComponent. */
const encode = (text: string) =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

export const acsQuery = (query: AcsRequest['query']): string =>
  Object.entries(query)
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&');

/** The headers of a call without a body, whose input is in the query. */
export function signAcs({
  keyId,
  keySecret,
  host,
  action,
  version,
  query,
  date,
  nonce,
}: AcsRequest): Record<string, string> {
  const empty = sha256('');
  const signed: Record<string, string> = {
    host,
    'x-acs-action': action,
    'x-acs-content-sha256': empty,
    'x-acs-date': date,
    'x-acs-signature-nonce': nonce,
    'x-acs-version': version,
  };
  const names = Object.keys(signed).sort();
  const lines = names.map((name) => `${name}:${signed[name]}\n`).join('');
  const canonical = ['POST', '/', acsQuery(query), lines, names.join(';'), empty].join('\n');
  const signature = createHmac('sha256', keySecret)
    .update(`${algorithm}\n${sha256(canonical)}`)
    .digest('hex');
  const authorization = `${algorithm} Credential=${keyId},SignedHeaders=${names.join(';')},Signature=${signature}`;
  return { ...signed, authorization };
}

export function createAliyunSender(deps: {
  readonly options: Pick<OptionStore, 'get'>;
  readonly upstream: Pick<Upstream, 'collect'>;
  readonly config: { readonly aliyunSmsEndpoint: string };
  readonly clock: Clock;
  readonly ids: Ids;
}): SmsSender {
  const { options, upstream, clock, ids } = deps;
  return {
    isConfigured: () =>
      (
        [
          'sms.sign_name',
          'sms.template_code',
          'sms.access_key_id',
          'sms.access_key_secret',
        ] as const
      ).every((key) => options.get(key) !== ''),
    send: async (message, signal) => {
      const endpoint = new URL(deps.config.aliyunSmsEndpoint);
      const values = templateValues(message);
      const parameters = Object.fromEntries(
        options.get('sms.template_params').map((name) => [name, values[name]]),
      );
      const query = {
        // Numbers of the mainland without a country code, others with it and without a plus.
        PhoneNumbers: message.phone.startsWith(homePrefix)
          ? message.phone.slice(homePrefix.length)
          : message.phone.slice(1),
        SignName: options.get('sms.sign_name'),
        TemplateCode: options.get('sms.template_code'),
        TemplateParam: JSON.stringify(parameters),
      };
      const headers = signAcs({
        keyId: options.get('sms.access_key_id'),
        keySecret: options.get('sms.access_key_secret'),
        host: endpoint.host,
        action: 'SendSms',
        version: '2017-05-25',
        query,
        date: new Date(clock.now()).toISOString().replace(/\.\d+Z$/, 'Z'),
        nonce: ids.uuid(),
      });
      const { status, text } = await post(
        upstream,
        { url: `${endpoint.origin}/?${acsQuery(query)}`, headers },
        signal,
      );
      const reply = parseObject(text) ?? {};
      if (status !== 200 || reply['Code'] !== 'OK') throw notTaken(status, reply['Code']);
      return String(reply['BizId'] ?? '');
    },
  };
}
