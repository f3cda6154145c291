/** API tokens: banner, search by name and key, table, drawer, ticket of a new key (seed, administration 2 "Tokens"). */
import { ActionIcon, Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Copy, Plus, Power, PowerOff, Trash2, TriangleAlert, X } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TokenEntity } from '../../../core/contract/entities.ts';
import { tokenStatuses } from '../../../core/vocabulary/statuses.ts';
import { readStored, storageKeys, writeStored } from '../../browser/local-storage.ts';
import { client } from '../../client/api.ts';
import { useUser } from '../../client/session.ts';
import { confirmDanger } from '../../components/confirm-danger.tsx';
import { ListPage, PageHeader } from '../../components/page.tsx';
import { EmptyState, FailedState, LoadingRows, NoMatchState } from '../../components/states.tsx';
import { useCopy } from '../../hooks/use-copy.ts';
import { usePhone } from '../../hooks/use-phone.ts';
import { wordKey } from '../../i18n/words.ts';
import { BulkAction, BulkBar } from '../../list/bulk-bar.tsx';
import { CardList, ThingCard } from '../../list/card-list.tsx';
import { ColumnMenu } from '../../list/column-menu.tsx';
import { ListTable } from '../../list/data-table.tsx';
import { FilterBar, FilterMenu } from '../../list/filter-bar.tsx';
import { Pager } from '../../list/pager.tsx';
import { SearchField } from '../../list/search-field.tsx';
import { useColumns } from '../../list/use-columns.ts';
import { useDraft } from '../../list/use-draft.ts';
import { QuotaBar } from './quota-bar.tsx';
import classes from './token.module.css';
import { type TokenActs, TokenExpiry, TokenKey, TokenMenu, TokenStatus, useTokenColumns } from './token-columns.tsx';
import { useTokens } from './use-tokens.ts';

// Forms come when somebody wants to fill one in: the list must be there first.
const TokenDrawer = lazy(async () => ({ default: (await import('./token-drawer.tsx')).TokenDrawer }));
const TokenTicket = lazy(async () => ({ default: (await import('./token-ticket.tsx')).TokenTicket }));

const keyOf = (token: TokenEntity) => token.id;

