/** Anthropic messages, passed through (docs/rules/streams.md#pass-through). */

import { mergeAnthropicUsage, usageFromAnthropic } from '../../../canonical/kit/anthropic-usage.ts';
import { withContainer } from '../../../canonical/kit/containers.ts';
import { isBlank, type Loose, recordOf, textOf } from '../../../canonical/kit/read-json.ts';
import { withCacheMiss, withDroppedThinking } from '../../../canonical/kit/usage.ts';
import { anthropicFamily } from '../families/anthropic.ts';
import { eventStart, findEvent, marksOf, readValues, splitEvents } from '../shared/events.ts';
import type { ForwardFormat } from '../shared/forward-format.ts';

const errorMark = Buffer.from('"error"');
/** Finds where the first event of these types begins; −1 where there is none. */
function finderOf(...types: readonly string[]): (events: string) => number {
  const marks = marksOf(...types.map((type) => `"${type}"`));
  return (events) =>
    findEvent(events, marks, (value) => types.includes(textOf(recordOf(value)?.['type']) ?? ''));
}

const terminalAt = finderOf('message_delta', 'message_stop', 'error');
const finishAt = finderOf('message_delta', 'message_stop');
const deltaAt = finderOf('message_delta');
const stopAt = finderOf('message_stop');

function holds(held: Buffer, find: (events: string) => number): boolean {
  return find(held.toString('latin1')) !== -1;
}

function event(type: string, fields: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}

const contents = ['text', 'thinking', 'partial_json', 'signature', 'data', 'content'] as const;

/** The start of a message or of an empty block, an empty piece of one, or a ping. */
function isGreeting({ type, message, content_block: block, delta }: Loose): boolean {
  if (type === 'ping') return true;
  if (type === 'message_start') return isBlank(recordOf(message)?.['content']);
  const holds =
    type === 'content_block_start' ? block : type === 'content_block_delta' ? delta : undefined;
  const parts = recordOf(holds);
  if (parts === undefined || Object.keys(recordOf(parts['input']) ?? {}).length > 0) return false;
  return contents.every((name) => isBlank(parts[name]));
}

/** Index of the content block that no `content_block_stop` closed, or −1. */
function openBlock(values: readonly unknown[]): number {
  let open = -1;
  for (const value of values) {
    const part = recordOf(value);
    const index = typeof part?.['index'] === 'number' ? part['index'] : -1;
    if (part?.['type'] === 'content_block_start' || part?.['type'] === 'content_block_delta')
      open = index;
    else if (part?.['type'] === 'content_block_stop') open = -1;
  }
  return open;
}

/** OpenRouter ends with chat's `[DONE]`, which clients of this format cannot read. */
function withoutDone(held: Buffer): Buffer {
  const text = held.toString('latin1');
  const done = text.indexOf('data: [DONE]');
  return done === -1 ? held : held.subarray(0, eventStart(text, done));
}

/** What became of earlier thinking. */
const transformations = 'input_transformations';
/** Why the cache did not serve the prompt. */
const missReason = 'cache_miss_reason';

/**
 * `message_start` counts the first output token before there is any output: only the end reports
 * how many there were, unless the whole message came with it.
 */
function usageOfStart(
  message: Record<string, unknown> | undefined,
): Record<string, unknown> | undefined {
  const usage = recordOf(message?.['usage']);
  return usage === undefined || textOf(message?.['stop_reason']) !== undefined
    ? usage
    : { ...usage, output_tokens: undefined };
}

export const anthropicForward: ForwardFormat = {
  usageField: 'usage',
  answerField: 'content',
  isEvent: ({ type }) => textOf(type) !== undefined,
  isGreeting,
  replyUsage: (usage, reply) =>
    withCacheMiss(
      withDroppedThinking(
        withContainer(usageFromAnthropic(usage), reply?.get('container')),
        reply?.contains?.(transformations) === true ? reply.get(transformations) : undefined,
      ),
      reply?.get('diagnostics'),
    ),
  terminalAt,
  errorIn: (events, read) => {
    if (!events.includes(errorMark)) return undefined;
    const broken = readValues(events).find((value) => recordOf(value)?.['type'] === 'error');
    return broken === undefined ? undefined : read(broken);
  },
  streamUsage: (first, held) => {
    let usage: Record<string, unknown> | undefined;
    let container: unknown;
    for (const value of [...readValues(first), ...readValues(held)]) {
      const part = recordOf(value);
      container =
        recordOf(part?.['delta'])?.['container'] ??
        recordOf(part?.['message'])?.['container'] ??
        container;
      usage = mergeAnthropicUsage(
        usage,
        part?.['usage'] ?? usageOfStart(recordOf(part?.['message'])),
      );
    }
    const start =
      first.includes(transformations) || first.includes(missReason)
        ? readValues(first).flatMap((value) => recordOf(recordOf(value)?.['message']) ?? [])
        : [];
    const [message] = start as readonly Loose[];
    return withCacheMiss(
      withDroppedThinking(
        withContainer(usageFromAnthropic(usage), container),
        message?.input_transformations,
      ),
      message?.diagnostics,
    );
  },
  isFinished: (held) => holds(held, finishAt),
  isLast: (events) => stopAt(events) !== -1,
  end: (held, { sent, usage }) => {
    if (holds(held, stopAt)) return withoutDone(held);
    const chunks = [held];
    if (!holds(held, deltaAt)) {
      const open = openBlock(readValues(sent()));
      if (open !== -1) chunks.push(Buffer.from(event('content_block_stop', { index: open })));
      chunks.push(
        Buffer.from(
          event('message_delta', {
            delta: { stop_reason: 'end_turn', stop_sequence: null },
            usage: { output_tokens: usage?.completionTokens ?? 0 },
          }),
        ),
      );
    }
    chunks.push(Buffer.from(event('message_stop', {})));
    return Buffer.concat(chunks);
  },
  breakOff: (held, { error }) => {
    const kept = splitEvents(withoutDone(held)).filter((one) => !holds(one, terminalAt));
    return Buffer.concat([...kept, Buffer.from(anthropicFamily.errorEvent(error))]);
  },
  generated: (events) => {
    let toolCalls = 0;
    let showsThinking = false;
    const texts = readValues(events).map((value) => {
      const part = recordOf(value);
      const delta = recordOf(part?.['delta']) ?? recordOf(part?.['content_block']) ?? {};
      if (delta['type'] === 'tool_use') toolCalls += 1;
      showsThinking ||= textOf(delta['thinking']) !== undefined;
      return ['text', 'thinking', 'partial_json', 'name']
        .map((name) => textOf(delta[name]) ?? '')
        .join('');
    });
    return { text: texts.join(''), toolCalls, showsThinking };
  },
};
