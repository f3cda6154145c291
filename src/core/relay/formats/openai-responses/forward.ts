/** OpenAI Responses, passed through (docs/rules/streams.md#pass-through). */

import type { ProviderError } from '../../../canonical/chat-reply.ts';
import { usageOfResponse, usageOfResponseFields } from '../../../canonical/kit/hosted-tools.ts';
import { countOf, isBlank, recordOf, textOf } from '../../../canonical/kit/read-json.ts';
import { StreamTier } from '../../../canonical/kit/stream-tier.ts';
import { mergeUsage } from '../../../canonical/kit/usage.ts';
import { failureOfEvent } from '../../../canonical/wires/openai-responses/failure.ts';
import { isObject, type JsonObject } from '../../../kernel/json.ts';
import { gatewayErrorType } from '../families/api-family.ts';
import { findEvent, marksOf, readValues, splitEvents } from '../shared/events.ts';
import type { BrokenEnd, ForwardFormat } from '../shared/forward-format.ts';
import { isCallItem } from './client-tools.ts';
import { failureEvents } from './object.ts';

const finished = new Set(['response.completed', 'response.incomplete']);
const failed = new Set(['response.failed', 'error']);
/** The last events of a stream; an `error` is followed by the response that failed. */
const last = new Set([...finished, 'response.failed']);
/** Events before an answer, with the response that begins. */
const greetings = new Set([
  'response.created',
  'response.in_progress',
  'response.queued',
  'keepalive',
]);
/** Events that announce an item or a part of one, and the member that holds it. */
const announced: Readonly<Record<string, string>> = {
  'response.output_item.added': 'item',
  'response.content_part.added': 'part',
  'response.reasoning_summary_part.added': 'part',
};
/** What items and parts hold of an answer. */
const contents = [
  'content',
  'summary',
  'encrypted_content',
  'text',
  'refusal',
  'arguments',
  'input',
  'result',
  'output',
] as const;
/** The types of terminal events, as they are written in JSON. */
const marks = marksOf(
  '"response.completed"',
  '"response.incomplete"',
  '"response.failed"',
  '"error"',
);

/** The status of an error whose code says none. */
const unnamedStatus = 502;

type Event = Record<string, unknown>;

function eventsIn(bytes: Buffer): Event[] {
  return readValues(bytes).filter(isObject);
}

function typeOf(event: Event): string {
  return textOf(event['type']) ?? '';
}

function isOneOf(types: ReadonlySet<string>, value: unknown): boolean {
  return isObject(value) && types.has(typeOf(value));
}

function isGreeting(event: Event): boolean {
  const type = typeOf(event);
  const holder = announced[type];
  if (holder === undefined) return greetings.has(type);
  const holds = recordOf(event[holder]);
  return contents.every((name) => isBlank(holds?.[name]));
}

function isTerminal(value: unknown): boolean {
  return isOneOf(finished, value) || isOneOf(failed, value);
}

/** The response in the last event of these types. */
function responseIn(bytes: Buffer, types: ReadonlySet<string>): JsonObject | undefined {
  const event = eventsIn(bytes).findLast((one) => types.has(typeOf(one)));
  return recordOf(event?.['response']) as JsonObject | undefined;
}

const numberMark = '"sequence_number":';

/** The number of the last event in a stream, −1 where events are not numbered. */
function lastNumber(events: Buffer): number {
  const at = events.lastIndexOf(numberMark);
  return at === -1
    ? -1
    : (countOf(/^\s*(\d+)/.exec(events.toString('latin1', at + numberMark.length, at + 40))?.[1]) ??
        -1);
}

function textOfEvent(event: Event): string {
  const type = typeOf(event);
  if (type === 'response.output_item.added') return textOf(recordOf(event['item'])?.['name']) ?? '';
  return type.endsWith('.delta') ? (textOf(event['delta']) ?? '') : '';
}

function isToolCall(event: Event): boolean {
  const item =
    typeOf(event) === 'response.output_item.added'
      ? textOf(recordOf(event['item'])?.['type'])
      : undefined;
  return item !== undefined && isCallItem(item);
}

/** Of the held events only those that report the failure, masked. */
function maskedFailure(event: Buffer, mask: BrokenEnd['mask']): readonly Buffer[] {
  return eventsIn(event)
    .filter((value) => isOneOf(failed, value))
    .map((value) =>
      Buffer.from(`event: ${typeOf(value)}\ndata: ${JSON.stringify(maskFailure(value, mask))}\n\n`),
    );
}

function maskFailure(event: Event, mask: BrokenEnd['mask']): Event {
  const { response, type, ...fields } = event;
  const error = recordOf(response)?.['error'];
  const masked = mask(fields) as Event;
  if (response === undefined) return { type, ...masked };
  return { type, ...masked, response: { ...recordOf(response), error: mask(error) } };
}

/** What the vendor's own reader knows of a code counts; it knows no events. */
function withVendorsMeaning(
  failure: ProviderError,
  read: (raw: unknown) => ProviderError,
): ProviderError {
  const { type, code, message } = failure;
  const { status, accountFault } = read({ error: { type, code, message } });
  return accountFault === true || status !== unnamedStatus
    ? { ...failure, status, ...(accountFault === undefined ? {} : { accountFault }) }
    : failure;
}

export const responsesForward: ForwardFormat = {
  usageField: 'usage',
  answerField: 'output',
  isEvent: ({ type }) => textOf(type) !== undefined,
  replyUsage: usageOfResponseFields,
  isGreeting,
  terminalAt: (events) => findEvent(events, marks, isTerminal),
  errorIn: (events, read) => {
    for (const event of eventsIn(events)) {
      const failure = failureOfEvent(event);
      if (failure !== undefined) return withVendorsMeaning(failure, read);
    }
    return undefined;
  },
  streamUsage: (first, held) => {
    const tier = new StreamTier();
    return [first, held]
      .flatMap(eventsIn)
      .map((event) => recordOf(event['response']))
      .flatMap((response) => [tier.read(response?.['service_tier']), usageOfResponse(response)])
      .reduce((earlier, later) => mergeUsage(earlier, later), undefined);
  },
  isFinished: (held) => eventsIn(held).some((event) => finished.has(typeOf(event))),
  isLast: (events) => findEvent(events, marks, (value) => isOneOf(last, value)) !== -1,
  end: (held) => held,
  isLastAfterError: (events) => findEvent(events, marks, (value) => isOneOf(last, value)) !== -1,
  // An incomplete answer must not look complete: Codex would act on it. A failure that the upstream
  // reported keeps its events, where its words are the caller's to read.
  breakOff: (held, { error, mask, first, sent }) => {
    const events = sent();
    const isTheirs = error.about === undefined && error.type !== gatewayErrorType;
    if (isTheirs && eventsIn(held).some((event) => failed.has(typeOf(event))))
      return Buffer.concat(splitEvents(held).flatMap((event) => maskedFailure(event, mask)));
    const known = responseIn(first, greetings) ?? { object: 'response', output: [] };
    const ending = failureEvents(known, error, lastNumber(Buffer.concat([events, held])) + 1);
    const rest = splitEvents(held).filter((event) => !eventsIn(event).some(isTerminal));
    return Buffer.concat([...rest, Buffer.from(ending)]);
  },
  generated: (given) => {
    const events = eventsIn(given);
    const showsThinking = events.some((event) =>
      /^response\.reasoning\w*\.delta$/.test(typeOf(event)),
    );
    return {
      text: events.map(textOfEvent).join(''),
      toolCalls: events.filter(isToolCall).length,
      showsThinking,
    };
  },
};
