/** All disabled channels are deleted: how many, which and what is lost is shown first. */
import type { BulkOutput } from '../../../core/contract/bulk.ts';
import { channelStatuses } from '../../../core/vocabulary/statuses.ts';
import { client } from '../../client/api.ts';
import { loadTextPart } from '../../i18n/index.ts';
import type { BulkSubject } from '../../list/bulk.ts';
import { openBulk } from '../../list/bulk-dialog.tsx';
import { channelSubject } from './channel-bulk.ts';

/** What deleting the channels of both kinds of disabled would do. */
async function preview(): Promise<BulkOutput> {
  const [byHand, byGateway] = await Promise.all(
    [channelStatuses.disabled, channelStatuses.autoDisabled].map((status) =>
      client.bulk.channels({ match: { status }, change: { delete: true }, preview: true }),
    ) as [Promise<BulkOutput>, Promise<BulkOutput>],
  );
  return {
    ...byHand,
    matched: byHand.matched + byGateway.matched,
    changed: byHand.changed + byGateway.changed,
    groups: [...byHand.groups, ...byGateway.groups],
    more_groups: byHand.more_groups + byGateway.more_groups,
    refused: [...byHand.refused, ...byGateway.refused],
    ids: [...byHand.ids, ...byGateway.ids],
    // Of disabled channels only keys are lost: no model loses an enabled one.
    lost: { keys: byHand.lost.keys + byGateway.lost.keys, models: [] },
  };
}

export async function removeDisabled({
  title,
  refresh,
}: Pick<BulkSubject, 'title' | 'refresh'>): Promise<void> {
  const [shown] = await Promise.all([preview(), loadTextPart('bulk')]);
  const subject = channelSubject({
    groups: [],
    models: [],
    title,
    refresh,
    onDone: () => undefined,
  });
  const acts = subject.acts.filter(({ danger }) => danger);
  await openBulk({ ...subject, acts }, { ids: shown.ids }, shown);
}
