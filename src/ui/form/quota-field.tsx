/** A quota with what it is worth: "= $2.00" inside the field (docs/rules/console.md#forms). */
import { NumberInput, type NumberInputProps } from '@mantine/core';
import { formatCount, formatTokenCount } from '../../core/pricing/format.ts';
import { type Money, useMoney } from '../hooks/use-money.ts';
import { useTranslation } from '../i18n/index.ts';

/** Characters of a quota and its worth for which half a line has room. */
const mostCharacters = 24;

/** `= $2.00`; of a quota that leaves no room for it, about: its own digits are never covered. */
function worthOf(quota: number, { quotaPerUnit, display }: Money, equals: string): string {
  if (formatCount(quota).length + equals.length <= mostCharacters) return equals;
  const sign = quota < 0 ? '−' : '';
  const units = Math.round(Math.abs(quota) / quotaPerUnit);
  return `≈ ${sign}${display.symbol ?? '$'}${formatTokenCount(units)}`;
}

/** Mantine gives numbers of 14 characters and more as texts. */
function numberOf(typed: number | string): number | string {
  const isLong = typeof typed === 'string' && /^-?[1-9]\d{12,15}$/.test(typed);
  return isLong && Number.isSafeInteger(Number(typed)) ? Number(typed) : typed;
}

export function QuotaField({ onChange, ...props }: NumberInputProps) {
  const { t } = useTranslation();
  const money = useMoney();
  const { value } = props;
  const worth =
    money.display.inCurrency && typeof value === 'number' && Number.isSafeInteger(value)
      ? worthOf(value, money, t('common.equals', { amount: money.total(value).text }))
      : undefined;
  return (
    <NumberInput
      allowDecimal={false}
      allowNegative={false}
      thousandSeparator=","
      rightSection={
        worth === undefined ? undefined : (
          <span
            style={{ paddingRight: 12, whiteSpace: 'nowrap', color: 'var(--tp-dim)', fontSize: 13 }}
          >
            {worth}
          </span>
        )
      }
      rightSectionWidth={worth === undefined ? undefined : worth.length * 8 + 20}
      {...props}
      onChange={(typed) => onChange?.(numberOf(typed))}
    />
  );
}
