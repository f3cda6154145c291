/** Cohere's chat, passed through (docs/rules/streams.md#pass-through). */
import type { ProviderError } from '../../../canonical/chat-reply.ts';
import { errorFromBody } from '../../../canonical/kit/failure.ts';
import { isBlank, type Loose, recordOf, textOf } from '../../../canonical/kit/read-json.ts';
import type { Usage } from '../../../canonical/usage.ts';
import { brokenEnd, usageFromCohere } from '../../../canonical/wires/cohere/words.ts';
import { cohereFamily } from '../families/cohere.ts';
import { isOfType } from '../shared/call-forward.ts';
import { findEvent, marksOf, readValues, splitEvents } from '../shared/events.ts';
import type { ForwardFormat } from '../shared/forward-format.ts';

const isEnd = isOfType('message-end');
const marks = marksOf('"message-end"', '"error"', '"message"');

/** Errors have no type, only a message. */
function isError(value: unknown): boolean {
  const { type, message } = recordOf(value) ?? {};
  return type === 'error' || (type === undefined && typeof message === 'string');
}

/** Events that begin a message, a text or a call, as long as they hold nothing of it. */
const openings: readonly unknown[] = ['message-start', 'content-start', 'tool-call-start'];

function isGreeting({ type, delta }: Loose): boolean {
  if (!openings.includes(type)) return false;
  const message = recordOf(recordOf(delta)?.message);
  const content = recordOf(message?.content);
  const call = recordOf(recordOf(message?.tool_calls)?.function);
  return [content?.text, content?.thinking, call?.arguments].every(isBlank);
}

function endOf(value: unknown): Loose | undefined {
  return isEnd(value) ? recordOf(recordOf(value)?.delta) : undefined;
}

function endIn(events: Buffer): Loose | undefined {
  return readValues(events)
    .map(endOf)
    .find((end) => end !== undefined);
}

/** The error that an event reports; a generation that failed has an end of its own. */
function errorOf(value: unknown): ProviderError | undefined {
  if (isError(value)) return errorFromBody(value);
  const end = endOf(value);
  return end === undefined ? undefined : brokenEnd(textOf(end.finish_reason), end.error);
}

function errorIn(events: Buffer): ProviderError | undefined {
  return readValues(events)
    .map(errorOf)
    .find((error) => error !== undefined);
}

/** Whether a value ends the answer, well or badly. */
function isTerminal(value: unknown): boolean {
  return isEnd(value) || isError(value);
}

function streamUsage(_first: Buffer, held: Buffer): Usage | undefined {
  return usageFromCohere(endIn(held)?.usage);
}

export const cohereForward: ForwardFormat = {
  usageField: 'usage',
  answerField: 'message',
  answerKind: 'object',
  isGreeting,
  replyUsage: usageFromCohere,
  terminalAt: (events) => findEvent(events, marks, isTerminal),
  errorIn,
  streamUsage,
  isFinished: (held) => endIn(held) !== undefined,
  isLast: (events) => findEvent(events, marks, isEnd) !== -1,
  end: (held) => held,
  breakOff: (held, { error }) =>
    Buffer.concat([
      ...splitEvents(held).filter((event) => !readValues(event).some(isTerminal)),
      Buffer.from(cohereFamily.errorEvent(error)),
    ]),
  generated: (events) => {
    let toolCalls = 0;
    const texts = readValues(events).map((value) => {
      const { type, delta } = recordOf(value) ?? {};
      if (type === 'tool-call-start') toolCalls += 1;
      const message = recordOf(recordOf(delta)?.message);
      const content = recordOf(message?.content);
      const target = recordOf(recordOf(message?.tool_calls)?.function);
      return [content?.text, content?.thinking, message?.tool_plan, target?.name, target?.arguments]
        .map((text) => textOf(text) ?? '')
        .join('');
    });
    return { text: texts.join(''), toolCalls };
  },
};
