import { parseObject } from '../kernel/json.ts';

/** How a user wants to be notified (docs/rules/accounts.md#user-settings). */
export interface NotificationSetting {
  readonly byWebhook: boolean;
  readonly webhook: { readonly url: string; readonly secret: string };
  /** '': the account's own address. */
  readonly email: string;
}

/** `text` is the JSON of `users.setting`. */
export function readNotificationSetting(text: string): NotificationSetting {
  const setting = parseObject(text) ?? {};
  const textOf = (name: string) => (typeof setting[name] === 'string' ? setting[name].trim() : '');
  return {
    byWebhook: textOf('notify_type') === 'webhook',
    webhook: { url: textOf('webhook_url'), secret: textOf('webhook_secret') },
    email: textOf('notification_email'),
  };
}

/**
 * The balance below which the user wants to be warned, in quota; undefined: the site's own
 * (`QuotaRemindThreshold`).
 */
export function readWarningThreshold(
  setting: Readonly<Record<string, unknown>> | undefined,
): number | undefined {
  const threshold = setting?.['quota_warning_threshold'];
  return typeof threshold === 'number' && threshold > 0 ? threshold : undefined;
}
