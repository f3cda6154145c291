/** What changed in a form against what was loaded: the foot's list, and the only fields that are sent. */
import { useTranslation } from 'react-i18next';

/** Names of the fields whose values differ; lists count as equal when their members and order are. */
export function changedKeys<V extends object>(before: V, after: V): readonly (keyof V & string)[] {
  return (Object.keys(after) as (keyof V & string)[]).filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]));
}

/** Longest value the foot repeats. */
const longest = 18;

export type FieldLabels<V> = Readonly<Partial<Record<keyof V & string, string>>>;

/** One text per changed field: "权重 20 → 25"; the name alone where values are long, or secret (`hidden`). */
export function useChangeTexts() {
  const { t } = useTranslation();
  return <V extends object>(
    before: V,
    after: V,
    labels: FieldLabels<V>,
    hidden: readonly (keyof V & string)[] = [],
  ): readonly string[] =>
    changedKeys(before, after).map((key) => {
      const field = labels[key] ?? key;
      const show = (value: unknown) =>
        value === '' || value === null || value === undefined ? t('common.empty') : String(value);
      const [from, to] = [before[key], after[key]];
      const plain = [from, to].every(
        (value) => typeof value === 'number' || (typeof value === 'string' && value.length <= longest && !value.includes('\n')),
      );
      if (hidden.includes(key) || !plain) return t('common.change.field', { field });
      return t('common.change.fromTo', { field, from: show(from), to: show(to) });
    });
}
