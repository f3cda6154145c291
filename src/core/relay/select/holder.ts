import type { UpstreamChannel } from '../../upstream/channel.ts';
import type { Continuation } from '../job.ts';

type Holder = Pick<Continuation, 'channelId' | 'healthKey'> | undefined;

/**
 * The channel with the key that keeps the conversation; undefined: it is another channel, or has
 * that key no more.
 */
export function holdingChannel(
  channel: UpstreamChannel,
  holder: Holder,
): UpstreamChannel | undefined {
  if (
    holder === undefined ||
    channel.id !== holder.channelId ||
    channel.provider.keepsResponses !== true
  )
    return undefined;
  return (channel.keys?.enabled ?? [channel]).find(
    ({ healthKeys }) => healthKeys.at(-1) === holder.healthKey,
  );
}
