import type { AuditEntity } from '../../../core/contract/entities.ts';
import { auditFilters } from '../../../core/entities/audit-filters.ts';
import { client } from '../../client/api.ts';
import { filterQuery, filterUrl } from '../../list/declared-filters.ts';
import { anySpans } from '../../list/time-range.ts';
import { useList } from '../../list/use-list.ts';
import { queryKeys } from '../../queries/query-keys.ts';

const url = filterUrl(auditFilters, anySpans);
const asTheyAre = (entries: readonly AuditEntity[]) => entries;
const keyOf = (entry: AuditEntity) => entry.id;

export function useAudit() {
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
