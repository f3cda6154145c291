/** Calls that are no conversation, passed through. */
import type { ProviderError } from '../../../canonical/chat-reply.ts';
import { recordOf, textOf } from '../../../canonical/kit/read-json.ts';
import { mergeUsage, usageFromOpenAi } from '../../../canonical/kit/usage.ts';
import { openAiFamily } from '../families/openai.ts';
import { findEvent, marksOf, readValues, splitEvents } from './events.ts';
import type { ForwardFormat } from './forward-format.ts';

function isError(value: unknown): boolean {
  const event = recordOf(value);
  return event?.['type'] === 'error' || recordOf(event?.['error']) !== undefined;
}

function errorIn(events: Buffer, read: (raw: unknown) => ProviderError): ProviderError | undefined {
  if (!events.includes('"error"')) return undefined;
  const broken = readValues(events).find(isError);
  return broken === undefined ? undefined : read(broken);
}

interface CallForward
  extends Partial<
    Pick<
      ForwardFormat,
      | 'usageField'
      | 'replyUsage'
      | 'plain'
      | 'answerField'
      | 'images'
      | 'streamImages'
      | 'imagesOrdered'
    >
  > {
  /** Type of the event that ends a stream and reports its usage; images have one each. */
  readonly ending?: string;
}

/** Whether an event has this type. */
export function isOfType(type: string | undefined): (value: unknown) => boolean {
  return (value) => recordOf(value)?.['type'] === type;
}

export function callForward({ ending, ...given }: CallForward = {}): ForwardFormat {
  const { usageField = 'usage', replyUsage = usageFromOpenAi } = given;
  const isEnding = ending === undefined ? () => false : isOfType(ending);
  const marks = marksOf(...(ending === undefined ? [] : [`"${ending}"`]), '"error"');
  const endAt = (events: string) => findEvent(events, marks, isEnding);
  return {
    ...given,
    usageField,
    replyUsage,
    terminalAt: (events) => findEvent(events, marks, (value) => isEnding(value) || isError(value)),
    errorIn,
    streamUsage: (_first, held) =>
      readValues(held)
        .map((value) => replyUsage(recordOf(value)?.[usageField]))
        .reduce((earlier, later) => mergeUsage(earlier, later), undefined),
    isFinished: (held) => endAt(held.toString('latin1')) !== -1,
    isLast: given.streamImages === undefined ? (events) => endAt(events) !== -1 : undefined,
    end: (held) => held,
    breakOff: (held, { error }) =>
      Buffer.concat([
        ...splitEvents(held).filter((event) => !readValues(event).some(isError)),
        Buffer.from(openAiFamily.errorEvent(error)),
      ]),
    generated: (events) => ({
      text: readValues(events)
        .map((value) => textOf(recordOf(value)?.['delta']) ?? '')
        .join(''),
      toolCalls: 0,
    }),
  };
}
