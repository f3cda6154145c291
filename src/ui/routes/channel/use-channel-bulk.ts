/** One change of many channels: of those that are picked, or of all that the filters select. */
import { client } from '../../client/api.ts';
import { toastFailure } from '../../client/failures.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useRefreshChannels } from '../../queries/use-invalidate.ts';
import type { ChannelRow, Row } from './channel-rows.ts';
import { matchOf, type useChannels } from './use-channels.ts';

type ChannelList = ReturnType<typeof useChannels>['list'];

/** `grouped`: pages are counted in tags, so not all can be selected. */
export function useChannelBulk(list: ChannelList, grouped: boolean) {
  const { t } = useTranslation();
  const refresh = useRefreshChannels();
  const open = async (rows: readonly Row[] | null) => {
    const [{ openBulk }, { loadTextPart }, { channelSubject }, groups, models] = await Promise.all([
      import('../../list/bulk-dialog.tsx'),
      import('../../i18n/index.ts'),
      import('./channel-bulk.ts'),
      client.channel.groups(),
      client.channel.enabledModels(),
    ]);
    await loadTextPart('bulk');
    const ids = rows?.map((row) => (row as ChannelRow).channel.id);
    await openBulk(
      channelSubject({
        ...{ groups, models, refresh },
        title: t('channel.bulk.title', { count: ids?.length ?? list.total ?? 0 }),
        onDone: () => list.select([]),
      }),
      ids === undefined ? { match: matchOf(list.state) } : { ids },
    );
  };
  return {
    label: t('channel.bulk.change'),
    all: (n: string) => t('channel.bulk.all', { n }),
    allSelected: (n: string) => t('channel.bulk.allSelected', { n }),
    total: grouped ? undefined : list.total,
    onOpen: (rows: readonly Row[] | null) => void open(rows).catch(toastFailure),
  };
}
