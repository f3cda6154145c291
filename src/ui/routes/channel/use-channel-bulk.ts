/** One change of many channels: of those that are picked, or of all that the filters select. */
import { client } from '../../client/api.ts';
import { toastFailure } from '../../client/failures.ts';
import { useTranslation } from '../../i18n/index.ts';
import type { BulkTarget } from '../../list/bulk.ts';
import { useRefreshChannels } from '../../queries/use-invalidate.ts';
import type { ChannelRow, Row, TagRow } from './channel-rows.ts';
import { matchOf, matchOfTag, type useChannels } from './use-channels.ts';

type ChannelList = ReturnType<typeof useChannels>['list'];

/** `grouped`: pages are counted in tags, so not all can be selected. */
export function useChannelBulk(list: ChannelList, grouped: boolean) {
  const { t } = useTranslation();
  const refresh = useRefreshChannels();
  const open = async (rows: readonly Row[] | TagRow | null) => {
    const [{ openBulk }, { loadTextPart }, { channelSubject }, groups, models] = await Promise.all([
      import('../../list/bulk-dialog.tsx'),
      import('../../i18n/index.ts'),
      import('./channel-bulk.ts'),
      client.channel.groups(),
      client.channel.enabledModels(),
    ]);
    await loadTextPart('bulk');
    const [count, target] = targetOf(rows);
    await openBulk(
      channelSubject({
        groups,
        models,
        refresh,
        title: t('channel.bulk.title', { count }),
        deleteTitle: t('channel.bulk.title.delete', { count }),
        onDone: () => list.select([]),
      }),
      target,
    );
  };
  const targetOf = (rows: readonly Row[] | TagRow | null): [number, BulkTarget<object>] => {
    if (rows === null) return [list.total ?? 0, { match: matchOf(list.state) }];
    if ('tag' in rows) return [rows.channels, { match: matchOfTag(rows.tag, list.state) }];
    return [rows.length, { ids: rows.map((row) => (row as ChannelRow).channel.id) }];
  };
  const start = (rows: readonly Row[] | TagRow | null) => void open(rows).catch(toastFailure);
  return {
    label: t('channel.bulk.change'),
    all: (n: string) => t('channel.bulk.all', { n }),
    allSelected: (n: string) => t('channel.bulk.allSelected', { n }),
    total: grouped ? undefined : list.total,
    onOpen: (rows: readonly Row[] | null) => start(rows),
    /** Of all channels that the tag's row counts. */
    onTag: (row: TagRow) => start(row),
  };
}
