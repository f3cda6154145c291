import { useMoney } from '../hooks/use-money.ts';
import { minuteTime } from '../hooks/use-time-text.ts';
import { useTranslation } from '../i18n/index.ts';
import { changedKeys } from './changed-keys.ts';
import type { Field, FormField } from './fields.ts';

/** Longest value that is repeated. */
const longest = 18;

/** The text of a value; undefined where values are lists, long, or secret. */
export function useFieldText(): (field: Field, value: unknown) => string | undefined {
  const { t } = useTranslation();
  const money = useMoney();
  return (field, value) => {
    switch (field.kind) {
      case 'switch':
      case 'tags':
      case 'json':
      case 'secret':
      case 'custom':
        return undefined;
      case 'date':
        return value === -1 ? t('common.never') : minuteTime(Number(value));
      case 'select':
        return field.options.find((option) => option.value === value)?.label ?? String(value);
      case 'quota':
        return typeof value === 'number' ? money.total(value).text : t('common.empty');
      case 'number':
      case 'text':
        return value === '' ? t('common.empty') : String(value);
    }
  };
}

/**
 * One text per changed field: "Weight 20 → 25"; the name alone where values are long, lists, or
 * secret.
 */
export function useFieldChanges<V extends object>(
  before: V,
  after: V,
  fields: readonly FormField<V>[],
): readonly string[] {
  const { t } = useTranslation();
  const show = useFieldText();
  return changedKeys(before, after).map((name) => {
    const field = fields.find((other) => other.name === name && other.part === undefined);
    if (field === undefined) return name;
    const from = show(field, before[name]);
    const to = show(field, after[name]);
    const plain = [from, to].every(
      (text) => text !== undefined && text.length <= longest && !text.includes('\n'),
    );
    if (!plain) return t('common.change.field', { field: field.label });
    return t('common.change.fromTo', { field: field.label, from: from ?? '', to: to ?? '' });
  });
}
