/**
 * Redemption codes, for administrators: list, drawer, one code in full, and the codes that were
 * just created.
 */
import { Suspense, useState } from 'react';
import type { RedemptionEntity } from '../../../core/contract/entities.ts';
import { redemptionFilters } from '../../../core/entities/redemption-filters.ts';
import { redemptionStates } from '../../../core/vocabulary/redemption-state.ts';
import { redemptionStatuses } from '../../../core/vocabulary/statuses.ts';
import { storageKeys } from '../../browser/local-storage.ts';
import { client } from '../../client/api.ts';
import { latePart } from '../../client/late-part.ts';
import { useTranslation } from '../../i18n/index.ts';
import { wordKey } from '../../i18n/words.ts';
import { filterQuery, filterUrl, useFilterBar } from '../../list/declared-filters.ts';
import { ListScreen } from '../../list/list-screen.tsx';
import { useDraft } from '../../list/use-draft.ts';
import { useList } from '../../list/use-list.ts';
import { queryKeys } from '../../queries/query-keys.ts';
import { useRefreshRedemptions } from '../../queries/use-invalidate.ts';
import { RemoveInvalidButton, useRedemptionActions } from './redemption-actions.tsx';
import { stateOf, useRedemptionColumns } from './redemption-columns.tsx';
import type { CreatedCodes } from './redemption-drawer.tsx';

const url = filterUrl(redemptionFilters);
const asTheyAre = (codes: readonly RedemptionEntity[]) => codes;
const keyOf = (code: RedemptionEntity) => code.id;

function useRedemptions() {
  return useList({
    queryKey: queryKeys.redemption.all,
    url,
    keyOf,
    toRows: asTheyAre,
    fetchPage: ({ state, page, pageSize }) =>
      client.redemption.search({
        p: page,
        page_size: pageSize,
        ...filterQuery(redemptionFilters, state, undefined, 'admins'),
      }),
  });
}

// The list comes first; these load when somebody opens one.
const RedemptionDrawer = latePart(async () => ({
  default: (await import('./redemption-drawer.tsx')).RedemptionDrawer,
}));
const CreatedCodesDialog = latePart(async () => ({
  default: (await import('./created-codes-dialog.tsx')).CreatedCodesDialog,
}));
const CodeDialog = latePart(async () => ({
  default: (await import('./code-dialog.tsx')).CodeDialog,
}));

const loadCode = (id: number) => client.redemption.get({ id });

export function RedemptionScreen() {
  const { t } = useTranslation();
  const codes = useRedemptions();
  const refresh = useRefreshRedemptions();
  const { draft, create, edit, close } = useDraft<RedemptionEntity>('redemption', loadCode);
  const [viewed, setViewed] = useState<RedemptionEntity>();
  const [created, setCreated] = useState<CreatedCodes>();
  const columns = useRedemptionColumns();
  const filters = useFilterBar(redemptionFilters, undefined, {
    keyword: { kind: 'search', width: 260 },
    status: {
      always: true,
      options: Object.values<number>(redemptionStates).map((state) => ({
        value: String(state),
        label: t(wordKey('status.redemption', state)),
      })),
    },
  });
  const { rowActions, batchActions } = useRedemptionActions({
    onView: setViewed,
    onEdit: edit,
    onCopied: () => codes.select([]),
  });
  return (
    <ListScreen
      list={codes}
      title={t('redemption.title')}
      subtitle={t('redemption.subtitle')}
      actions={<RemoveInvalidButton />}
      create={{ label: t('redemption.new'), onCreate: create }}
      filters={filters}
      onRefresh={refresh}
      nameOf={(code) => `${code.name} #${code.id}`}
      columns={columns}
      columnsKey={storageKeys.redemptionColumns}
      rowState={(code) => (stateOf(code) === redemptionStates.unused ? undefined : 'dimmed')}
      rowActions={rowActions}
      onOpen={(code) => (code.status === redemptionStatuses.unused ? edit(code) : setViewed(code))}
      batch={{ label: t('redemption.bulk.label'), actions: batchActions }}
      texts={{ failed: t('redemption.failed'), noMatch: t('redemption.noMatch') }}
      empty={{ title: t('redemption.empty.title'), text: t('redemption.empty.text') }}
    >
      <Suspense fallback={null}>
        {draft !== undefined && (
          <RedemptionDrawer
            key={draft?.id ?? 'new'}
            code={draft}
            onClose={close}
            onCreated={setCreated}
          />
        )}
        {created !== undefined && (
          <CreatedCodesDialog {...created} onClose={() => setCreated(undefined)} />
        )}
        {viewed !== undefined && <CodeDialog code={viewed} onClose={() => setViewed(undefined)} />}
      </Suspense>
    </ListScreen>
  );
}
