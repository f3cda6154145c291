/** My tokens: filters in the URL, one page of rows, and what can be done to them. */
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { TokenEntity } from '../../../core/contract/entities.ts';
import { maxPageSize } from '../../../core/kernel/page.ts';
import { tokenStatuses } from '../../../core/vocabulary/statuses.ts';
import { client } from '../../client/api.ts';
import { toastSuccess } from '../../client/failures.ts';
import { useUser } from '../../client/session.ts';
import { usePageSize } from '../../list/use-page-size.ts';
import { pageOf, useUrlState } from '../../list/use-url-state.ts';

const defaults = { q: '', key: '', status: '', p: '1' } as const;

/** Every token, page by page: the list call knows no status filter. */
async function allTokens(): Promise<readonly TokenEntity[]> {
  const items: TokenEntity[] = [];
  for (let p = 0; ; p++) {
    const page = await client.token.list({ p, size: maxPageSize });
    items.push(...page.items);
    if (page.items.length < maxPageSize || items.length >= page.total) return items;
  }
}

export function useTokens() {
  const { t } = useTranslation();
  const user = useUser();
  const queryClient = useQueryClient();
  const [state, change] = useUrlState(defaults);
  const [pageSize, setPageSize] = usePageSize();
  const page = pageOf(state.p);
  const searching = state.q !== '' || state.key !== '';
  const filtered = searching || state.status !== '';
  const list = useQuery({
    queryKey: ['token', user?.id, state, pageSize],
    queryFn: async () => {
      if (!filtered) return client.token.list({ p: page - 1, size: pageSize });
      const found = searching ? (await client.token.search({ keyword: state.q, token: state.key })).items : await allTokens();
      const rows = state.status === '' ? found : found.filter((token) => String(token.status) === state.status);
      return { items: rows.slice((page - 1) * pageSize, page * pageSize), total: rows.length };
    },
    placeholderData: keepPreviousData,
  });
  const refresh = () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: ['token'] }),
      queryClient.invalidateQueries({ queryKey: ['token-count'] }),
    ]);

  const setStatus = useMutation({
    mutationFn: async ({ tokens, status }: { tokens: readonly TokenEntity[]; status: number }) => {
      for (const { id } of tokens) await client.token.update({ id, status, status_only: true });
    },
    onSuccess: (_, { tokens, status }) => {
      const enabled = status === tokenStatuses.enabled;
      if (tokens.length > 1)
        toastSuccess(
          enabled ? t('token.bulk.enabled', { count: tokens.length }) : t('token.bulk.disabled', { count: tokens.length }),
        );
    },
    onSettled: refresh,
  });
  const remove = useMutation({
    mutationFn: async (tokens: readonly TokenEntity[]) => {
      for (const { id } of tokens) await client.token.remove({ id });
    },
    onSuccess: (_, tokens) => toastSuccess(t('token.delete.done', { count: tokens.length })),
    onSettled: refresh,
  });
  return {
    state,
    change,
    page,
    pageSize,
    setPageSize,
    list,
    filtered,
    refresh,
    setStatus,
    remove,
    clear: () => change({ q: '', key: '', status: '' }),
  };
}
