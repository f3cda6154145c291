/** Chat and text completions, passed through (docs/rules/streams.md#pass-through). */

import {
  countOf,
  isBlank,
  type Loose,
  listOf,
  recordOf,
  recordsOf,
  textOf,
} from '../../../canonical/kit/read-json.ts';
import { tiersOf, usageFromOpenAi, withTier, withTimings } from '../../../canonical/kit/usage.ts';
import type { Usage } from '../../../canonical/usage.ts';
import { isObject } from '../../../kernel/json.ts';
import type { GeneratedText } from '../../../metering/countable.ts';
import { doneEvent, openAiFamily } from '../families/openai.ts';
import { eventStart, findEvent, hasMark, marksOf, readValues, splitEvents } from './events.ts';
import type { ForwardFormat, StreamEnd } from './forward-format.ts';
import { writeOpenAiUsage } from './openai-usage.ts';

const finishMarks = ['"finish_reason":"', '"finish_reason": "'] as const;
const doneMark = '[DONE]';
const dataField = 'data:';
const usageTexts = ['"usage":{', '"usage": {'] as const;
const errorTexts = ['"error"', '"message"'] as const;
const usageMarks = marksOf(...usageTexts);
const errorMarks = marksOf(...errorTexts);
const endMarks = marksOf(...finishMarks, doneMark, ...usageTexts, ...errorTexts);

/** The first finish reason that is not empty: `"finish_reason":""` finishes nothing. */
function finishIndex(text: string): number {
  let first = -1;
  for (const mark of finishMarks) {
    for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, at + mark.length)) {
      if (text.charCodeAt(at + mark.length) === 0x22) continue;
      if (first === -1 || at < first) first = at;
      break;
    }
  }
  return first;
}

/** Where `[DONE]` is the data of an event, −1 where it is not: an answer may contain the word. */
function doneIndex(text: string): number {
  for (
    let at = text.indexOf(doneMark);
    at !== -1;
    at = text.indexOf(doneMark, at + doneMark.length)
  ) {
    let end = at;
    while (text[end - 1] === ' ') end -= 1;
    const start = end - dataField.length;
    if (text.startsWith(dataField, start) && (start === 0 || text[start - 1] === '\n')) return at;
  }
  return -1;
}

/** A chunk that carries usage and no choices. */
function isUsageOnly(value: unknown): boolean {
  const chunk = recordOf(value);
  return chunk !== undefined && isObject(chunk['usage']) && listOf(chunk['choices']).length === 0;
}

/** Calls of which nothing but the names came. */
function areOpened(calls: unknown): boolean {
  return recordsOf(calls).every((call) => isBlank(recordOf(call['function'])?.['arguments']));
}

/** A role, empty texts, and names of calls at most. */
function isEmptyChoice({ finish_reason: finish, text, delta }: Loose): boolean {
  if (!isBlank(finish) || !isBlank(text)) return false;
  return Object.entries(recordOf(delta) ?? {}).every(([name, value]) => {
    if (name === 'role') return true;
    if (name === 'tool_calls') return areOpened(value);
    return isBlank(name === 'function_call' ? recordOf(value)?.['arguments'] : value);
  });
}

/** An error as object or text, or the bare message that some gateways send. */
function isFailedChunk(value: unknown): boolean {
  const { error, choices, message } = recordOf(value) ?? {};
  return (
    isObject(error) ||
    textOf(error) !== undefined ||
    (choices === undefined && textOf(message) !== undefined)
  );
}

function line(value: object): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

/** Identity fields for final chunks that the upstream left out. */
function headOf(first: Buffer): { id: string; object: string; created: number; model: string } {
  // Azure's first chunk has no id and no model yet.
  const chunk =
    recordsOf(readValues(first)).find((value) => textOf(value['id']) !== undefined) ?? {};
  return {
    id: textOf(chunk['id']) ?? '',
    object: textOf(chunk['object']) ?? 'chat.completion.chunk',
    created: typeof chunk['created'] === 'number' ? chunk['created'] : 0,
    model: textOf(chunk['model']) ?? '',
  };
}

/** A text, or Mistral's list of parts: texts, and thinking that is a list of them. */
function textIn(content: unknown): string {
  if (typeof content === 'string') return content;
  return recordsOf(content)
    .map((piece) => textIn(piece['text'] ?? piece['thinking']))
    .join('');
}

function textOfCall(call: Record<string, unknown>): string {
  return `${textOf(call['name']) ?? ''}${textOf(call['arguments']) ?? ''}`;
}

function generatedInChoice(choice: Record<string, unknown>): GeneratedText {
  const delta = recordOf(choice['delta']) ?? {};
  let toolCalls = 0;
  const called: string[] = [];
  const calls = recordsOf(delta['tool_calls']).map((call, position) => {
    toolCalls = Math.max(toolCalls, (countOf(call['index']) ?? position) + 1);
    const part = recordOf(call['function']) ?? {};
    // Its name comes with the first piece of a call.
    const name = textOf(part['name']) ?? '';
    if (name !== '') called.push(name);
    return textOfCall(part);
  });
  // The older interface: one call, beside the content.
  const older = recordOf(delta['function_call']);
  if (older !== undefined) toolCalls = Math.max(toolCalls, 1);
  const spoken = recordOf(delta['audio'])?.['transcript'];
  const parts = [
    delta['content'],
    delta['reasoning_content'],
    delta['reasoning'],
    delta['refusal'],
    choice['text'],
    spoken,
  ];
  const showsThinking = [delta['reasoning_content'], delta['reasoning']].some(
    (thought) => textIn(thought) !== '',
  );
  return {
    text: [...parts.map(textIn), ...calls, textOfCall(older ?? {})].join(''),
    toolCalls,
    called,
    showsThinking,
  };
}

