/** Cohere's chat, passed through (docs/rules/streams.md#pass-through). */
import type { Usage } from '../../../canonical/chat.ts';
import { errorFromBody } from '../../../canonical/kit/failure.ts';
import { type Loose, recordOf, textOf } from '../../../canonical/kit/read-json.ts';
import { brokenEnd, usageFromCohere } from '../../../canonical/wires/cohere/words.ts';
import { isOfType } from '../shared/call-forward.ts';
import { findEvent, readValues } from '../shared/events.ts';
import type { ForwardFormat } from '../shared/forward-format.ts';

const isEnd = isOfType('message-end');

function endAt(events: string): number {
  return findEvent(events, ['"message-end"'], isEnd);
}

function endIn(events: Buffer): Loose | undefined {
  return recordOf(recordOf(readValues(events).find(isEnd))?.delta);
}

/** Errors have no type; a generation that failed has an end of its own. */
function errorIn(events: Buffer): ReturnType<ForwardFormat['firstError']> {
  const broken = readValues(events).find((value) => {
    const { type, message } = recordOf(value) ?? {};
    return type === 'error' || (type === undefined && typeof message === 'string');
  });
  if (broken !== undefined) return errorFromBody(broken);
  const end = endIn(events);
  return end === undefined ? undefined : brokenEnd(textOf(end.finish_reason), end.error);
}

function streamUsage(_first: Buffer, held: Buffer): Usage | undefined {
  return usageFromCohere(endIn(held)?.usage);
}

export const cohereForward: ForwardFormat = {
  usageField: 'usage',
  answerField: 'finish_reason',
  replyUsage: usageFromCohere,
  terminalAt: endAt,
  firstError: errorIn,
  streamUsage,
  isFinished: (held) => endIn(held) !== undefined,
  isLast: (events) => endAt(events) !== -1,
  end: (held) => held,
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
