import type { Changes } from '../cluster/changes.ts';
import type { ParsedInputOf } from '../contract/endpoint.ts';
import type { selfApi } from '../contract/user.ts';
import { AppError } from '../kernel/errors.ts';
import { isHeaderText } from '../kernel/header-text.ts';
import { parseObject } from '../kernel/json.ts';
import type { Storage } from '../storage/storage.ts';
import { type GuardPolicy, isWebhookAddress } from '../upstream/guard.ts';

/** A user's own settings, under their names in the stored JSON (docs/rules/accounts.md#user-settings). */
export type UserSetting = ParsedInputOf<typeof selfApi.updateSetting>;

export interface UserSettingDeps {
  readonly storage: Pick<Storage, 'users'>;
  readonly changes: Changes;
  readonly guard: GuardPolicy;
}

export type UpdateSetting = (userId: number, setting: UserSetting) => Promise<void>;

/** Replaces the settings; unknown keys stay. Throws AppError warning_type_invalid, webhook_url_invalid, header_text_invalid. */
export function bindUpdateSetting({ storage, changes, guard }: UserSettingDeps): UpdateSetting {
  return async (userId, setting) => {
    if (setting.notify_type !== 'email' && setting.notify_type !== 'webhook') throw new AppError('warning_type_invalid');
    const url = setting.webhook_url.trim();
    if (url === '' ? setting.notify_type === 'webhook' : !isWebhookAddress(url, guard)) throw new AppError('webhook_url_invalid');
    if (!isHeaderText(setting.webhook_secret)) throw new AppError('header_text_invalid', { field: 'webhook_secret' });
    const user = await storage.users.find(userId);
    if (user === null) throw new AppError('not_found');
    const { webhook_secret: stored, ...kept } = parseObject(user.setting) ?? {};
    const secret = setting.webhook_secret === '' ? stored : setting.webhook_secret === '-' ? undefined : setting.webhook_secret;
    const next = { ...kept, ...setting, webhook_url: url, webhook_secret: secret };
    await storage.users.update(userId, { setting: JSON.stringify(next) });
    await changes.announce('user', userId);
  };
}
