/**
 * Tencent Cloud's text messages: SendSms, version 2021-01-11, signed by TC3-HMAC-SHA256. The call
 * is made here because the official package holds the clients of all products of that cloud, and
 * the signature is needed for its models anyway.
 */
import { type Clock, nowSeconds } from '../../kernel/clock.ts';
import { isObject, parseObject } from '../../kernel/json.ts';
import { signTc3 } from '../../providers/tencent/sign.ts';
import type { OptionStore } from '../../site/option-store.ts';
import type { Upstream } from '../../upstream/send.ts';
import { notTaken, post, type SmsSender, templateValues } from './sms-sender.ts';

const action = 'SendSms';

export function createTencentSender(deps: {
  readonly options: Pick<OptionStore, 'get'>;
  readonly upstream: Pick<Upstream, 'collect'>;
  readonly config: { readonly tencentSmsEndpoint: string };
  readonly clock: Clock;
}): SmsSender {
  const { options, upstream, clock } = deps;
  return {
    isConfigured: () =>
      (
        [
          'sms.app_id',
          'sms.sign_name',
          'sms.template_code',
          'sms.access_key_id',
          'sms.access_key_secret',
          'sms.region',
        ] as const
      ).every((key) => options.get(key) !== ''),
    send: async (message, signal) => {
      const endpoint = new URL(deps.config.tencentSmsEndpoint);
      const values = templateValues(message);
      const body = JSON.stringify({
        PhoneNumberSet: [message.phone],
        SmsSdkAppId: options.get('sms.app_id'),
        SignName: options.get('sms.sign_name'),
        TemplateId: options.get('sms.template_code'),
        TemplateParamSet: options.get('sms.template_params').map((name) => values[name]),
      });
      const timestamp = nowSeconds(clock);
      const headers = {
        'content-type': 'application/json',
        host: endpoint.host,
        'x-tc-action': action,
        'x-tc-version': '2021-01-11',
        'x-tc-region': options.get('sms.region'),
        'x-tc-timestamp': String(timestamp),
        authorization: signTc3({
          secretId: options.get('sms.access_key_id'),
          secretKey: options.get('sms.access_key_secret'),
          service: 'sms',
          host: endpoint.host,
          action,
          payload: Buffer.from(body),
          timestamp,
        }),
      };
      const { status, text } = await post(
        upstream,
        { url: `${endpoint.origin}/`, headers, body },
        signal,
      );
      const response = parseObject(text)?.['Response'];
      const outcome = firstStatus(response);
      if (status !== 200 || outcome?.['Code'] !== 'Ok')
        throw notTaken(status, outcome?.['Code'] ?? errorCodeOf(response));
      return String(outcome['SerialNo'] ?? '');
    },
  };
}

function firstStatus(response: unknown): Record<string, unknown> | undefined {
  const statuses = isObject(response) ? response['SendStatusSet'] : undefined;
  const first: unknown = Array.isArray(statuses) ? statuses[0] : undefined;
  return isObject(first) ? first : undefined;
}

function errorCodeOf(response: unknown): unknown {
  const error = isObject(response) ? response['Error'] : undefined;
  return isObject(error) ? error['Code'] : undefined;
}
