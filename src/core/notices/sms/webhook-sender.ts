import { type Clock, nowSeconds } from '../../kernel/clock.ts';
import type { OptionStore } from '../../site/option-store.ts';
import type { Upstream } from '../../upstream/send.ts';
import { signatureOf } from '../webhook.ts';
import { limits, maxReplyBytes, notTaken, type SmsSender } from './sms-sender.ts';

/**
 * Posts codes to a service of the owner, which may have a private address, signed as notices are
 * (docs/rules/notices.md#webhooks).
 */
export function createWebhookSender(deps: {
  readonly options: Pick<OptionStore, 'get'>;
  readonly upstream: Pick<Upstream, 'deliver'>;
  readonly clock: Clock;
}): SmsSender {
  const { options, upstream, clock } = deps;
  return {
    isConfigured: () =>
      options.get('sms.webhook_url') !== '' && options.get('sms.webhook_secret') !== '',
    send: async ({ phone, code, minutes }, signal) => {
      const template = options.get('sms.template_code');
      const body = JSON.stringify({ phone, code, minutes, template, timestamp: nowSeconds(clock) });
      const headers = {
        'content-type': 'application/json',
        ...signatureOf(body, options.get('sms.webhook_secret')),
      };
      const request = {
        method: 'POST',
        url: options.get('sms.webhook_url'),
        headers,
        body,
      } as const;
      const status = await upstream.deliver({ ...request, ...limits }, maxReplyBytes, signal);
      if (status < 200 || status > 299) throw notTaken(status);
      return '';
    },
  };
}
