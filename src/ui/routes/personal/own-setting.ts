/** The settings of a user as the call takes them. It replaces all of them, so what is not changed is sent as it is. */
import { parseObject } from '../../../core/kernel/json.ts';

const defaults = {
  notify_type: 'email',
  quota_warning_threshold: 500_000,
  webhook_url: '',
  notification_email: '',
  accept_unset_model_ratio_model: false,
};
export type OwnSetting = typeof defaults;

/** The stored JSON text, with the default of each setting that is absent. The secret of the webhook is kept by not sending it. */
export function readOwnSetting(text: string): OwnSetting {
  const stored = parseObject(text) ?? {};
  const entries = Object.entries(defaults).map(([name, fallback]) => [
    name,
    typeof stored[name] === typeof fallback ? stored[name] : fallback,
  ]);
  return Object.fromEntries(entries) as OwnSetting;
}
