/** Calls that are no conversation, passed through (spec, providers-international 3.1). */
import type { ProviderError, Usage } from '../../providers/canonical.ts';
import { errorFromBody } from '../../providers/kit/failure.ts';
import { recordOf, textOf } from '../../providers/kit/read-json.ts';
import { mergeUsage, usageFromGemini, usageFromOpenAi } from '../../providers/kit/usage.ts';
import type { WireFormat } from '../../vocabulary/wire-formats.ts';
import { eventStart, type ForwardFormat, readValues } from './forward-format.ts';

function firstError(events: Buffer): ProviderError | undefined {
  if (!events.includes('error')) return undefined;
  const broken = readValues(events).find((value) => {
    const event = recordOf(value);
    return event?.['type'] === 'error' || recordOf(event?.['error']) !== undefined;
  });
  return broken === undefined ? undefined : errorFromBody(broken);
}

/** The marks of the events that end a stream and tell its usage. */
interface CallForward {
  readonly marks?: readonly string[];
  readonly usageField?: string;
  readonly replyUsage?: (usage: unknown) => Usage | undefined;
  readonly plain?: ForwardFormat['plain'];
  readonly answerField?: string;
}

function callForward(format: WireFormat, { marks = [], plain, answerField, ...reading }: CallForward = {}): ForwardFormat {
  const { usageField = 'usage', replyUsage = usageFromOpenAi } = reading;
  const isFinished = (held: Buffer) => marks.some((mark) => held.includes(mark));
  return {
    format,
    usageField,
    replyUsage,
    plain,
    answerField,
    terminalAt: (events) => {
      const found = marks.map((mark) => events.indexOf(mark)).filter((index) => index !== -1);
      return found.length === 0 ? -1 : eventStart(events, Math.min(...found));
    },
    firstError,
    streamUsage: (_first, held) =>
      readValues(held)
        .map((value) => replyUsage(recordOf(value)?.[usageField]))
        .reduce((earlier, later) => mergeUsage(earlier, later), undefined),
    isFinished,
    end: (held) => held,
    text: (events) =>
      readValues(events)
        .map((value) => textOf(recordOf(value)?.['delta']) ?? '')
        .join(''),
  };
}

const transcript = { marks: ['"transcript.text.done"'], plain: 'text' } as const;

export const callForwards: readonly ForwardFormat[] = [
  callForward('openai-embeddings', { answerField: 'data' }),
  callForward('openai-moderations'),
  callForward('jina-rerank'),
  callForward('gemini-embed', { usageField: 'usageMetadata', replyUsage: usageFromGemini }),
  callForward('openai-images', { marks: ['"image_generation.completed"'] }),
  callForward('openai-image-edits', { marks: ['"image_edit.completed"'] }),
  callForward('openai-speech', { marks: ['"speech.audio.done"'], plain: 'bytes' }),
  callForward('openai-transcriptions', transcript),
  callForward('openai-translations', transcript),
];