export function TokenScreen() {
  const { t } = useTranslation();
  const user = useUser();
  const phone = usePhone();
  const tokens = useTokens();
  const { copy } = useCopy();
  const { draft, create, edit, close } = useDraft<TokenEntity>();
  const [made, setMade] = useState<readonly TokenEntity[]>([]);
  const [selected, setSelected] = useState<TokenEntity[]>([]);
  const groups = useQuery({ queryKey: ['own-groups', user?.id], queryFn: () => client.self.groups(), staleTime: 60_000 });

  const acts: TokenActs = {
    edit,
    toggle: (token) =>
      tokens.setStatus.mutate({
        tokens: [token],
        status: token.status === tokenStatuses.enabled ? tokenStatuses.disabled : tokenStatuses.enabled,
      }),
    remove: (doomed) =>
      confirmDanger({
        title: t('token.delete.title', { count: doomed.length }),
        text: t('token.delete.text', { names: doomed.map((token) => token.name).join(t('common.joint')) }),
        confirm: t('token.delete.confirm', { count: doomed.length }),
        onConfirm: () => tokens.remove.mutate(doomed, { onSuccess: () => setSelected([]) }),
      }),
  };
  const { specs, columns } = useTokenColumns(acts, groups.data ?? {}, user?.group ?? '');
  const settings = useColumns(storageKeys.tokenColumns, specs);
  const rows = tokens.list.data?.items;
  const empty = rows?.length === 0 && !tokens.filtered;
  const newButton = (
    <Button leftSection={<Plus size={16} />} onClick={create}>
      {t('token.new')}
    </Button>
  );
  const setAll = (status: number) => tokens.setStatus.mutate({ tokens: selected, status }, { onSuccess: () => setSelected([]) });
  return (
    <ListPage>
      <PageHeader
        title={t('token.title')}
        count={tokens.list.data?.total}
        sentence={phone ? undefined : t('token.subtitle')}
        actions={empty ? undefined : newButton}
      />
      <SelfUseBanner />
      <FilterBar
        end={phone ? undefined : <ColumnMenu columns={settings} />}
        onClear={tokens.filtered ? tokens.clear : undefined}
        onRefresh={() => void tokens.refresh()}
        refreshing={tokens.list.isFetching}
      >
        <SearchField
          value={tokens.state.q}
          placeholder={t('token.search.name')}
          width={220}
          onSearch={(q) => tokens.change({ q })}
        />
        <SearchField
          value={tokens.state.key}
          placeholder={t('token.search.key')}
          label={t('token.search.key.label')}
          width={200}
          primary={false}
          onSearch={(key) => tokens.change({ key })}
        />
        <FilterMenu
          label={t('token.filter.status')}
          value={tokens.state.status}
          always
          options={[
            { value: '', label: t('common.all') },
            ...Object.values<number>(tokenStatuses).map((status) => ({
              value: String(status),
              label: t(wordKey('status.token', status)),
            })),
          ]}
          onChange={(status) => tokens.change({ status })}
        />
      </FilterBar>
      {rows === undefined ? (
        tokens.list.isError ? (
          <FailedState title={t('token.failed')} error={tokens.list.error} onRetry={() => void tokens.list.refetch()} />
        ) : (
          <LoadingRows rows={6} height={48} />
        )
      ) : rows.length === 0 ? (
        empty ? (
          <EmptyState title={t('token.empty.title')} text={t('token.empty.text')} action={newButton} />
        ) : (
          <NoMatchState title={t('token.noMatch')} onClear={tokens.clear} />
        )
      ) : phone ? (
        <CardList
          rows={rows}
          keyOf={keyOf}
          label={t('token.title')}
          render={(token) => (
            <ThingCard
              name={token.name}
              second={<TokenKey token={token} />}
              status={<TokenStatus token={token} />}
              dimmed={token.status === tokenStatuses.disabled}
              figures={[
                { label: t('token.column.quota'), value: <QuotaBar token={token} short /> },
                { label: t('token.column.group'), value: token.group || t('token.group.own') },
                { label: t('token.column.expires'), value: <TokenExpiry token={token} /> },
              ]}
              menu={<TokenMenu token={token} acts={acts} withEdit />}
            />
          )}
        />
      ) : (
        <ListTable
          rows={rows}
          columns={columns}
          choices={settings.choices}
          density={settings.density}
          rowHeight={48}
          keyOf={keyOf}
          label={t('token.title')}
          onOpen={edit}
          rowState={(token) => (token.status === tokenStatuses.disabled ? 'dimmed' : undefined)}
          selection={{ selected, onChange: setSelected, nameOf: (token) => token.name }}
        />
      )}
      <BulkBar count={selected.length} label={t('token.bulk.label')} onClear={() => setSelected([])}>
        <BulkAction
          icon={<Power size={16} />}
          label={t('common.enable')}
          busy={tokens.setStatus.isPending}
          onClick={() => setAll(tokenStatuses.enabled)}
        />
        <BulkAction
          icon={<PowerOff size={16} />}
          label={t('common.disable')}
          busy={tokens.setStatus.isPending}
          onClick={() => setAll(tokenStatuses.disabled)}
        />
        <BulkAction
          icon={<Copy size={16} />}
          label={t('token.bulk.copy')}
          onClick={() => void copy(selected.map((token) => `${token.name}\tsk-${token.key}`).join('\n'))}
        />
        <BulkAction icon={<Trash2 size={16} />} label={t('common.delete')} danger onClick={() => acts.remove(selected)} />
      </BulkBar>
      <Pager
        page={tokens.page}
        pageSize={tokens.pageSize}
        total={tokens.list.data?.total ?? 0}
        onPage={(page) => tokens.change({ p: String(page) })}
        onPageSize={(size) => {
          tokens.setPageSize(size);
          tokens.change({ p: '1' });
        }}
      />
      <Suspense fallback={null}>
        {draft !== undefined && <TokenDrawer key={draft?.id ?? 'new'} token={draft} onClose={close} onCreated={setMade} />}
        {made.length > 0 && <TokenTicket tokens={made} onClose={() => setMade([])} />}
      </Suspense>
    </ListPage>
  );
}

/** Tokens are for self use only; the note can be dismissed for good. */
function SelfUseBanner() {
  const { t } = useTranslation();
  const [closed, setClosed] = useState(() => readStored(storageKeys.tokenBannerClosed) === 'true');
  if (closed) return null;
  return (
    <div className={classes.banner} role="note">
      <TriangleAlert size={16} strokeWidth={1.75} aria-hidden="true" />
      <p>{t('token.banner')}</p>
      <ActionIcon
        size={24}
        aria-label={t('token.banner.close')}
        onClick={() => {
          writeStored(storageKeys.tokenBannerClosed, 'true');
          setClosed(true);
        }}
      >
        <X size={14} />
      </ActionIcon>
    </div>
  );
}