function generatedInEvents(events: Buffer): GeneratedText {
  const generated = readValues(events)
    .flatMap((value) => recordsOf(recordOf(value)?.['choices']))
    .map(generatedInChoice);
  const toolCalls = generated.reduce((most, one) => Math.max(most, one.toolCalls), 0);
  const showsThinking = generated.some((one) => one.showsThinking);
  const called = generated.flatMap((one) => one.called ?? []);
  return { text: generated.map(({ text }) => text).join(''), toolCalls, called, showsThinking };
}

/** `[DONE]` alone says so too: some servers send no finish reason. */
function isFinished(held: Buffer): boolean {
  const events = held.toString('latin1');
  return finishIndex(events) !== -1 || doneIndex(events) !== -1;
}

/** Older servers of Moonshot report it in the last choice. */
function usageIn(chunk: Record<string, unknown>): unknown {
  return chunk['usage'] ?? recordsOf(chunk['choices'])[0]?.['usage'];
}

/** `tierIn`: what the stream said before of its tier, where the chunk with the usage does not. */
function lastUsage(events: Buffer, tierIn: () => unknown) {
  const last = recordsOf(readValues(events)).findLast((chunk) => isObject(usageIn(chunk)));
  if (last === undefined) return undefined;
  const usage = withTimings(usageFromOpenAi(usageIn(last)), last['timings']);
  return withTier(usage, last['service_tier'] ?? tierIn());
}

/**
 * The tier that the first chunk names: some gateways, and streams that are cut, name it only there.
 */
function firstTier(first: Buffer): unknown {
  return recordsOf(readValues(first))[0]?.['service_tier'];
}

function tierAlone(named: unknown): Usage | undefined {
  const tiers = tiersOf(named);
  return tiers && { tiers };
}

export const openAiForward: ForwardFormat = {
  usageField: 'usage',
  answerField: 'choices',
  needsItems: true,
  isEvent: ({ choices }) => Array.isArray(choices),
  isGreeting: ({ choices }) => recordsOf(choices).every(isEmptyChoice),
  replyUsage: (usage, reply) =>
    withTier(
      withTimings(usageFromOpenAi(usage), reply?.get('timings')),
      reply?.get('service_tier'),
    ),
  terminalAt: (events) => {
    if (!hasMark(events, endMarks)) return -1;
    // Some servers report usage in each chunk; only a chunk of nothing else belongs to the end.
    const starts = [finishIndex(events), doneIndex(events)].map((at) =>
      at === -1 ? -1 : eventStart(events, at),
    );
    const found = [
      ...starts,
      findEvent(events, usageMarks, isUsageOnly),
      findEvent(events, errorMarks, isFailedChunk),
    ].filter((start) => start !== -1);
    return found.length === 0 ? -1 : Math.min(...found);
  },
  errorIn: (events, read) => {
    if (!hasMark(events.toString('latin1'), errorMarks)) return undefined;
    const broken = recordsOf(readValues(events)).find(isFailedChunk);
    return broken === undefined ? undefined : read(broken);
  },
  streamUsage: (first, held, newest) => {
    const tierIn = () => firstTier(first);
    return lastUsage(held, tierIn) ?? lastUsage(newest, tierIn) ?? tierAlone(tierIn());
  },
  mayReportUsage: (events) => hasMark(events, usageMarks),
  choicesOrdered: (body) => Math.max(1, countOf(body.get('n')) ?? 1),
  finishedChoices: (events) =>
    recordsOf(readValues(events))
      .flatMap((chunk) => recordsOf(chunk['choices']))
      .filter((choice) => (textOf(choice['finish_reason']) ?? '') !== '')
      .map((choice, position) => countOf(choice['index']) ?? position),
  isFinished,
  isLast: (events) => doneIndex(events) !== -1,
  early: (held) =>
    Buffer.concat(splitEvents(held).filter((event) => !readValues(event).some(isUsageOnly))),
  end: (held, end) =>
    writeEnd(
      held,
      end,
      // All that was sent is put together only where it has to be looked at.
      [() => held, end.sent].some((events) => finishIndex(events().toString('latin1')) !== -1),
    ),
  breakOff: (held, { error }) =>
    Buffer.concat([
      ...splitEvents(held).filter((event) => !isEnding(event)),
      Buffer.from(openAiFamily.errorEvent(error)),
    ]),
  generated: generatedInEvents,
};

/** A finish reason, usage alone, `[DONE]` or an error. */
function isEnding(event: Buffer): boolean {
  return (
    isFinished(event) ||
    readValues(event).some((value) => isUsageOnly(value) || isFailedChunk(value))
  );
}

function writeEnd(
  held: Buffer,
  { includeUsage, usage, first }: StreamEnd,
  finished: boolean,
): Buffer {
  const text = held.toString('latin1');
  const done = doneIndex(text);
  const body = done === -1 ? held : held.subarray(0, eventStart(text, done));
  const pieces: (Buffer | string)[] = [];
  let hasUsage = false;
  // Only here, at the end, are events parsed one by one; each is sent byte for byte.
  for (const event of splitEvents(body)) {
    const only = readValues(event).some(isUsageOnly);
    hasUsage ||= only;
    if (!only || includeUsage) pieces.push(event);
  }
  if (!finished) {
    const head = headOf(first);
    const choice = head.object === 'text_completion' ? { text: '' } : { delta: {} };
    pieces.push(line({ ...head, choices: [{ index: 0, ...choice, finish_reason: 'stop' }] }));
  }
  if (includeUsage && !hasUsage && usage !== undefined) {
    pieces.push(line({ ...headOf(first), choices: [], usage: writeOpenAiUsage(usage) }));
  }
  pieces.push(doneEvent);
  return Buffer.concat(
    pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)),
  );
}
