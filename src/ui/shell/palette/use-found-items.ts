/** What the server finds for a text: channels, users, tokens and models. */
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import {
  Boxes,
  FlaskConical,
  KeyRound,
  Network,
  Power,
  PowerOff,
  ReceiptText,
  UserRound,
} from 'lucide-react';
import type { ChannelEntity } from '../../../core/contract/entities.ts';
import { CallError } from '../../../core/contract/envelope.ts';
import { channelStatuses } from '../../../core/vocabulary/statuses.ts';
import { settingAddress } from '../../browser/setting-address.ts';
import { client } from '../../client/api.ts';
import { failureText, toastFailure, toastSuccess } from '../../client/failures.ts';
import { useIsAdmin, useIsRoot, useUser } from '../../client/session.ts';
import { type TextKey, useTranslation } from '../../i18n/index.ts';
import { queryKeys } from '../../queries/query-keys.ts';
import { useRefreshChannels } from '../../queries/use-invalidate.ts';
import { matching, type PaletteGroup, type PaletteItem } from './items.ts';

/** Of each kind. */
const most = 5;
const staleTime = 15_000;

const query = (path: string, parameters: Readonly<Record<string, string>>) =>
  `${path}?${new URLSearchParams(parameters)}`;

interface Found {
  readonly groups: readonly PaletteGroup[];
  readonly searching: boolean;
  /** A sentence for each kind that could not be searched. */
  readonly problems: readonly string[];
}

/** `text`: without spaces around it; '' finds nothing and asks nobody. */
export function useFoundItems(text: string): Found {
  const { t } = useTranslation();
  const user = useUser();
  const admin = useIsAdmin();
  const root = useIsRoot();
  const channelItems = useChannelItems();
  const asks = text !== '' && user !== null;
  const common = { staleTime, retry: false, meta: { quiet: true } } as const;
  const channels = useQuery({
    ...common,
    queryKey: queryKeys.palette('channel', text, user?.id),
    queryFn: async () => (await client.channel.list({ keyword: text, page_size: most })).items,
    enabled: asks && admin,
  });
  const users = useQuery({
    ...common,
    queryKey: queryKeys.palette('user', text, user?.id),
    queryFn: async () => (await client.user.search({ keyword: text, page_size: most })).items,
    enabled: asks && admin,
  });
  const tokens = useQuery({
    ...common,
    queryKey: queryKeys.palette('token', text, user?.id),
    queryFn: async () => (await client.token.list({ keyword: text, size: most })).items,
    enabled: asks,
  });
  const models = useQuery({
    ...common,
    // Their names do not depend on the text.
    queryKey: queryKeys.suggestion('model', user?.id, admin),
    queryFn: () => (admin ? client.channel.enabledModels() : client.self.models()),
    staleTime: 60_000,
    enabled: asks,
  });
  const groups: readonly [string, TextKey, UseQueryResult, readonly PaletteItem[]][] = [
    ['channel', 'shell.item.channel', channels, channelItems(channels.data ?? [])],
    [
      'user',
      'shell.item.user',
      users,
      (users.data ?? []).map(({ id, username, display_name }) => ({
        key: `user ${id}`,
        label: username,
        hint: [`#${id}`, display_name].filter((part) => part !== username && part !== '').join(' '),
        icon: UserRound,
        act: query('/user', { q: username }),
      })),
    ],
    [
      'token',
      'shell.item.token',
      tokens,
      (tokens.data ?? []).map(({ id, name }) => ({
        key: `token ${id}`,
        label: name,
        hint: `#${id}`,
        icon: KeyRound,
        act: query('/token', { q: name, edit: String(id) }),
      })),
    ],
    [
      'model',
      'palette.group.models',
      models,
      matching((models.data ?? []).map(modelItem), text)
        .slice(0, most)
        .flatMap((item, index) => [
          item,
          // The best one alone, so that the others stay in sight.
          ...(index === 0 && admin
            ? [
                {
                  key: `channels ${item.label}`,
                  label: t('palette.model.channels', { name: item.label }),
                  icon: Network,
                  act: query('/channel', { model: item.label }),
                },
              ]
            : []),
          ...(index === 0 && root
            ? [
                {
                  key: `price ${item.label}`,
                  label: t('palette.model.price', { name: item.label }),
                  icon: ReceiptText,
                  act: priceAddress(item.label),
                },
              ]
            : []),
        ]),
    ],
  ];
  return {
    groups: asks ? groups.map(([key, name, , items]) => ({ key, name: t(name), items })) : [],
    searching: groups.some(([, , { isFetching, data }]) => isFetching && data === undefined),
    problems: groups.flatMap(([, name, { error }]) =>
      asks && error !== null
        ? [t('palette.failed', { name: t(name), reason: failureText(error) })]
        : [],
    ),
  };
}

const modelItem = (name: string): PaletteItem => ({
  key: `model ${name}`,
  label: name,
  icon: Boxes,
  act: query('/model_square', { model: name }),
});

/** The table of prices, searched for the model. */
function priceAddress(model: string): string {
  const [search = '', hash = ''] = settingAddress('operation.prices').split('#');
  return `/setting${search}&${new URLSearchParams({ price: model })}#${hash}`;
}

/** Channels, and what can be done with the first of them. */
function useChannelItems(): (channels: readonly ChannelEntity[]) => readonly PaletteItem[] {
  const { t } = useTranslation();
  const refresh = useRefreshChannels();
  const test = async ({ id, name }: ChannelEntity) => {
    try {
      const { success, message, time } = await client.channel.test({ id });
      if (!success) throw new CallError(message, 200);
      toastSuccess(t('palette.act.test.done', { name, time: time.toFixed(2) }));
    } catch (error) {
      toastFailure(error, t('palette.act.test.failed', { name }));
    } finally {
      await refresh();
    }
  };
  const setStatus = async ({ id, name }: ChannelEntity, on: boolean) => {
    const status = on ? channelStatuses.enabled : channelStatuses.disabled;
    await client.channel.setStatusMany({ ids: [id], status });
    toastSuccess(t(on ? 'palette.act.enable.done' : 'palette.act.disable.done', { name }));
    await refresh();
  };
  return (channels) =>
    channels.flatMap((channel, index) => {
      const { id, name, status } = channel;
      const on = status === channelStatuses.enabled;
      const item: PaletteItem = {
        key: `channel ${id}`,
        label: name,
        hint: on ? `#${id}` : `#${id} ${t('palette.off')}`,
        icon: Network,
        act: query('/channel', { q: name, edit: String(id) }),
      };
      if (index > 0) return [item];
      return [
        item,
        {
          key: `test ${id}`,
          label: t('palette.act.test', { name }),
          icon: FlaskConical,
          act: () => test(channel),
        },
        {
          key: `status ${id}`,
          label: t(on ? 'palette.act.disable' : 'palette.act.enable', { name }),
          icon: on ? PowerOff : Power,
          act: () => setStatus(channel, !on),
        },
      ];
    });
}
