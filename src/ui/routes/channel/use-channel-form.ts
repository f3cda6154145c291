/**
 * State of the channel drawer: values, what is wrong with them here and at the server, and saving.
 */

import type { ChannelEntity } from '../../../core/contract/entities.ts';
import { client } from '../../client/api.ts';
import { toastSuccess } from '../../client/failures.ts';
import { useEntityForm } from '../../form/use-entity-form.ts';
import { useTranslation } from '../../i18n/index.ts';
import type { ChannelTypeFacts } from '../../queries/use-channel-types.ts';
import { useRefreshChannels } from '../../queries/use-invalidate.ts';
import {
  type ChannelValues,
  channelInput,
  channelValues,
  checkChannel,
  endsInVersion,
  newChannel,
  placeOfRefusal,
} from './channel-form.ts';

/** `channel`: null for a new one. `types`: undefined until they are loaded. */
export function useChannelForm(
  channel: ChannelEntity | null,
  types: readonly ChannelTypeFacts[] | undefined,
  onClose: () => void,
) {
  const { t } = useTranslation();
  const creating = channel === null;
  const refresh = useRefreshChannels();
  const factsOf = (type: number) => types?.find((entry) => entry.type === type);
  return useEntityForm<ChannelValues, number>({
    creating,
    before: channel === null ? newChannel : channelValues(channel),
    reread:
      channel === null
        ? undefined
        : async () => channelValues(await client.channel.get({ id: channel.id })),
    check: (values) => {
      const facts = factsOf(values.type);
      const needs = {
        key: facts?.key_optional !== true,
        baseUrl: facts?.available === true && facts.default_base_url === null,
        other: facts?.other_required === true,
      };
      return Object.fromEntries(
        Object.entries(checkChannel(values, creating, needs)).map(([field, text]) => [
          field,
          t(text),
        ]),
      );
    },
    warn: ({ base_url, type }) =>
      endsInVersion(base_url, factsOf(type))
        ? {
            title: t('channel.form.baseUrl.v1.title'),
            text: t('channel.form.baseUrl.v1.text'),
            confirm: t('channel.form.baseUrl.v1.keep'),
          }
        : undefined,
    save: async (after, changed) => {
      const input = channelInput(after);
      if (channel === null) return (await client.channel.create(input)).ids.length;
      const sent = Object.fromEntries(
        Object.entries(input).filter(([field]) => changed.includes(field as keyof ChannelValues)),
      );
      await client.channel.update({ ...sent, id: channel.id });
      return 1;
    },
    onSaved: async (count) => {
      await refresh();
      onClose();
      toastSuccess(creating ? t('channel.form.created', { count }) : t('channel.form.saved'));
    },
    fieldOf: placeOfRefusal,
  });
}
