import type { OutputOf } from '../../../core/contract/endpoint.ts';
import type { nodesApi } from '../../../core/contract/nodes.ts';
import { formatCount } from '../../../core/pricing/format.ts';
import type { NodeState } from '../../../core/vocabulary/nodes.ts';
import { StatusDot, type Tone } from '../../components/status-dot.tsx';
import { fullTime, minuteTime } from '../../hooks/use-time-text.ts';
import { useTranslation } from '../../i18n/index.ts';
import cells from '../../list/cells.module.css';
import type { ScreenColumn } from '../../list/columns.ts';

export type Node = OutputOf<typeof nodesApi.list>[number];

const tones: Readonly<Record<NodeState, Tone>> = { serving: 'ok', draining: 'yel', empty: 'off' };

export function useNodeColumns(): readonly ScreenColumn<Node>[] {
  const { t } = useTranslation();
  return [
    {
      key: 'address',
      fixed: true,
      label: t('node.column.address'),
      render: ({ address, host, this: answers }) => (
        <span className={cells.names}>
          <span className={cells.name} title={address}>
            {address}
          </span>
          <span className={`${cells.second} tp-second-line`}>
            {answers ? t('node.this', { host }) : host}
          </span>
        </span>
      ),
    },
    {
      key: 'state',
      label: t('node.column.state'),
      card: { place: 'status' },
      render: ({ state, stopping }) => (
        <StatusDot
          tone={tones[state]}
          label={t(stopping ? 'node.state.stopping' : `node.state.${state}`)}
          detail={state === 'serving' ? undefined : t(`node.state.${state}.detail`)}
        />
      ),
    },
    {
      key: 'underWay',
      label: t('node.column.underWay'),
      numeric: true,
      card: { place: 'figure' },
      render: ({ under_way: count }) => formatCount(count),
    },
    {
      key: 'version',
      label: t('node.column.version'),
      card: { place: 'second' },
      render: ({ version }) => version,
    },
    {
      key: 'since',
      label: t('node.column.since'),
      render: ({ started_at: since }) => <span title={fullTime(since)}>{minuteTime(since)}</span>,
    },
    {
      key: 'shared',
      label: t('node.column.shared'),
      // With the gateway that answers, as far as it knows.
      render: ({ shared, this: answers }) =>
        answers ? '—' : t(shared ? 'node.shared' : 'node.separate'),
    },
  ];
}
