/** A quota with what it is worth: "= $2.00" inside the field (docs/rules/console.md#forms). */
import { NumberInput, type NumberInputProps } from '@mantine/core';
import { useMoney } from '../hooks/use-money.ts';
import { useTranslation } from '../i18n/index.ts';

export function QuotaField(props: NumberInputProps) {
  const { t } = useTranslation();
  const money = useMoney();
  const { value } = props;
  const worth =
    money.display.inCurrency && typeof value === 'number' && Number.isSafeInteger(value)
      ? t('common.equals', { amount: money.total(value).text })
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
    />
  );
}
