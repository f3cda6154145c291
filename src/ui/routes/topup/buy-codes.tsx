import { toastProblem } from '../../client/failures.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useStatus } from '../../queries/use-status.ts';
import classes from './panel.module.css';

/** Leads to the shop of the option TopUpLink, or says that there is none. */
export function BuyCodes() {
  const { t } = useTranslation();
  const link = useStatus()?.top_up_link ?? '';
  return (
    <p className={classes.buy}>
      <span>{t('topup.redeem.noCode')}</span>
      {link === '' ? (
        <button type="button" onClick={() => toastProblem(t('topup.redeem.noLink'))}>
          {t('topup.redeem.get')}
        </button>
      ) : (
        <a href={link} target="_blank" rel="noreferrer">
          {t('topup.redeem.get')}
        </a>
      )}
    </p>
  );
}
