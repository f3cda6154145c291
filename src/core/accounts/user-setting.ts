import type { Commit } from '../audit/commit.ts';
import type { ParsedInputOf } from '../contract/endpoint.ts';
import type { selfApi } from '../contract/user.ts';
import { AppError } from '../kernel/errors.ts';
import { isHeaderText } from '../kernel/header-text.ts';
import { parseObject } from '../kernel/json.ts';
import { type GuardPolicy, isWebhookAddress } from '../upstream/guard.ts';
import { lockUser } from './sign-in/remaining-method.ts';

/**
 * A user's own settings, under their names in the stored JSON; absent ones stay as they are
 * (docs/rules/accounts.md#user-settings).
 */
export type UserSetting = ParsedInputOf<typeof selfApi.updateSetting>;

export interface UserSettingDeps {
  readonly commit: Commit;
  readonly guard: GuardPolicy;
}

export type UpdateSetting = (userId: number, setting: UserSetting) => Promise<void>;

/**
 * Changes the settings that are given. They are merged with the stored ones while the user is
 * locked, so that of two changes at the same time none is lost. Throws AppError
 * warning_type_invalid, webhook_url_invalid, header_text_invalid, not_found.
 */
export function bindUpdateSetting({ commit, guard }: UserSettingDeps): UpdateSetting {
  const check = ({ notify_type: type, webhook_url: url = '' }: UserSetting): void => {
    if (type !== undefined && type !== 'email' && type !== 'webhook')
      throw new AppError('warning_type_invalid');
    if (url === '' ? type === 'webhook' : !isWebhookAddress(url, guard))
      throw new AppError('webhook_url_invalid');
  };
  return async (userId, { webhook_secret: secret = '', webhook_url: url, ...rest }) => {
    if (!isHeaderText(secret))
      throw new AppError('header_text_invalid', { field: 'webhook_secret' });
    await commit(async (inside, notes) => {
      await lockUser(inside, userId);
      const stored = parseObject((await inside.users.find(userId))?.setting ?? '') ?? {};
      const given = { ...rest, ...(url !== undefined && { webhook_url: url.trim() }) };
      const next = {
        ...stored,
        ...given,
        ...(secret !== '' && { webhook_secret: secret === '-' ? undefined : secret }),
      };
      if (rest.notify_type !== undefined || url !== undefined) check(next as UserSetting);
      await inside.users.update(userId, { setting: JSON.stringify(next) });
      if (rest.playground_history === false)
        await inside.playgroundItems.deleteAll({ userId, kind: 'chat' });
      notes.changed('user', userId);
    });
  };
}
