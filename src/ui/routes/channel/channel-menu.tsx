import { Menu } from '@mantine/core';
import { Copy, FlaskConical, KeyRound, Pencil, Power, PowerOff, Trash2, Zap } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { ChannelEntity } from '../../../core/contract/entities.ts';
import { channelStatuses } from '../../../core/vocabulary/statuses.ts';
import { RowMenu } from '../../list/row-menu.tsx';
import type { TagRow } from './channel-rows.ts';

/** What a row can ask for. */
export interface ChannelActs {
  readonly edit: (channel: ChannelEntity) => void;
  readonly test: (channel: ChannelEntity) => void;
  readonly pickModel: (channel: ChannelEntity) => void;
  readonly toggle: (channel: ChannelEntity) => void;
  /** Switches the channel's keys on again. */
  readonly reviveKeys: (channel: ChannelEntity) => void;
  readonly copy: (channel: ChannelEntity) => void;
  readonly remove: (channels: readonly ChannelEntity[]) => void;
  readonly updateBalance: (channel: ChannelEntity) => void;
  readonly saveOrder: (channel: ChannelEntity, field: 'priority' | 'weight', value: number) => Promise<unknown>;
  readonly saveTagOrder: (tag: string, field: 'priority' | 'weight', value: number) => Promise<unknown>;
  readonly toggleTag: (tag: string) => void;
  readonly setTag: (tag: string, enabled: boolean) => void;
  readonly editTag: (row: TagRow) => void;
}

export function ChannelMenu({ channel, acts, whole = false }: { channel: ChannelEntity; acts: ChannelActs; whole?: boolean }) {
  const { t } = useTranslation();
  const enabled = channel.status === channelStatuses.enabled;
  return (
    <RowMenu name={channel.name}>
      {whole && (
        <>
          <Menu.Item leftSection={<Zap size={14} />} onClick={() => acts.test(channel)}>
            {t('channel.test')}
          </Menu.Item>
          <Menu.Item leftSection={<Pencil size={14} />} onClick={() => acts.edit(channel)}>
            {t('common.edit')}
          </Menu.Item>
        </>
      )}
      <Menu.Item leftSection={<FlaskConical size={14} />} onClick={() => acts.pickModel(channel)}>
        {t('channel.test.with')}
      </Menu.Item>
      <Menu.Item leftSection={enabled ? <PowerOff size={14} /> : <Power size={14} />} onClick={() => acts.toggle(channel)}>
        {t(enabled ? 'common.disable' : 'common.enable')}
      </Menu.Item>
      {enabled && (channel.multi_key?.disabled.length ?? 0) > 0 && (
        <Menu.Item leftSection={<KeyRound size={14} />} onClick={() => acts.reviveKeys(channel)}>
          {t('channel.keys.revive.all')}
        </Menu.Item>
      )}
      <Menu.Item leftSection={<Copy size={14} />} onClick={() => acts.copy(channel)}>
        {t('channel.copy')}
      </Menu.Item>
      <Menu.Divider />
      <Menu.Item c="var(--tp-red-text)" leftSection={<Trash2 size={14} />} onClick={() => acts.remove([channel])}>
        {t('common.delete')}
      </Menu.Item>
    </RowMenu>
  );
}

export function TagMenu({ row, acts }: { row: TagRow; acts: ChannelActs }) {
  const { t } = useTranslation();
  return (
    <RowMenu name={row.tag}>
      <Menu.Item leftSection={<Power size={14} />} onClick={() => acts.setTag(row.tag, true)}>
        {t('channel.tag.enableAll')}
      </Menu.Item>
      <Menu.Item leftSection={<PowerOff size={14} />} onClick={() => acts.setTag(row.tag, false)}>
        {t('channel.tag.disableAll')}
      </Menu.Item>
    </RowMenu>
  );
}
