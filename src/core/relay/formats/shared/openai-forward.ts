/** Chat completions and completions, passed through (spec, relay 14; providers-international 3.1). */

import { countOf, listOf, recordOf, recordsOf, textOf } from '../../../canonical/kit/read-json.ts';
import { usageFromOpenAi, withTimings } from '../../../canonical/kit/usage.ts';
import { isObject } from '../../../kernel/json.ts';
import type { GeneratedText } from '../../../metering/countable.ts';
import type { WireFormat } from '../../../vocabulary/wire-formats.ts';
import { eventStart, type ForwardFormat, findEvent, readValues, type StreamEnd, splitEvents } from './forward-format.ts';
import { writeOpenAiUsage } from './openai-usage.ts';

const finishMarks = ['"finish_reason":"', '"finish_reason": "'] as const;
const doneMark = '[DONE]';
const dataField = 'data:';
const usageMarks = ['"usage":{', '"usage": {'] as const;
const doneEvent = 'data: [DONE]\n\n';

/** The first mark that is followed by something: `"finish_reason":""` finishes nothing. */
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

/** Where `[DONE]` stands as the data of an event, −1 where it does not: answers may speak of it. */
function doneIndex(text: string): number {
  for (let at = text.indexOf(doneMark); at !== -1; at = text.indexOf(doneMark, at + doneMark.length)) {
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

/** An error, as object or in plain words, or the words that some gateways send without one. */
function isFailedChunk({ error, choices, message }: Record<string, unknown>): boolean {
  return isObject(error) || textOf(error) !== undefined || (choices === undefined && textOf(message) !== undefined);
}

function line(value: object): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

/** Identity fields for chunks the upstream owed and did not send. */
function headOf(first: Buffer): { id: string; object: string; created: number; model: string } {
  // Azure's first chunk has no names yet.
  const chunk = recordsOf(readValues(first)).find((value) => textOf(value['id']) !== undefined) ?? {};
  return {
    id: textOf(chunk['id']) ?? '',
    object: textOf(chunk['object']) ?? 'chat.completion.chunk',
    created: typeof chunk['created'] === 'number' ? chunk['created'] : 0,
    model: textOf(chunk['model']) ?? '',
  };
}

/** Words as text, or as Mistral's pieces: texts, and thoughts that are lists of them. */
function wordsIn(content: unknown): string {
  if (typeof content === 'string') return content;
  return recordsOf(content)
    .map((piece) => wordsIn(piece['text'] ?? piece['thinking']))
    .join('');
}

function callWords(call: Record<string, unknown>): string {
  return `${textOf(call['name']) ?? ''}${textOf(call['arguments']) ?? ''}`;
}

function saidInChoice(choice: Record<string, unknown>): GeneratedText {
  const delta = recordOf(choice['delta']) ?? {};
  let toolCalls = 0;
  const calls = recordsOf(delta['tool_calls']).map((call, position) => {
    toolCalls = Math.max(toolCalls, (countOf(call['index']) ?? position) + 1);
    return callWords(recordOf(call['function']) ?? {});
  });
  // The older interface: one call, beside the content.
  const older = recordOf(delta['function_call']);
  if (older !== undefined) toolCalls = Math.max(toolCalls, 1);
  const spoken = recordOf(delta['audio'])?.['transcript'];
  const parts = [delta['content'], delta['reasoning_content'], delta['reasoning'], delta['refusal'], choice['text'], spoken];
  return { text: [...parts.map(wordsIn), ...calls, callWords(older ?? {})].join(''), toolCalls };
}

function saidInEvents(events: Buffer): GeneratedText {
  const generated = readValues(events)
    .flatMap((value) => recordsOf(recordOf(value)?.['choices']))
    .map(saidInChoice);
  const toolCalls = generated.reduce((most, one) => Math.max(most, one.toolCalls), 0);
  return { text: generated.map(({ text }) => text).join(''), toolCalls };
}

function openAiForward(format: WireFormat): ForwardFormat {
  const isFinished = (held: Buffer) => finishIndex(held.toString('latin1')) !== -1;
  return {
    format,
    usageField: 'usage',
    answerField: 'choices',
    replyUsage: (usage, reply) => withTimings(usageFromOpenAi(usage), reply?.get('timings')),
    terminalAt: (events) => {
      // Some servers tell usage in each chunk; only a chunk of nothing else belongs to the end.
      const starts = [finishIndex(events), doneIndex(events)].map((at) => (at === -1 ? -1 : eventStart(events, at)));
      const found = [...starts, findEvent(events, usageMarks, isUsageOnly)].filter((start) => start !== -1);
      return found.length === 0 ? -1 : Math.min(...found);
    },
    firstError: (events, read) => {
      if (!events.includes('"error"') && !events.includes('"message"')) return undefined;
      const broken = recordsOf(readValues(events)).find(isFailedChunk);
      return broken === undefined ? undefined : read(broken);
    },
    streamUsage: (_first, held) => {
      // Older servers of Moonshot tell it in the last choice.
      const usageIn = (chunk: Record<string, unknown>) => chunk['usage'] ?? recordsOf(chunk['choices'])[0]?.['usage'];
      const last = recordsOf(readValues(held)).findLast((chunk) => isObject(usageIn(chunk)));
      return last && withTimings(usageFromOpenAi(usageIn(last)), last['timings']);
    },
    isFinished,
    isLast: (events) => doneIndex(events) !== -1,
    end: (held, end) => writeEnd(held, end, isFinished(held)),
    generated: saidInEvents,
  };
}

function writeEnd(held: Buffer, { includeUsage, usage, first }: StreamEnd, finished: boolean): Buffer {
  const text = held.toString('latin1');
  const done = doneIndex(text);
  const body = done === -1 ? held : held.subarray(0, eventStart(text, done));
  const pieces: (Buffer | string)[] = [];
  let usageTold = false;
  // Events are looked at one by one only here, at the end; each goes on byte for byte.
  for (const event of splitEvents(body)) {
    const only = readValues(event).some(isUsageOnly);
    usageTold ||= only;
    if (!only || includeUsage) pieces.push(event);
  }
  if (!finished) {
    const head = headOf(first);
    const choice = head.object === 'text_completion' ? { text: '' } : { delta: {} };
    pieces.push(line({ ...head, choices: [{ index: 0, ...choice, finish_reason: 'stop' }] }));
  }
  if (includeUsage && !usageTold && usage !== undefined) {
    pieces.push(line({ ...headOf(first), choices: [], usage: writeOpenAiUsage(usage) }));
  }
  pieces.push(doneEvent);
  return Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)));
}

export const openAiChatForward = openAiForward('openai-chat');
export const openAiCompletionsForward = openAiForward('openai-completions');
