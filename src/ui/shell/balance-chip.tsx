import { Link } from 'react-router';
import { TotalText } from '../components/money-text.tsx';
import { useTranslation } from '../i18n/index.ts';
import { useSelf } from '../queries/use-self.ts';
import classes from './balance-chip.module.css';

/** What is left in the wallet, always in sight; it leads there. */
export function BalanceChip() {
  const { t } = useTranslation();
  const { data } = useSelf();
  if (data === undefined) return null;
  return (
    <Link to="/topup" className={classes.chip} data-debt={data.quota < 0 || undefined}>
      <span className={classes.label}>{t('shell.balance')}</span>
      <b>
        <TotalText quota={data.quota} />
      </b>
    </Link>
  );
}
