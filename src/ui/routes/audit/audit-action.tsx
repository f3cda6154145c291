/** Names of actions. One that this release does not know is shown by its code. */
import { type TextKey, useTranslation } from '../../i18n/index.ts';
import type { FilterOption } from '../../list/filter-bar.tsx';

/** What is acted on, and what can be done to it. */
const actions = {
  user: [
    ...[
      'create',
      'update',
      'quota',
      'grant',
      'promote',
      'demote',
      'disable',
      'enable',
      'delete',
      'remove',
    ],
    ...['remove_self', 'system_token', 'password_reset', 'transfer'],
  ],
  channel: [
    ...['create', 'copy', 'update', 'remove', 'remove_disabled', 'fix'],
    ...['edit_tag', 'enable_tag', 'disable_tag', 'assign_tag'],
  ],
  token: ['create', 'update', 'remove'],
  redemption: ['create', 'update', 'status', 'remove', 'remove_invalid'],
  model: ['create', 'update', 'remove'],
  option: ['set', 'reset'],
  topup: ['complete'],
  log: ['prune'],
  site: ['setup'],
} as const;
type Area = keyof typeof actions;

const areas = Object.keys(actions) as readonly Area[];
const known: ReadonlySet<string> = new Set(
  areas.flatMap((area) => actions[area].map((name) => `${area}.${name}`)),
);

export function actionText(t: (key: TextKey) => string, action: string): string {
  return known.has(action) ? t(`audit.action.${action}` as TextKey) : action;
}

export function ActionName({ action }: { readonly action: string }) {
  const { t } = useTranslation();
  return known.has(action) ? (
    <span title={action}>{actionText(t, action)}</span>
  ) : (
    <code>{action}</code>
  );
}

/** All of an area, then its actions, as filters of the call. */
export function useActionOptions(): readonly FilterOption[] {
  const { t } = useTranslation();
  return areas.flatMap((area) => [
    { value: `${area}.`, label: t(`audit.area.${area}`) },
    ...actions[area].map((name) => ({
      value: `${area}.${name}`,
      label: actionText(t, `${area}.${name}`),
    })),
  ]);
}
