/** Tests the channels in a state, and shows them meanwhile; loaded with the first click. */
import type { ChannelState } from '../../../core/vocabulary/channel-states.ts';
import { router } from '../../browser/router-handle.ts';
import { client } from '../../client/api.ts';
import { toastFailure } from '../../client/failures.ts';
import { askForRun } from '../../components/run-question.ts';
import { loadTextPart } from '../../i18n/index.ts';
import { channelsIn } from './channels-in.ts';

const pageSize = 100;
/** One call tests so many at most. */
const most = 1000;

async function idsIn(state: ChannelState): Promise<number[]> {
  const ids: number[] = [];
  for (let p = 0; ids.length < most; p++) {
    const { items } = await client.channel.list({ state, p, page_size: pageSize });
    ids.push(...items.map(({ id }) => id));
    if (items.length < pageSize) break;
  }
  return ids;
}

/** Many only when the reader confirms. */
export async function testChannels(state: ChannelState): Promise<void> {
  const [ids] = await Promise.all([idsIn(state), loadTextPart('channel')]);
  if (ids.length === 0) return void router().navigate(channelsIn(state));
  const start = async () => {
    await client.channel.testMany({ ids });
    await router().navigate(channelsIn(state));
  };
  askForRun('channels', ids.length, () => void start().catch(toastFailure));
}
