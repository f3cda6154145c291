/** What a reply says of itself besides the answer (docs/rules/routing.md#route-record). */
import { headerText, type ResponseHeaders } from '../../upstream/exchange.ts';
import type { ReplyFacts } from '../attempt.ts';

/**
 * Headers with the upstream's own id of a request, which its support needs: OpenAI's and most
 * others', Anthropic's, Azure's, Bedrock's, DeepSeek's, Moonshot's, Mistral's, Volcano Ark's.
 */
const idHeaders = [
  'x-request-id',
  'request-id',
  'apim-request-id',
  'x-amzn-requestid',
  'x-ds-trace-id',
  'msh-request-id',
  'mistral-correlation-id',
  'x-tt-logid',
];
/** Longer ids and names are no ids and names. */
const longest = 200;

/** Notes the upstream's id of the request, whatever becomes of the reply. */
export function noteHeaders(facts: ReplyFacts, headers: ResponseHeaders): void {
  for (const name of idHeaders) {
    const id = headerText(headers, name);
    if (id === '' || id.length > longest) continue;
    facts.requestId = id;
    return;
  }
}

/** Notes the model that the reply names; undefined: it names none. */
export function noteModel(facts: ReplyFacts, model: string | undefined): void {
  if (model !== undefined && model !== '' && model.length <= longest) facts.model = model;
}

/** `model` or `modelVersion` in JSON; within texts its quotes are escaped. */
const namedModel = /"model(?:Version)?"\s*:\s*"([^"\\]{1,200})"/;
/**
 * Reasons for which a vendor says that it threw earlier thinking away: OpenAI's
 * `input_transformations`, Anthropic's `thinking_dropped`.
 */
const dropped = /"(?:(?:organization|end_user|model|prefix)(?:_binding)?_mismatch|turn_boundary)"/g;

/** Notes what the first and the last events of a forwarded stream say. */
export function noteEvents(facts: ReplyFacts, first: Buffer, last: Buffer): void {
  noteModel(facts, namedModel.exec(first.toString('latin1'))?.[1]);
  noteDropped(facts, [first, last]);
}

/**
 * Notes how many pieces of earlier thinking the vendor says that it dropped. Events repeat what
 * those before them said: the one that says most of it counts.
 */
export function noteDropped(facts: ReplyFacts, pieces: readonly Buffer[]): void {
  const counts = pieces
    .filter((bytes) => bytes.includes('_mismatch"') || bytes.includes('"turn_boundary"'))
    .flatMap((bytes) => bytes.toString('latin1').split('\n\n'))
    .map((event) => event.match(dropped)?.length ?? 0);
  const most = Math.max(0, ...counts);
  if (most > 0) facts.droppedThinking = most;
}
