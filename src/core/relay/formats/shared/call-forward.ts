/** Calls that are no conversation, passed through. */
import type { ProviderError } from '../../../canonical/chat.ts';
import { recordOf, textOf } from '../../../canonical/kit/read-json.ts';
import { mergeUsage, usageFromOpenAi } from '../../../canonical/kit/usage.ts';
import { findEvent, readValues } from './events.ts';
import type { ForwardFormat } from './forward-format.ts';

function firstError(events: Buffer, read: (raw: unknown) => ProviderError): ProviderError | undefined {
  if (!events.includes('error')) return undefined;
  const broken = readValues(events).find((value) => {
    const event = recordOf(value);
    return event?.['type'] === 'error' || recordOf(event?.['error']) !== undefined;
  });
  return broken === undefined ? undefined : read(broken);
}

interface CallForward
  extends Partial<
    Pick<ForwardFormat, 'usageField' | 'replyUsage' | 'plain' | 'answerField' | 'images' | 'streamImages' | 'imagesOrdered'>
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
  const endAt = (events: string) => (ending === undefined ? -1 : findEvent(events, [`"${ending}"`], isOfType(ending)));
  return {
    ...given,
    usageField,
    replyUsage,
    terminalAt: endAt,
    firstError,
    streamUsage: (_first, held) =>
      readValues(held)
        .map((value) => replyUsage(recordOf(value)?.[usageField]))
        .reduce((earlier, later) => mergeUsage(earlier, later), undefined),
    isFinished: (held) => endAt(held.toString('latin1')) !== -1,
    isLast: given.streamImages === undefined ? (events) => endAt(events) !== -1 : undefined,
    end: (held) => held,
    generated: (events) => ({
      text: readValues(events)
        .map((value) => textOf(recordOf(value)?.['delta']) ?? '')
        .join(''),
      toolCalls: 0,
    }),
  };
}
