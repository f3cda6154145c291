/**
 * Why a balance is what it is: a month between its opening and its closing balance
 * (docs/rules/console.md#statement).
 */
import { ActionIcon, Button } from '@mantine/core';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { Download, type LucideIcon, Printer } from 'lucide-react';
import { client } from '../../client/api.ts';
import { toastFailure } from '../../client/failures.ts';
import { saveFile } from '../../client/save-file.ts';
import { useUser } from '../../client/session.ts';
import { PageHeader } from '../../components/page.tsx';
import { FailedState, LoadingRows } from '../../components/states.tsx';
import { usePhone } from '../../hooks/use-phone.ts';
import { useUrlState } from '../../hooks/use-url-state.ts';
import { useTranslation } from '../../i18n/index.ts';
import { FilterMenu } from '../../list/filter-bar.tsx';
import { queryKeys } from '../../queries/query-keys.ts';
import classes from './statement.module.css';
import { StatementTable } from './statement-table.tsx';

const defaults = { user: '', month: '' } as const;

/**
 * The statement that the URL names: of a month (the current one), and for administrators of a user.
 */
function useStatement() {
  const self = useUser();
  const [state, change] = useUrlState(defaults);
  const userId = /^[1-9]\d*$/.test(state.user) ? Number(state.user) : undefined;
  const month = /^\d{4}-\d{2}$/.test(state.month) ? state.month : undefined;
  const scope = {
    ...(userId !== undefined && { user_id: userId }),
    ...(month !== undefined && { month }),
  };
  const query = useQuery({
    queryKey: queryKeys.statement(self?.id, userId, month ?? ''),
    queryFn: () => client.statement.get(scope),
    placeholderData: keepPreviousData,
  });
  return {
    ...query,
    scope,
    isOwn: userId === undefined || userId === self?.id,
    selectMonth: (next: string) => change({ month: next }),
  };
}

export function StatementScreen() {
  const { t } = useTranslation();
  const phone = usePhone();
  const { data, error, refetch, scope, isOwn, selectMonth } = useStatement();
  const csv = useMutation({
    mutationFn: async () => saveFile(await client.statement.export(scope)),
    meta: { quiet: true },
    onError: (failure) => toastFailure(failure, t('statement.csv.failed')),
  });
  if (data === undefined) {
    return (
      <div className={classes.page}>
        <PageHeader title={t('statement.title')} />
        {error === null ? (
          <LoadingRows rows={6} height={48} />
        ) : (
          <FailedState title={t('statement.failed')} error={error} onRetry={() => void refetch()} />
        )}
      </div>
    );
  }
  return (
    <div className={classes.page}>
      <PageHeader
        title={isOwn ? t('statement.title') : t('statement.of', { name: data.username })}
        sentence={phone ? undefined : t('statement.sentence', { zone: data.time_zone })}
        actions={
          <>
            <FilterMenu
              label={t('statement.month')}
              value={data.month}
              always
              options={data.months.map((month) => ({ value: month, label: month }))}
              onChange={selectMonth}
            />
            <Action label={t('statement.print')} icon={Printer} onClick={() => window.print()} />
            <Action
              label={t('statement.csv')}
              icon={Download}
              onClick={() => csv.mutate()}
              loading={csv.isPending}
            />
          </>
        }
      />
      <p className={classes.heading}>
        {data.username} · {data.month}
      </p>
      <StatementTable statement={data} />
    </div>
  );
}

interface ActionProps {
  readonly label: string;
  readonly icon: LucideIcon;
  readonly onClick: () => void;
  readonly loading?: boolean;
}

/** On phones its icon alone. */
function Action({ label, icon: Icon, onClick, loading = false }: ActionProps) {
  const icon = <Icon size={16} strokeWidth={1.75} />;
  if (usePhone()) {
    return (
      <ActionIcon
        variant="default"
        size={44}
        aria-label={label}
        loading={loading}
        onClick={onClick}
      >
        {icon}
      </ActionIcon>
    );
  }
  return (
    <Button variant="default" leftSection={icon} loading={loading} onClick={onClick}>
      {label}
    </Button>
  );
}
