import { mostRedemptions } from '../../../core/contract/redemption.ts';
import type { FormField } from '../../form/fields.ts';
import { useMoney } from '../../hooks/use-money.ts';
import { useTranslation } from '../../i18n/index.ts';
import type { RedemptionValues } from './redemption-form.ts';

/** In units of the site's currency. */
const quotaPicks = [1, 5, 10, 50, 100];
/** Seconds from now. */
const expiryPicks = {
  day: 86_400,
  week: 7 * 86_400,
  month: 30 * 86_400,
  year: 365 * 86_400,
} as const;

export function useRedemptionFields(
  values: RedemptionValues,
  creating: boolean,
): readonly FormField<RedemptionValues>[] {
  const { t } = useTranslation();
  const { display, quotaPerUnit, total } = useMoney();
  const quotaText = (units: number) =>
    display.inCurrency ? `$${units}` : total(units * quotaPerUnit).text;
  return [
    {
      kind: 'text',
      name: 'name',
      label: t('redemption.form.name'),
      hint: creating ? t('redemption.form.name.hint') : undefined,
      // What the server names a code that was given no name.
      placeholder: creating && values.quota !== '' ? total(values.quota).text : '',
      required: !creating,
      first: true,
      half: true,
    },
    {
      kind: 'number',
      name: 'count',
      label: t('redemption.form.count'),
      hint: t('redemption.form.count.hint', { max: mostRedemptions }),
      min: 1,
      max: mostRedemptions,
      half: true,
      visible: () => creating,
    },
    {
      kind: 'quota',
      name: 'quota',
      label: t('redemption.form.quota'),
      hint: t('redemption.form.quota.hint'),
      picks: quotaPicks.map((units) => ({
        label: quotaText(units),
        valueOf: () => Math.round(units * quotaPerUnit),
      })),
    },
    {
      kind: 'date',
      name: 'expired_time',
      label: t('redemption.form.expires'),
      hint: t('redemption.form.expires.hint'),
      picks: [
        { label: t('redemption.form.expires.never'), valueOf: () => -1 },
        ...Object.entries(expiryPicks).map(([name, seconds]) => ({
          label: t(`redemption.form.expires.${name as keyof typeof expiryPicks}`),
          valueOf: () => Math.floor(Date.now() / 1000) + seconds,
        })),
      ],
    },
  ];
}
