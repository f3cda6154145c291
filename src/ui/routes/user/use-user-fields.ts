import { isRoot, roles } from '../../../core/vocabulary/roles.ts';
import { useUser } from '../../client/session.ts';
import type { FormField } from '../../form/fields.ts';
import { useTranslation } from '../../i18n/index.ts';
import { wordKey } from '../../i18n/words.ts';
import { useGroupNames } from '../../queries/use-groups.ts';
import { type UserValues, userLimits } from './user-form.ts';

/** Others are promoted and demoted. */
const creatableRoles = [roles.user, roles.admin];

export function useUserFields(
  before: UserValues,
  creating: boolean,
): readonly FormField<UserValues>[] {
  const { t } = useTranslation();
  const actor = useUser();
  // A group that is no longer offered stays until it is changed.
  const groups = [...new Set([...useGroupNames(), before.group])];
  return [
    {
      kind: 'text',
      name: 'username',
      label: t('user.form.username'),
      hint: t('user.form.username.hint', { max: userLimits.name }),
      required: true,
      first: true,
      half: true,
    },
    {
      kind: 'text',
      name: 'display_name',
      label: t('user.form.displayName'),
      hint: creating ? t('user.form.displayName.hint') : undefined,
      half: true,
    },
    {
      kind: 'secret',
      name: 'password',
      stored: false,
      label: t('user.form.password'),
      hint: t(creating ? 'user.form.password.hint' : 'user.form.password.keep', {
        min: userLimits.password,
      }),
      required: creating,
      half: true,
    },
    {
      kind: 'text',
      name: 'nickname',
      label: t('user.form.nickname'),
      half: true,
      visible: () => !creating,
    },
    {
      kind: 'select',
      name: 'group',
      label: t('user.form.group'),
      options: groups.map((name) => ({ value: name, label: name })),
      half: true,
    },
    {
      kind: 'select',
      name: 'role',
      label: t('user.column.role'),
      options: creatableRoles.map((role) => ({
        value: String(role),
        label: t(wordKey('role', role)),
      })),
      half: true,
      visible: () => creating && actor !== null && isRoot(actor.role),
    },
    {
      kind: 'quota',
      name: 'quota',
      label: t('user.form.quota'),
      hint: t('user.form.quota.hint'),
      signed: true,
      half: true,
      visible: () => !creating,
    },
  ];
}
