/** The gateways that serve the site, and taking one out of use (docs/rules/process.md#drain). */
import { useEffect } from 'react';
import { storageKeys } from '../../browser/local-storage.ts';
import { client } from '../../client/api.ts';
import { useTranslation } from '../../i18n/index.ts';
import { ListScreen } from '../../list/list-screen.tsx';
import { useList } from '../../list/use-list.ts';
import { queryKeys } from '../../queries/query-keys.ts';
import { useRefreshNodes } from '../../queries/use-invalidate.ts';
import { useNodeActions } from './node-actions.tsx';
import { type Node, useNodeColumns } from './node-columns.tsx';

/** Milliseconds between two looks: what is under way changes by itself. */
const pollMs = 3000;
const url = {} as const;
const asTheyAre = (nodes: readonly Node[]) => nodes;
const keyOf = ({ id }: Node) => id;

async function fetchPage({ page, pageSize }: { page: number; pageSize: number }) {
  const nodes = await client.nodes.list();
  return { items: nodes.slice((page - 1) * pageSize, page * pageSize), total: nodes.length };
}

export function NodeScreen() {
  const { t } = useTranslation();
  const refresh = useRefreshNodes();
  const list = useList({ queryKey: queryKeys.node.all, url, keyOf, toRows: asTheyAre, fetchPage });
  const columns = useNodeColumns();
  const rowActions = useNodeActions(list.rows ?? []);
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) void refresh();
    }, pollMs);
    return () => clearInterval(timer);
  }, [refresh]);
  return (
    <ListScreen
      list={list}
      title={t('node.title')}
      subtitle={t('node.subtitle')}
      filters={[]}
      onRefresh={list.refetch}
      nameOf={({ address }) => address}
      columns={columns}
      columnsKey={storageKeys.nodeColumns}
      rowState={({ state }) => (state === 'serving' ? undefined : 'dimmed')}
      rowActions={rowActions}
      texts={{ failed: t('node.failed'), noMatch: t('node.empty.title') }}
      empty={{ title: t('node.empty.title'), text: t('node.empty.text') }}
    />
  );
}
