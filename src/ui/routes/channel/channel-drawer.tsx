/** Create or edit a channel. */

import type { ChannelEntity } from '../../../core/contract/entities.ts';
import { BoxedTypeLogo } from '../../components/provider-logo.tsx';
import { EntityDrawer } from '../../form/entity-drawer.tsx';
import { minuteTime } from '../../hooks/use-time-text.ts';
import { useTranslation } from '../../i18n/index.ts';
import { typeName, useChannelTypes } from '../../queries/use-channel-types.ts';
import { useChannelFields } from './use-channel-fields.tsx';
import { useChannelForm } from './use-channel-form.ts';

interface ChannelDrawerProps {
  /** null: a new one. */
  readonly channel: ChannelEntity | null;
  readonly onClose: () => void;
}

export function ChannelDrawer({ channel, onClose }: ChannelDrawerProps) {
  const { t } = useTranslation();
  const types = useChannelTypes();
  const form = useChannelForm(channel, types, onClose);
  const { type } = form.values;
  const facts = types?.find((entry) => entry.type === type);
  return (
    <EntityDrawer
      form={form}
      {...useChannelFields({ channel, form, types, facts, onClose })}
      title={t(form.creating ? 'channel.form.new' : 'channel.form.edit')}
      subtitle={
        channel === null
          ? t('channel.form.new.hint')
          : `#${channel.id} · ${channel.name}${channel.created_time > 0 ? ` · ${t('channel.created', { time: minuteTime(channel.created_time) })}` : ''}`
      }
      logo={<BoxedTypeLogo type={type} name={typeName(type)} />}
      submitLabel={t(form.creating ? 'channel.new' : 'common.save')}
      onClose={onClose}
    />
  );
}
