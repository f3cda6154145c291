/**
 * The settings of a user as the call takes them. It replaces all of them, so what is not changed is
 * sent as it is.
 */
import { parseObject } from '../../../core/kernel/json.ts';

const defaults = {
  notify_type: 'email',
  webhook_url: '',
  notification_email: '',
  accept_unset_model_ratio_model: false,
};
/** `quota_warning_threshold` is absent where the user has set none. */
export type OwnSetting = typeof defaults & { readonly quota_warning_threshold?: number };

/**
 * The stored JSON text, with the default of each setting that is absent. The secret of the webhook
 * is kept by not sending it.
 */
export function readOwnSetting(text: string): OwnSetting {
  const stored = parseObject(text) ?? {};
  const entries = Object.entries(defaults).map(([name, fallback]) => [
    name,
    typeof stored[name] === typeof fallback ? stored[name] : fallback,
  ]);
  const threshold = stored['quota_warning_threshold'];
  return {
    ...(Object.fromEntries(entries) as typeof defaults),
    ...(typeof threshold === 'number' && threshold > 0 && { quota_warning_threshold: threshold }),
  };
}

/** Whether a secret for webhooks is stored. */
export function hasWebhookSecret(text: string): boolean {
  return parseObject(text)?.['has_webhook_secret'] === true;
}
