/** Calls that are no conversation, passed through (spec, providers-international 3.1). */
import type { ProviderError, Usage } from '../../providers/canonical.ts';
import { countOf, listOf, recordOf, textOf } from '../../providers/kit/read-json.ts';
import { mergeUsage, usageFromGemini, usageFromOpenAi } from '../../providers/kit/usage.ts';
import type { WireFormat } from '../../vocabulary/wire-formats.ts';
import { eventStart, type ForwardFormat, readValues } from './forward-format.ts';

function firstError(events: Buffer, read: (raw: unknown) => ProviderError): ProviderError | undefined {
  if (!events.includes('error')) return undefined;
  const broken = readValues(events).find((value) => {
    const event = recordOf(value);
    return event?.['type'] === 'error' || recordOf(event?.['error']) !== undefined;
  });
  return broken === undefined ? undefined : read(broken);
}

/** The marks of the events that end a stream and tell its usage. */
interface CallForward
  extends Partial<Pick<ForwardFormat, 'usageField' | 'replyUsage' | 'plain' | 'answerField' | 'pictures' | 'streamPictures'>> {
  readonly marks?: readonly string[];
}

function callForward(format: WireFormat, { marks = [], ...given }: CallForward = {}): ForwardFormat {
  const { usageField = 'usage', replyUsage = usageFromOpenAi } = given;
  const isFinished = (held: Buffer) => marks.some((mark) => held.includes(mark));
  return {
    ...given,
    format,
    usageField,
    replyUsage,
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
    said: (events) => ({
      text: readValues(events)
        .map((value) => textOf(recordOf(value)?.['delta']) ?? '')
        .join(''),
      toolCalls: 0,
    }),
  };
}

/** Jina counts all tokens together, some prompt tokens only (spec, providers-international 3.12). */
function rerankUsage(raw: unknown): Usage | undefined {
  const usage = recordOf(raw);
  const tokens = countOf(usage?.['total_tokens']) ?? countOf(usage?.['prompt_tokens']);
  return tokens === undefined ? undefined : { promptTokens: tokens, completionTokens: 0 };
}

/** `mark`: of the event that brings a finished picture. */
function picturesWith(mark: string): CallForward {
  return {
    answerField: 'data',
    pictures: (reply) => listOf(reply.get('data')).length,
    // A draft that was delivered before the stream broke is one: what was delivered is paid.
    streamPictures: (held) => Math.max(1, held.toString('latin1').split(mark).length - 1),
    marks: [mark],
  };
}

const transcript = { marks: ['"transcript.text.done"'], plain: 'text' } as const;

export const callForwards: readonly ForwardFormat[] = [
  callForward('openai-embeddings', { answerField: 'data' }),
  callForward('openai-moderations'),
  callForward('jina-rerank', { answerField: 'results', replyUsage: rerankUsage }),
  callForward('gemini-embed', { usageField: 'usageMetadata', replyUsage: usageFromGemini }),
  callForward('openai-images', picturesWith('"image_generation.completed"')),
  callForward('openai-image-edits', picturesWith('"image_edit.completed"')),
  callForward('openai-speech', { marks: ['"speech.audio.done"'], plain: 'bytes' }),
  callForward('openai-transcriptions', transcript),
  callForward('openai-translations', transcript),
];
