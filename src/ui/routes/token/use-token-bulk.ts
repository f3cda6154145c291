/** One change of many of one's tokens. */
import type { TokenEntity } from '../../../core/contract/entities.ts';
import { tokenFilters } from '../../../core/entities/token-filters.ts';
import { client } from '../../client/api.ts';
import { toastFailure } from '../../client/failures.ts';
import { useTranslation } from '../../i18n/index.ts';
import { filterQuery } from '../../list/declared-filters.ts';
import { useRefreshTokens } from '../../queries/use-invalidate.ts';
import type { useTokens } from './use-tokens.ts';

export function useTokenBulk(list: ReturnType<typeof useTokens>) {
  const { t } = useTranslation();
  const refresh = useRefreshTokens();
  const open = async (rows: readonly TokenEntity[] | null) => {
    const [{ openBulk }, { loadTextPart }, { tokenSubject }, groups] = await Promise.all([
      import('../../list/bulk-dialog.tsx'),
      import('../../i18n/index.ts'),
      import('../../list/token-bulk.ts'),
      client.self.groups(),
    ]);
    await loadTextPart('bulk');
    await openBulk(
      tokenSubject({
        groups: Object.keys(groups),
        refresh,
        title: t('token.bulk.title', { count: rows?.length ?? list.total ?? 0 }),
        deleteTitle: t('token.bulk.title.delete', { count: rows?.length ?? list.total ?? 0 }),
        onDone: () => list.select([]),
        call: (input) => client.bulk.tokens(input),
      }),
      rows === null
        ? { match: filterQuery(tokenFilters, list.state, undefined, 'owner') }
        : { ids: rows.map(({ id }) => id) },
    );
  };
  return {
    label: t('token.bulk.change'),
    all: (n: string) => t('token.bulk.all', { n }),
    allSelected: (n: string) => t('token.bulk.allSelected', { n }),
    total: list.total,
    onOpen: (rows: readonly TokenEntity[] | null) => void open(rows).catch(toastFailure),
  };
}
