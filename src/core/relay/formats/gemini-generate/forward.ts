/** Gemini's generateContent, passed through (spec, providers-international 3.8; agent-clients 1.7). */

import { errorFromBody } from '../../../canonical/kit/failure.ts';
import { recordOf, recordsOf, textOf } from '../../../canonical/kit/read-json.ts';
import { mergeUsage, usageFromGemini } from '../../../canonical/kit/usage.ts';
import type { GeneratedText } from '../../../metering/countable.ts';
import { findEvent, readEvents, readValues } from '../shared/events.ts';
import type { ForwardFormat } from '../shared/forward-format.ts';

function isFinish(value: unknown): boolean {
  return recordsOf(recordOf(value)?.['candidates']).some((candidate) => textOf(candidate['finishReason']) !== undefined);
}

/** Where the first event begins that tells how a candidate finished, −1 where there is none. */
function finishAt(events: string): number {
  return findEvent(events, ['"finishReason"'], isFinish);
}

function isFinished(held: Buffer): boolean {
  return finishAt(held.toString('latin1')) !== -1;
}

/** What an upstream owes that closed without a reason. Its SDK fails on comments and on `[DONE]`. */
const ownFinish =
  'data: {"candidates":[{"content":{"role":"model","parts":[{"text":""}]},"finishReason":"STOP","index":0}]}\r\n\r\n';

/** A line other than Google writes them: a comment, the name of an event, `[DONE]`, data on several lines or without a blank. */
const strayLine = /^(?!data: \{|\r?$)/m;

/** Other gateways write SSE as it pleases them; Google's SDK reads nothing but Google's (spec, agent-clients 1.7). */
function tidy(events: Buffer): Buffer {
  if (!strayLine.test(events.toString('latin1'))) return events;
  const data = readEvents(events).map((event) => event.data.replaceAll('\n', ' ').trim());
  return Buffer.from(data.map((text) => (text.startsWith('{') ? `data: ${text}\r\n\r\n` : '')).join(''));
}

function textOfPart(part: Record<string, unknown>): string {
  const call = recordOf(part['functionCall']);
  return call === undefined ? (textOf(part['text']) ?? '') : `${textOf(call['name']) ?? ''}${JSON.stringify(call['args'] ?? {})}`;
}

function generatedInEvents(events: Buffer): GeneratedText {
  const parts = readValues(events)
    .flatMap((value) => recordsOf(recordOf(value)?.['candidates']))
    .flatMap((candidate) => recordsOf(recordOf(candidate['content'])?.['parts']));
  const toolCalls = parts.filter((part) => recordOf(part['functionCall']) !== undefined).length;
  return { text: parts.map(textOfPart).join(''), toolCalls };
}

export const geminiForward: ForwardFormat = {
  tidy,
  usageField: 'usageMetadata',
  replyUsage: usageFromGemini,
  terminalAt: finishAt,
  firstError: (events) => {
    if (!events.includes('"error"')) return undefined;
    const broken = readValues(events).find((value) => recordOf(recordOf(value)?.['error']) !== undefined);
    return broken === undefined ? undefined : errorFromBody(broken);
  },
  // Told anew in each event, for all that came so far: the last one counts, also where the client left before the end.
  streamUsage: (first, held, newest) =>
    [first, newest, held]
      .flatMap((events) => readValues(events))
      .map((value) => usageFromGemini(recordOf(value)?.['usageMetadata']))
      .reduce((earlier, later) => mergeUsage(earlier, later), undefined),
  isFinished,
  end: (held) => (isFinished(held) ? held : Buffer.concat([held, Buffer.from(ownFinish)])),
  generated: generatedInEvents,
};
