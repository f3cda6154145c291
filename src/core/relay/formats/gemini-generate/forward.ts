/** Gemini's generateContent, passed through (docs/rules/streams.md#pass-through). */

import { usageFromGemini } from '../../../canonical/kit/gemini-usage.ts';
import { groundingCalls, withToolCalls } from '../../../canonical/kit/hosted-tools.ts';
import {
  isBlank,
  type Loose,
  recordOf,
  recordsOf,
  textOf,
} from '../../../canonical/kit/read-json.ts';
import { mergeUsage } from '../../../canonical/kit/usage.ts';
import { isObject } from '../../../kernel/json.ts';
import type { GeneratedText } from '../../../metering/countable.ts';
import { geminiFamily } from '../families/gemini.ts';
import { findEvent, marksOf, readEvents, readValues, splitEvents } from '../shared/events.ts';
import type { ForwardFormat } from '../shared/forward-format.ts';

/** What a reply holds where Google searched for it. */
const groundingMark = '"groundingMetadata"';
const finishMarks = marksOf('"finishReason"', '"blockReason"');
const endMarks = marksOf('"finishReason"', '"blockReason"', '"error"');

/** A finish reason, or the reason why a prompt got no answer. */
function isFinish(value: unknown): boolean {
  const chunk = recordOf(value);
  if (textOf(recordOf(chunk?.['promptFeedback'])?.['blockReason']) !== undefined) return true;
  return recordsOf(chunk?.['candidates']).some(
    (candidate) => textOf(candidate['finishReason']) !== undefined,
  );
}

function isError(value: unknown): boolean {
  return recordOf(recordOf(value)?.['error']) !== undefined;
}

function isTerminal(value: unknown): boolean {
  return isFinish(value) || isError(value);
}

/** Candidates without any part but empty texts, or none yet. */
function isGreeting(chunk: Loose): boolean {
  if (isFinish(chunk)) return false;
  return recordsOf(chunk['candidates'])
    .flatMap((candidate) => recordsOf(recordOf(candidate['content'])?.['parts']))
    .every((part) =>
      Object.entries(part).every(([name, value]) => name === 'thought' || isBlank(value)),
    );
}

/** Where the first event with a finish reason begins, −1 where there is none. */
function finishAt(events: string): number {
  return findEvent(events, finishMarks, isFinish);
}

function isFinished(held: Buffer): boolean {
  return finishAt(held.toString('latin1')) !== -1;
}

/** The end of a stream whose upstream closed without a finish reason. */
const ownFinish =
  'data: {"candidates":[{"content":{"role":"model","parts":[{"text":""}]},"finishReason":"STOP","index":0}]}\r\n\r\n';

/**
 * A line that Google does not write: a comment, an event name, `[DONE]`, data on several lines or
 * without a blank.
 */
const strayLine = /^(?!data: \{|\r?$)/m;

/**
 * Other gateways use all of SSE; Google's SDK reads only what Google writes
 * (docs/rules/streams.md#gemini-sse).
 */
function tidy(events: Buffer): Buffer {
  if (!strayLine.test(events.toString('latin1'))) return events;
  const data = readEvents(events).map((event) => event.data.replaceAll('\n', ' ').trim());
  return Buffer.from(
    data.map((text) => (text.startsWith('{') ? `data: ${text}\r\n\r\n` : '')).join(''),
  );
}

function textOfPart(part: Record<string, unknown>): string {
  const call = recordOf(part['functionCall']);
  return call === undefined
    ? (textOf(part['text']) ?? '')
    : `${textOf(call['name']) ?? ''}${JSON.stringify(call['args'] ?? {})}`;
}

function generatedInEvents(events: Buffer): GeneratedText {
  const parts = readValues(events)
    .flatMap((value) => recordsOf(recordOf(value)?.['candidates']))
    .flatMap((candidate) => recordsOf(recordOf(candidate['content'])?.['parts']));
  const toolCalls = parts.filter((part) => recordOf(part['functionCall']) !== undefined).length;
  return {
    text: parts.map(textOfPart).join(''),
    toolCalls,
    showsThinking: parts.some((part) => part['thought'] === true),
  };
}

export const geminiForward: ForwardFormat = {
  tidy,
  usageField: 'usageMetadata',
  answerField: 'candidates',
  needsItems: true,
  refusalField: 'promptFeedback',
  isEvent: ({ candidates, promptFeedback }) =>
    Array.isArray(candidates) || isObject(promptFeedback),
  isGreeting,
  replyUsage: (usage, reply) =>
    withToolCalls(
      usageFromGemini(usage),
      reply?.contains?.(groundingMark) === true
        ? groundingCalls(recordsOf(reply.get('candidates')))
        : undefined,
    ),
  terminalAt: (events) => findEvent(events, endMarks, isTerminal),
  errorIn: (events, read) => {
    if (!events.includes('"error"')) return undefined;
    const broken = readValues(events).find(isError);
    return broken === undefined ? undefined : read(broken);
  },
  // Each event reports the usage so far: the last one counts, also where the client left before the
  // end.
  streamUsage: (first, held, newest) =>
    [first, newest, held]
      .flatMap((events) => readValues(events))
      .map((value) => {
        const chunk = recordOf(value);
        return withToolCalls(
          usageFromGemini(chunk?.['usageMetadata']),
          groundingCalls(recordsOf(chunk?.['candidates'])),
        );
      })
      .reduce((earlier, later) => mergeUsage(earlier, later), undefined),
  mayReportUsage: () => true,
  // Any event may, not only the first and the last ones.
  sentCalls: (events, latin1) =>
    latin1.includes(groundingMark)
      ? readValues(events)
          .map((value) => groundingCalls(recordsOf(recordOf(value)?.['candidates'])))
          .map((calls) => withToolCalls(undefined, calls))
          .reduce(mergeUsage, undefined)
      : undefined,
  isFinished,
  breakOff: (held, { error }) => {
    const kept = splitEvents(held).filter((event) => !readValues(event).some(isTerminal));
    return Buffer.concat([...kept, Buffer.from(geminiFamily.errorEvent(error))]);
  },
  end: (held) => (isFinished(held) ? held : Buffer.concat([held, Buffer.from(ownFinish)])),
  generated: generatedInEvents,
};
