/** Calls that are no conversation, passed through (spec, providers-international 3.1). */
import type { ProviderError, Usage } from '../../../canonical/chat.ts';
import { countOf, listOf, recordOf, textOf } from '../../../canonical/kit/read-json.ts';
import { mergeUsage, usageFromGemini, usageFromOpenAi } from '../../../canonical/kit/usage.ts';
import type { WireFormat } from '../../../vocabulary/wire-formats.ts';
import { type ForwardFormat, findEvent, readValues } from './forward-format.ts';

function firstError(events: Buffer, read: (raw: unknown) => ProviderError): ProviderError | undefined {
  if (!events.includes('error')) return undefined;
  const broken = readValues(events).find((value) => {
    const event = recordOf(value);
    return event?.['type'] === 'error' || recordOf(event?.['error']) !== undefined;
  });
  return broken === undefined ? undefined : read(broken);
}

interface CallForward
  extends Partial<Pick<ForwardFormat, 'usageField' | 'replyUsage' | 'plain' | 'answerField' | 'images' | 'streamImages'>> {
  /** Type of the event that ends a stream and tells its usage; images have one each. */
  readonly ending?: string;
}

function isOfType(type: string | undefined): (value: unknown) => boolean {
  return (value) => recordOf(value)?.['type'] === type;
}

function callForward(format: WireFormat, { ending, ...given }: CallForward = {}): ForwardFormat {
  const { usageField = 'usage', replyUsage = usageFromOpenAi } = given;
  const endAt = (events: string) => (ending === undefined ? -1 : findEvent(events, [`"${ending}"`], isOfType(ending)));
  return {
    ...given,
    format,
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

/** Jina counts all tokens together, some prompt tokens only (spec, providers-international 3.12). */
function rerankUsage(raw: unknown): Usage | undefined {
  const usage = recordOf(raw);
  const tokens = countOf(usage?.['total_tokens']) ?? countOf(usage?.['prompt_tokens']);
  return tokens === undefined ? undefined : { promptTokens: tokens, completionTokens: 0 };
}

/** `ending`: type of the event that brings a finished image. */
function imagesWith(ending: string): CallForward {
  return {
    answerField: 'data',
    images: (reply) => listOf(reply.get('data')).length,
    streamImages: (events) => readValues(events).filter(isOfType(ending)).length,
    ending,
  };
}

const transcript = { ending: 'transcript.text.done', plain: 'text' } as const;

export const callForwards: readonly ForwardFormat[] = [
  callForward('openai-embeddings', { answerField: 'data' }),
  callForward('openai-moderations'),
  callForward('jina-rerank', { answerField: 'results', replyUsage: rerankUsage }),
  callForward('gemini-embed', { usageField: 'usageMetadata', replyUsage: usageFromGemini }),
  callForward('openai-images', imagesWith('image_generation.completed')),
  callForward('openai-image-edits', imagesWith('image_edit.completed')),
  callForward('openai-speech', { ending: 'speech.audio.done', plain: 'bytes' }),
  callForward('openai-transcriptions', transcript),
  callForward('openai-translations', transcript),
];
