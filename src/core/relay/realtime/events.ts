/** Realtime events as far as the relay reads them (OpenAI API reference, Realtime). */

import { listOf, recordOf } from '../../canonical/kit/read-json.ts';
import { usageFromOpenAi } from '../../canonical/kit/usage.ts';
import type { Usage } from '../../canonical/usage.ts';
import { tokensOfSeconds } from '../../pricing/audio-tokens.ts';
import { type Body, readBody } from '../body/body-fields.ts';
import type { Frame } from '../sockets/frame-pipe.ts';

export interface RealtimeEvent {
  readonly type: string;
  /** A field parsed; undefined where it is absent or cannot be read. */
  get(name: string): unknown;
}

/** Undefined: not an event; such frames are sent on unread. */
export function readEvent({ data, binary }: Frame): RealtimeEvent | undefined {
  const body = binary ? null : readBody(data);
  if (body === null) return undefined;
  const get = (name: string) => fieldOf(body, name);
  const type = get('type');
  return typeof type === 'string' ? { type, get } : undefined;
}

function fieldOf(body: Body, name: string): unknown {
  try {
    return body.get(name);
  } catch {
    return undefined;
  }
}

/**
 * Whether an upstream's event holds the current settings of a session, or of a session that only
 * transcribes.
 */
export function hasSettings({ type }: RealtimeEvent): boolean {
  return /^(transcription_)?session\.(created|updated)$/.test(type);
}

/** The texts in a client's event: instructions, texts of items, results of functions. */
export function inputTexts({ type, get }: RealtimeEvent): readonly string[] {
  if (type === 'session.update') return textsIn(recordOf(get('session'))?.['instructions']);
  if (type === 'conversation.item.create') return itemTexts(get('item'));
  if (type !== 'response.create') return [];
  const response = recordOf(get('response'));
  return [
    ...textsIn(response?.['instructions']),
    ...listOf(response?.['input']).flatMap(itemTexts),
  ];
}

function itemTexts(item: unknown): readonly string[] {
  const fields = recordOf(item);
  const parts = listOf(fields?.['content']).map((part) => recordOf(part)?.['text']);
  return [...textsIn(fields?.['output']), ...parts.flatMap(textsIn)];
}

function textsIn(value: unknown): readonly string[] {
  return typeof value === 'string' ? [value] : [];
}

/** Usage of a `response.done`. */
export function usageOfResponse(response: unknown): Usage | undefined {
  return usageFromOpenAi(recordOf(response)?.['usage']);
}

/** Usage of a transcript: tokens, or the length of the speech. */
export function usageOfTranscript(usage: unknown): Usage | undefined {
  const given = recordOf(usage);
  const seconds = given?.['seconds'];
  return given !== undefined && typeof seconds === 'number' && seconds > 0
    ? { promptTokens: tokensOfSeconds(seconds), completionTokens: 0, raw: [given] }
    : usageFromOpenAi(usage);
}
