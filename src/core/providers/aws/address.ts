import type { Call } from '../../canonical/provider.ts';
import { readCredentials } from './credentials.ts';

type Action =
  | 'invoke'
  | 'invoke-with-response-stream'
  | 'converse'
  | 'converse-stream'
  | 'count-tokens';

/** The region the channel's key names. Throws AppError('invalid_channel_key'). */
export function regionOf(call: Call): string {
  return readCredentials(call.key).region;
}

/** A model's id is one segment of the path, so colons and the slashes of ARNs are escaped. */
export function bedrockAddress(call: Call, id: string, action: Action): string {
  const base =
    call.baseUrl === '' ? `https://bedrock-runtime.${regionOf(call)}.amazonaws.com` : call.baseUrl;
  return `${base}/model/${encodeURIComponent(id)}/${action}`;
}

export function bedrockHeaders(stream: boolean): Record<string, string> {
  return {
    'content-type': 'application/json',
    accept: stream ? 'application/vnd.amazon.eventstream' : 'application/json',
  };
}
