/**
 * Errors of an upstream on an open connection, without the channel's secrets
 * (docs/rules/relay.md#error-mask).
 */
import { recordOf } from '../../canonical/kit/read-json.ts';
import { parseObject } from '../../kernel/json.ts';
import type { UpstreamChannel } from '../../upstream/channel.ts';
import { maskOf, maskValue } from '../mask.ts';
import type { Frame } from '../sockets/frame-pipe.ts';
import type { RealtimeEvent } from './events.ts';

/** The frame itself where it reports no failure. */
export function maskedFrame(frame: Frame, event: RealtimeEvent, channel: UpstreamChannel): Frame {
  const masked = maskedEvent(frame, event, channel);
  return masked === undefined ? frame : { ...frame, data: Buffer.from(JSON.stringify(masked)) };
}

/** All of an error or a failure; of a finished response, why it was not completed. */
function maskedEvent(
  frame: Frame,
  { type, get }: RealtimeEvent,
  channel: UpstreamChannel,
): unknown {
  const value = () => parseObject(frame.data.toString('utf8')) ?? {};
  if (type === 'error' || type.endsWith('.failed')) return maskValue(value(), maskOf(channel));
  const response = type === 'response.done' ? recordOf(get('response')) : undefined;
  const details = response?.['status_details'];
  if (details === undefined || details === null) return undefined;
  return {
    ...value(),
    response: { ...response, status_details: maskValue(details, maskOf(channel)) },
  };
}
