import { MultiSelect } from '@mantine/core';
import { budgetFields } from '../../../core/entities/budget.ts';
import {
  budgetEach,
  budgetOwners,
  budgetPeriods,
  eachOf,
} from '../../../core/vocabulary/budgets.ts';
import { useIsAdmin } from '../../client/session.ts';
import type { FieldGroup, FieldOption, FormField } from '../../form/fields.ts';
import { useMoney } from '../../hooks/use-money.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useOwnModels } from '../../queries/use-groups.ts';
import { type BudgetValues, canCarry, canFence, fenceNames, rateNames } from './budget-form.ts';
import { OwnerField } from './owner-field.tsx';

/** In units of the site's currency. */
const quotaPicks = [1, 5, 10, 50, 100];
const weekdays = [1, 2, 3, 4, 5, 6, 7] as const;

/** `known`: name of the stored owner. */
export function useBudgetFields(
  values: BudgetValues,
  known: FieldOption | undefined,
): { readonly fields: FormField<BudgetValues>[]; readonly groups: FieldGroup<BudgetValues>[] } {
  const { t } = useTranslation();
  const { total, quotaPerUnit } = useMoney();
  const isAdmin = useIsAdmin();
  const models = useOwnModels();
  const days = weekdays.map((day) => ({ value: String(day), label: t(`budget.day.${day}`) }));
  const owners = isAdmin ? budgetOwners : (['token', 'user'] as const);
  const each = eachOf[values.owner] ?? [];
  const rates = rateNames.map(
    (name): FormField<BudgetValues> => ({
      kind: 'number',
      name,
      label: t(`budget.form.${name}`),
      hint: t(`budget.form.${name}.hint`),
      min: 0,
      max: budgetFields[name].limits.max,
      half: true,
    }),
  );
  const isRate = values.period === 'none';
  return {
    fields: [
      {
        kind: 'text',
        name: 'name',
        label: t('budget.form.name'),
        placeholder: t('budget.form.name.placeholder'),
        first: true,
      },
      {
        kind: 'select',
        name: 'owner',
        label: t('budget.form.owner'),
        options: owners.map((value) => ({
          value,
          label: t(value === 'user' && !isAdmin ? 'budget.owner.self' : `budget.owner.${value}`),
        })),
        half: true,
      },
      {
        kind: 'custom',
        name: 'owner_id',
        label: t('budget.form.whose'),
        half: true,
        visible: ({ owner }) => isAdmin || owner === 'token',
        render: ({ value, onChange, error }) => (
          <OwnerField {...{ owner: values.owner, known, onChange, error }} value={String(value)} />
        ),
      },
      {
        kind: 'quota',
        name: 'amount',
        label: t('budget.form.amount'),
        required: true,
        visible: ({ period }) => period !== 'none',
        picks: quotaPicks.map((units) => ({
          label: total(units * quotaPerUnit).text,
          valueOf: () => Math.round(units * quotaPerUnit),
        })),
      },
      {
        kind: 'select',
        name: 'period',
        label: t('budget.form.period'),
        options: budgetPeriods.map((value) => ({ value, label: t(`budget.period.${value}`) })),
        half: true,
      },
      ...(isRate ? rates : []),
      {
        kind: 'select',
        name: 'each',
        label: t('budget.form.each'),
        hint: t('budget.form.each.hint'),
        options: budgetEach
          .filter((value) => each.includes(value))
          .map((value) => ({
            value: value === '' ? 'all' : value,
            label: t(`budget.each.${value === '' ? 'all' : value}`),
          })),
        // A select has no option ''.
        part: {
          path: 'part',
          read: (whole) => (whole === '' ? 'all' : whole),
          write: (_, part) => (part === 'all' ? '' : part),
        },
        half: true,
      },
      {
        kind: 'select',
        name: 'at_end',
        label: t('budget.form.end'),
        hint: t('budget.form.end.hint'),
        options: (['refuse', 'warn'] as const).map((value) => ({
          value,
          label: t(`budget.end.${value}`),
        })),
        half: true,
      },
      {
        kind: 'text',
        name: 'thresholds',
        label: t('budget.form.thresholds'),
        hint: t('budget.form.thresholds.hint'),
        half: true,
        visible: ({ period }) => period !== 'none',
      },
      ...fenceNames.map(
        (name): FormField<BudgetValues> => ({
          kind: 'number',
          name,
          label: t(`budget.form.${name}`),
          hint: t(`budget.form.${name}.hint`),
          min: 0,
          max: budgetFields[name].limits.max,
          half: true,
          visible: canFence,
        }),
      ),
      {
        kind: 'switch',
        name: 'enabled',
        label: t('budget.form.enabled'),
        hint: t('budget.form.enabled.hint'),
      },
    ],
    groups: [
      ...(isRate
        ? []
        : [{ title: t('budget.group.rates'), hint: t('budget.group.rates.hint'), fields: rates }]),
      {
        title: t('budget.group.closed'),
        // Presets close days while the group is folded.
        hint:
          days
            .filter(({ value }) => values.closed_days.includes(value))
            .map(({ label }) => label)
            .join(t('common.joint')) || t('budget.group.closed.hint'),
        fields: [
          {
            kind: 'custom',
            name: 'closed_days',
            label: t('budget.form.days'),
            render: ({ value, onChange }) => (
              <MultiSelect
                label={t('budget.form.days')}
                data={days}
                value={[...(value as readonly string[])]}
                onChange={onChange}
              />
            ),
          },
          {
            kind: 'text',
            name: 'closed_hours',
            label: t('budget.form.hours'),
            hint: t('budget.form.hours.hint'),
            placeholder: '22:00-06:00',
          },
        ],
      },
      {
        title: t('budget.group.more'),
        hint: t('budget.group.more.hint'),
        fields: [
          {
            kind: 'tags',
            name: 'models',
            label: t('budget.form.models'),
            hint: t('budget.form.models.hint'),
            placeholder: t('budget.form.models.placeholder'),
            options: models,
          },
          {
            kind: 'text',
            name: 'tag',
            label: t('budget.form.tag'),
            hint: t('budget.form.tag.hint'),
            placeholder: 'team:blue',
          },
          {
            kind: 'select',
            name: 'window',
            label: t('budget.form.window'),
            hint: t('budget.form.window.hint'),
            options: (['calendar', 'rolling'] as const).map((value) => ({
              value,
              label: t(`budget.window.${value}`),
            })),
            half: true,
            visible: ({ period }) => period !== 'total' && period !== 'none',
          },
          {
            kind: 'number',
            name: 'carry_over',
            label: t('budget.form.carry'),
            hint: t('budget.form.carry.hint'),
            min: 0,
            max: 100,
            half: true,
            visible: canCarry,
          },
          {
            kind: 'text',
            name: 'time_zone',
            label: t('budget.form.zone'),
            hint: t('budget.form.zone.hint'),
            options: Intl.supportedValuesOf('timeZone'),
            half: true,
          },
          {
            kind: 'select',
            name: 'week_start',
            label: t('budget.form.week'),
            options: days,
            half: true,
            visible: ({ period }) => period === 'week',
          },
        ],
      },
    ],
  };
}
