/**
 * The latest entries of the user's ledger, with the line that it adds up (docs/rules/ledger.md).
 */
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link } from 'react-router';
import type { LedgerEntity } from '../../../core/contract/entities.ts';
import { ledgerKinds } from '../../../core/vocabulary/ledger-kinds.ts';
import { client } from '../../client/api.ts';
import { useUser } from '../../client/session.ts';
import { CostText } from '../../components/money-text.tsx';
import { PostingDetail } from '../../components/posting-detail.tsx';
import { FailedState, LoadingRows } from '../../components/states.tsx';
import { StatusDot } from '../../components/status-dot.tsx';
import { ValueTag } from '../../components/tag.tsx';
import { usePhone } from '../../hooks/use-phone.ts';
import { fullTime, minuteTime } from '../../hooks/use-time-text.ts';
import { useTranslation } from '../../i18n/index.ts';
import { queryKeys } from '../../queries/query-keys.ts';
import classes from './ledger-list.module.css';

const shown = 8;

export function LedgerList({ balance }: { readonly balance: number | undefined }) {
  const { t } = useTranslation();
  const user = useUser();
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.ledger.latest(user?.id),
    queryFn: () => client.ledger.listSelf({ page_size: shown }),
  });
  const rows = data?.items;
  const phone = usePhone();
  // A new balance has a new entry.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a change of the balance counts
  useEffect(() => {
    if (rows !== undefined && rows[0]?.balance_after !== balance) void refetch();
  }, [balance]);
  const addsUp = rows?.[0] !== undefined && rows[0].balance_after === balance;
  return (
    <section className={classes.root} aria-labelledby="ledger-title">
      <div className={classes.head}>
        <h2 id="ledger-title">{t('topup.ledger')}</h2>
        <div className={classes.links}>
          {addsUp && <StatusDot tone="ok" label={t('topup.ledger.sums')} />}
          <Link to="/statement">{t('topup.ledger.all')}</Link>
        </div>
      </div>
      {rows === undefined && error !== null && (
        <FailedState
          title={t('topup.ledger.failed')}
          error={error}
          onRetry={() => void refetch()}
        />
      )}
      {rows === undefined && error === null && <LoadingRows rows={4} height={40} />}
      {rows?.length === 0 && <p className={classes.empty}>{t('topup.ledger.empty')}</p>}
      {rows !== undefined && rows.length > 0 && (
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">{t('topup.ledger.time')}</th>
              <th scope="col">{t('topup.ledger.kind')}</th>
              {!phone && (
                <th scope="col" className={classes.detail}>
                  {t('topup.ledger.detail')}
                </th>
              )}
              <th scope="col" className={classes.number}>
                {t('topup.ledger.amount')}
              </th>
              <th scope="col" className={`${classes.number} ${classes.after}`}>
                {t('topup.ledger.after')}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Entry key={row.id} row={row} phone={phone} />
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

/** On a phone the detail stands below the kind. */
function Entry({ row, phone }: { readonly row: LedgerEntity; readonly phone: boolean }) {
  const { t } = useTranslation();
  const kind = ledgerKinds.find((name) => name === row.kind);
  return (
    <tr>
      <td title={fullTime(row.created_at)}>{minuteTime(row.created_at).slice(5)}</td>
      <td>
        <ValueTag tone={row.amount > 0 ? 'ok' : 'off'}>
          {kind === undefined ? row.kind : t(`ledger.kind.${kind}`)}
        </ValueTag>
        {phone && (
          <div className={classes.below}>
            <PostingDetail row={row} />
          </div>
        )}
      </td>
      {!phone && (
        <td className={classes.detail}>
          <PostingDetail row={row} />
        </td>
      )}
      <td className={classes.number} data-in={row.amount > 0 || undefined}>
        {row.amount > 0 && '+'}
        <CostText quota={row.amount} />
      </td>
      <td className={`${classes.number} ${classes.after}`}>
        <CostText quota={row.balance_after} />
      </td>
    </tr>
  );
}
