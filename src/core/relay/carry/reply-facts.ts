/** What a reply says of itself besides the answer (docs/rules/routing.md#route-record). */
import { tiersOf } from '../../canonical/kit/usage.ts';
import { headerText, type ResponseHeaders } from '../../upstream/exchange.ts';
import type { AttemptOutcome, ReplyFacts } from '../attempt.ts';
import { allowancesIn } from './vendor-limits.ts';

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

/** Notes the upstream's id of the request and the account's limits, whatever becomes of the reply. */
export function noteHeaders(facts: ReplyFacts, headers: ResponseHeaders, now: number): void {
  const limits = allowancesIn(headers, now);
  if (limits.length > 0) facts.limits = limits;
  for (const name of idHeaders) {
    const id = headerText(headers, name);
    if (id === '' || id.length > longest) continue;
    facts.requestId = id;
    return;
  }
}

/**
 * The tier that served, as the Gemini API names it: nowhere but in a header
 * (https://ai.google.dev/gemini-api/docs/priority-inference; seen 2026-11-30).
 */
export function tierInHeaders(headers: ResponseHeaders): readonly string[] | undefined {
  return tiersOf(headerText(headers, 'x-gemini-service-tier'));
}

/** The outcome with the tiers that its headers name, where its usage names none. */
export function withHeaderTiers(
  outcome: AttemptOutcome,
  tiers: readonly string[] | undefined,
): AttemptOutcome {
  if (tiers === undefined || outcome.usage?.tiers !== undefined) return outcome;
  return { ...outcome, usage: { ...outcome.usage, tiers } };
}

/** Notes the model that the reply names; undefined: it names none. */
export function noteModel(facts: ReplyFacts, model: string | undefined): void {
  if (model !== undefined && model !== '' && model.length <= longest) facts.model = model;
}

/** `model` or `modelVersion` in JSON; within texts its quotes are escaped. */
const namedModel = /"model(?:Version)?"\s*:\s*"([^"\\]{1,200})"/;

/** Notes the model that the first events of a forwarded stream name. */
export function noteFirst(facts: ReplyFacts, first: Buffer): void {
  noteModel(facts, namedModel.exec(first.toString('latin1'))?.[1]);
}
