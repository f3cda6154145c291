/** Errors of an upstream on an open connection, without the channel's secrets (docs/rules/relay.md#error-mask). */
import { recordOf } from '../../canonical/kit/read-json.ts';
import { parseObject } from '../../kernel/json.ts';
import type { UpstreamChannel } from '../../upstream/channel.ts';
import { maskOf, maskValue } from '../mask.ts';
import type { Frame } from '../sockets/frame-pipe.ts';
import type { RealtimeEvent } from './events.ts';

/** The frame itself where it reports no error. */
export function maskedFrame(frame: Frame, event: RealtimeEvent, channel: UpstreamChannel): Frame {
  if (!reportsError(event)) return frame;
  const value = parseObject(frame.data.toString('utf8')) ?? {};
  const mask = maskOf(channel);
  const { error, response } = value;
  const details = recordOf(response)?.['status_details'];
  const masked = {
    ...value,
    ...(error === undefined ? {} : { error: maskValue(error, mask) }),
    ...(details === undefined ? {} : { response: { ...recordOf(response), status_details: maskValue(details, mask) } }),
  };
  return { ...frame, data: Buffer.from(JSON.stringify(masked)) };
}

/** An error, a failed transcription, or a response that failed. */
function reportsError({ type, get }: RealtimeEvent): boolean {
  if (type === 'error' || type.endsWith('.failed')) return true;
  return type === 'response.done' && recordOf(get('response'))?.['status'] === 'failed';
}
