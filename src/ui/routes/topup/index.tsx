/**
 * The wallet: balance, spending, online top-up, redemption codes, the latest ledger entries
 * (docs/rules/console.md#wallet).
 */
import { Button } from '@mantine/core';
import { History } from 'lucide-react';
import { Link } from 'react-router';
import { PageHeader } from '../../components/page.tsx';
import { FailedState } from '../../components/states.tsx';
import { usePhone } from '../../hooks/use-phone.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useSelf } from '../../queries/use-self.ts';
import { Balance } from './balance.tsx';
import { LedgerList } from './ledger-list.tsx';
import { RedeemBox } from './redeem-box.tsx';
import { Spending } from './spending.tsx';
import { TopUpPanel } from './top-up-panel.tsx';
import classes from './topup.module.css';

export function WalletScreen() {
  const { t } = useTranslation();
  const phone = usePhone();
  const { data: self, error, refetch } = useSelf();
  return (
    <div className={classes.page}>
      <PageHeader
        title={t('topup.title')}
        sentence={phone ? undefined : t('topup.subtitle')}
        actions={
          <Button
            component={Link}
            to="/topup/history"
            variant="default"
            leftSection={<History size={16} strokeWidth={1.75} />}
          >
            {t('topup.history')}
          </Button>
        }
      />
      {self === undefined && error !== null ? (
        <FailedState title={t('topup.title')} error={error} onRetry={() => void refetch()} />
      ) : (
        <>
          <div className={classes.columns}>
            <section className={classes.main} aria-label={t('topup.balance')}>
              <Balance self={self} />
              <Spending self={self} />
            </section>
            <div className={classes.side}>
              <TopUpPanel group={self?.group ?? ''} />
              <RedeemBox />
            </div>
          </div>
          <LedgerList balance={self?.quota} />
        </>
      )}
    </div>
  );
}
