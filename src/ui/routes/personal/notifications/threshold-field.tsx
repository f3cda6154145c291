/**
 * A quota with what it is worth, as plain text: it shows with the screen, and number fields weigh
 * more.
 */
import { TextInput } from '@mantine/core';
import { QuickPicks } from '../../../form/quick-picks.tsx';
import { useMoney } from '../../../hooks/use-money.ts';
import { useTranslation } from '../../../i18n/index.ts';
import classes from './notifications.module.css';

/** Quota. */
const picks = [100_000, 500_000, 1_000_000, 5_000_000];

interface ThresholdFieldProps {
  readonly label: string;
  readonly description: string | undefined;
  readonly error: string | undefined;
  readonly value: number | '';
  readonly onChange: (value: number | '') => void;
}

export function ThresholdField({ value, onChange, ...field }: ThresholdFieldProps) {
  const { t } = useTranslation();
  const { total, display } = useMoney();
  const hasWorth = display.inCurrency && typeof value === 'number' && Number.isSafeInteger(value);
  const worth = hasWorth ? t('common.equals', { amount: total(value).text }) : undefined;
  return (
    <div>
      <TextInput
        {...field}
        inputMode="numeric"
        value={String(value)}
        onChange={(event) => {
          const digits = event.currentTarget.value.replace(/\D/g, '').slice(0, 16);
          onChange(digits === '' ? '' : Number(digits));
        }}
        {...(worth !== undefined && {
          rightSection: <span className={classes.worth}>{worth}</span>,
          rightSectionWidth: worth.length * 8 + 20,
        })}
      />
      <QuickPicks
        label={field.label}
        picks={picks.map((quota) => ({ label: total(quota).text, onPick: () => onChange(quota) }))}
      />
    </div>
  );
}
