/** The postings of one kind in a month, one by one. */
import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { StatementEntity } from '../../../core/contract/statement.ts';
import { formatCount } from '../../../core/pricing/format.ts';
import { client } from '../../client/api.ts';
import { toastFailure } from '../../client/failures.ts';
import { CostText } from '../../components/money-text.tsx';
import { PostingDetail } from '../../components/posting-detail.tsx';
import { FailedState, LoadingRows } from '../../components/states.tsx';
import { zonedTime } from '../../hooks/use-time-text.ts';
import { useTranslation } from '../../i18n/index.ts';
import { queryKeys } from '../../queries/query-keys.ts';
import classes from './statement.module.css';

type Kind = StatementEntity['kinds'][number]['kind'];
const pageSize = 100;

export function MovementDetails({
  statement,
  kind,
}: {
  readonly statement: StatementEntity;
  readonly kind: Kind;
}) {
  const { t } = useTranslation();
  const { user_id, month, movements, movements_total, time_zone } = statement;
  const isWhole = movements.length === movements_total;
  const pages = useInfiniteQuery({
    queryKey: [...queryKeys.statement(undefined, user_id, month), kind],
    queryFn: ({ pageParam }) =>
      client.statement.movements({ user_id, month, kind, p: pageParam, page_size: pageSize }),
    initialPageParam: 1,
    getNextPageParam: ({ page, total }) => (page * pageSize < total ? page + 1 : undefined),
    enabled: !isWhole,
  });
  const rows = isWhole
    ? movements.filter((row) => row.kind === kind)
    : (pages.data?.pages.flatMap(({ items }) => items) ?? []);
  if (!isWhole && pages.data === undefined)
    return pages.error === null ? (
      <LoadingRows rows={2} height={32} />
    ) : (
      <FailedState
        title={t('statement.failed')}
        error={pages.error}
        onRetry={() => void pages.refetch()}
      />
    );
  return (
    <div className={classes.details}>
      <table className={classes.inner}>
        <thead>
          <tr>
            <th scope="col">{t('statement.column.time')}</th>
            <th scope="col">{t('statement.column.detail')}</th>
            <th scope="col" data-numeric>
              {t('statement.column.amount')}
            </th>
            <th scope="col" data-numeric>
              {t('statement.column.after')}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <td>{zonedTime(row.created_at, time_zone)}</td>
              <td className={classes.reference}>
                <PostingDetail row={row} />
              </td>
              <td data-numeric>
                <CostText quota={row.amount} />
              </td>
              <td data-numeric>
                <CostText quota={row.balance_after} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {!isWhole && pages.hasNextPage && (
        <>
          <p className={classes.part}>
            {t('statement.part', {
              shown: formatCount(rows.length),
              total: formatCount(pages.data?.pages[0]?.total ?? rows.length),
            })}
          </p>
          <Button
            variant="default"
            size="xs"
            loading={pages.isFetching}
            onClick={() => {
              void pages.fetchNextPage().then(({ error }) => {
                if (error !== null) toastFailure(error);
              });
            }}
          >
            {t('statement.more')}
          </Button>
        </>
      )}
    </div>
  );
}
