import { mostTokensAtOnce } from '../../../core/contract/token.ts';
import type { FormField } from '../../form/fields.ts';
import { useMoney } from '../../hooks/use-money.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useOwnGroups, useOwnModels } from '../../queries/use-groups.ts';
import type { TokenValues } from './token-form.ts';

/** In units of the site's currency. */
const quotaPicks = [1, 10, 50, 100, 500, 1000];
/** Seconds from now. */
const expiryPicks = { hour: 3600, day: 86_400, month: 30 * 86_400 } as const;

export function useTokenFields(
  values: TokenValues,
  before: TokenValues,
  creating: boolean,
): readonly FormField<TokenValues>[] {
  const { t } = useTranslation();
  const { display, quotaPerUnit, total } = useMoney();
  const groups = useOwnGroups();
  const models = useOwnModels();
  const quotaText = (units: number) =>
    display.inCurrency ? `${display.symbol ?? '$'}${units}` : total(units * quotaPerUnit).text;
  // A group that the account may no longer choose stays until it is changed.
  const lostGroup =
    before.group !== '' && groups?.[before.group] === undefined ? [before.group] : [];
  return [
    {
      kind: 'text',
      name: 'name',
      label: t('token.form.name'),
      placeholder: t('token.form.name.placeholder'),
      required: true,
      first: true,
      half: true,
    },
    {
      kind: 'number',
      name: 'count',
      label: t('token.form.count'),
      hint: t('token.form.count.hint'),
      min: 1,
      max: mostTokensAtOnce,
      half: true,
      visible: () => creating,
    },
    {
      kind: 'quota',
      name: 'remain_quota',
      label: t('token.form.quota'),
      hint: t('token.form.quota.hint'),
      disabled: values.unlimited_quota,
      picks: quotaPicks.map((units) => ({
        label: quotaText(units),
        valueOf: () => Math.round(units * quotaPerUnit),
      })),
    },
    {
      kind: 'switch',
      name: 'unlimited_quota',
      label: t('token.form.unlimited'),
      hint: t('token.form.unlimited.hint'),
    },
    {
      kind: 'date',
      name: 'expired_time',
      label: t('token.form.expires'),
      half: true,
      picks: [
        { label: t('token.form.expires.never'), valueOf: () => -1 },
        ...Object.entries(expiryPicks).map(([name, seconds]) => ({
          label: t(`token.form.expires.${name as keyof typeof expiryPicks}`),
          valueOf: () => Math.floor(Date.now() / 1000) + seconds,
        })),
      ],
    },
    {
      kind: 'select',
      name: 'group',
      label: t('token.form.group'),
      hint: t('token.form.group.hint'),
      half: true,
      options: [
        { value: '', label: t('token.form.group.own') },
        ...Object.entries(groups ?? {}).map(([name, { desc, ratio }]) => ({
          value: name,
          label: t('token.form.group.option', { name, desc, ratio }),
        })),
        ...lostGroup.map((name) => ({ value: name, label: name })),
      ],
    },
    {
      kind: 'switch',
      name: 'model_limits_enabled',
      label: t('token.form.models'),
      hint: t('token.form.models.hint'),
    },
    {
      kind: 'tags',
      name: 'model_limits',
      label: t('token.form.models.list'),
      placeholder: t('token.form.models.placeholder'),
      closed: true,
      options: [...new Set([...models, ...before.model_limits])],
      visible: ({ model_limits_enabled }) => model_limits_enabled,
    },
    {
      kind: 'text',
      name: 'allow_ips',
      label: t('token.form.ips'),
      hint: t('token.form.ips.hint'),
      lines: true,
      code: true,
    },
  ];
}
