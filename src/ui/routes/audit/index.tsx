/**
 * What administrators changed: who, what, from which value to which (docs/rules/console.md#audit).
 */
import { Eye } from 'lucide-react';
import { Suspense, useState } from 'react';
import type { AuditEntity } from '../../../core/contract/entities.ts';
import { auditFilters } from '../../../core/entities/audit-filters.ts';
import { storageKeys } from '../../browser/local-storage.ts';
import { client } from '../../client/api.ts';
import { latePart } from '../../client/late-part.ts';
import { LoadingRows } from '../../components/states.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { CsvButton } from '../../list/csv-button.tsx';
import { filterQuery, filterUrl, useFilterBar } from '../../list/declared-filters.ts';
import { ListScreen } from '../../list/list-screen.tsx';
import { anySpans } from '../../list/time-range.ts';
import { useList } from '../../list/use-list.ts';
import { queryKeys } from '../../queries/query-keys.ts';
import { useActionOptions, useSentence } from './audit-action.tsx';
import { useAuditColumns } from './audit-columns.tsx';

const url = filterUrl(auditFilters, anySpans);
const asTheyAre = (entries: readonly AuditEntity[]) => entries;
const keyOf = (entry: AuditEntity) => entry.id;

function useAudit() {
  return useList({
    queryKey: queryKeys.audit.all,
    url,
    keyOf,
    toRows: asTheyAre,
    fetchPage: ({ state, page, pageSize }) => {
      const query = filterQuery(auditFilters, state, anySpans, 'admins');
      return client.audit.list({ ...query, p: page, page_size: pageSize });
    },
  });
}

// The list comes first; this loads when somebody opens an entry.
const AuditDialog = latePart(async () => ({
  default: (await import('./audit-dialog.tsx')).AuditDialog,
}));

/** The names of the options come with their texts, which other screens do without. */
export function AuditScreen() {
  return (
    <Suspense fallback={<LoadingRows rows={8} height={48} />}>
      <AuditList />
    </Suspense>
  );
}

function AuditList() {
  const { t } = useTranslation();
  const list = useAudit();
  const columns = useAuditColumns();
  const filters = useFilterBar(auditFilters, anySpans, {
    text: { kind: 'search', width: 220 },
    actor: { hint: t('audit.filter.actor.hint') },
    action: { hint: t('audit.filter.action.hint'), useOptions: useActionOptions },
    target: { hint: t('audit.filter.target.hint') },
  });
  const [viewed, setViewed] = useState<AuditEntity>();
  return (
    <ListScreen
      list={list}
      title={t('audit.title')}
      subtitle={t('audit.subtitle')}
      filters={filters}
      actions={
        <CsvButton
          label={t('audit.csv')}
          failed={t('audit.csv.failed')}
          onExport={() =>
            client.audit.export(filterQuery(auditFilters, list.state, anySpans, 'admins'))
          }
        />
      }
      onRefresh={list.refetch}
      nameOf={useSentence()}
      columns={columns}
      columnsKey={storageKeys.auditColumns}
      onOpen={setViewed}
      rowActions={[
        { key: 'details', label: t('audit.details'), icon: Eye, prominent: true, onAct: setViewed },
      ]}
      texts={{ failed: t('audit.failed'), noMatch: t('audit.noMatch') }}
      empty={{ title: t('audit.empty.title'), text: t('audit.empty.text') }}
    >
      <Suspense fallback={null}>
        {viewed !== undefined && (
          <AuditDialog entry={viewed} onClose={() => setViewed(undefined)} />
        )}
      </Suspense>
    </ListScreen>
  );
}
