import { useTranslation } from 'react-i18next';
import type { ChannelEntity } from '../../../core/contract/entities.ts';
import { channelStatuses } from '../../../core/vocabulary/statuses.ts';
import { TotalText } from '../../components/money-text.tsx';
import { BoxedTypeLogo } from '../../components/provider-logo.tsx';
import { ThingCard } from '../../list/card-list.tsx';
import { TestTag } from './channel-cells.tsx';
import { listOf } from './channel-form.ts';
import { type ChannelActs, ChannelMenu } from './channel-menu.tsx';
import { ChannelStatus } from './channel-status.tsx';
import { typeName } from './use-channel-types.ts';

export function ChannelCard({ channel, acts }: { channel: ChannelEntity; acts: ChannelActs }) {
  const { t } = useTranslation();
  const off = channel.status !== channelStatuses.enabled;
  return (
    <ThingCard
      logo={<BoxedTypeLogo type={channel.type} name={channel.name} grey={off} />}
      name={channel.name}
      second={`#${channel.id} · ${typeName(channel.type)} · ${t('channel.models', { count: listOf(channel.models).length })}`}
      status={<ChannelStatus channel={channel} />}
      dimmed={off}
      figures={[
        { label: t('channel.column.response'), value: <TestTag channel={channel} /> },
        { label: t('channel.column.used'), value: <TotalText quota={channel.used_quota} /> },
        { label: t('channel.card.priorityWeight'), value: `${channel.priority} · ${channel.weight}` },
      ]}
      menu={<ChannelMenu channel={channel} acts={acts} whole />}
    />
  );
}
