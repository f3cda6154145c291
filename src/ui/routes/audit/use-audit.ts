import type { AuditEntity } from '../../../core/contract/entities.ts';
import { client } from '../../client/api.ts';
import { anySpans, anyTimeParameters, rangeOf } from '../../list/time-range.ts';
import { useList } from '../../list/use-list.ts';
import { queryKeys } from '../../queries/query-keys.ts';

const url = { ...anyTimeParameters, actor: '', action: '', target: '' } as const;
const asTheyAre = (entries: readonly AuditEntity[]) => entries;
const keyOf = (entry: AuditEntity) => entry.id;

export function useAudit() {
  return useList({
    queryKey: queryKeys.audit.all,
    url,
    keyOf,
    toRows: asTheyAre,
    fetchPage: ({ state, page, pageSize }) => {
      // A preset span is counted from now, so it is read again with every call.
      const { start, end } = rangeOf(state, Math.floor(Date.now() / 1000), anySpans);
      const range = start === 0 ? {} : { start_timestamp: start, end_timestamp: end };
      const { actor, action, target } = state;
      return client.audit.list({ p: page, page_size: pageSize, actor, action, target, ...range });
    },
  });
}
