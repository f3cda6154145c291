import { TotalText } from '../components/money-text.tsx';
import { useTranslation } from '../i18n/index.ts';
import { useSelf } from '../queries/use-self.ts';
import classes from './balance-chip.module.css';

/** What is left in the wallet, always in sight. */
export function BalanceChip() {
  const { t } = useTranslation();
  const { data } = useSelf();
  if (data === undefined) return null;
  return (
    <span className={classes.chip} data-debt={data.quota < 0 || undefined}>
      <span className={classes.label}>{t('shell.balance')}</span>
      <b>
        <TotalText quota={data.quota} />
      </b>
    </span>
  );
}
