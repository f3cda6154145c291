/** From the client's bytes to a job: read, checked, priced and held, in that order (spec, relay 2). */
import { AppError, type ErrorCode } from '../../kernel/errors.ts';
import { isObject } from '../../kernel/json.ts';
import type { ClientPart } from '../../upstream/channel.ts';
import type { WireFormat } from '../../vocabulary/wire-formats.ts';
import { type Body, readCallerBody } from '../body/body-fields.ts';
import { checkSpelling } from '../body/decisive-fields.ts';
import { isForm, readForm } from '../body/form-body.ts';
import { readRequestBody } from '../body/read-body.ts';
import type { RequestBody } from '../body/request-body.ts';
import { openBill } from '../charge/bill.ts';
import type { ClientWatch } from '../client/client-watch.ts';
import type { CallerContext } from '../context.ts';
import { isStreamPath, modelInPath, type RouteKind } from '../entry/routes.ts';
import { callRules } from '../formats/calls.ts';
import { readPromptText } from '../formats/prompt-text.ts';
import type { CallRules } from '../formats/shared/call-format.ts';
import { heldPromptTokens, measureCall } from '../formats/shared/measure.ts';
import type { RelayJob } from '../job.ts';

type RelayKind = Extract<RouteKind, { kind: 'relay' }>;

/** Most that any client may ask for (spec, relay 8: 2^30 − 1). */
const maxOutput = 2 ** 30 - 1;

/** Where callers name it, Gemini's apart. */
const outputLimits = ['max_tokens', 'max_completion_tokens', 'max_output_tokens'];

const required: Partial<
  Record<WireFormat, { readonly field: string; readonly kinds: readonly string[]; readonly code: ErrorCode }>
> = {
  'openai-chat': { field: 'messages', kinds: ['array'], code: 'invalid_text_request' },
  'openai-completions': { field: 'prompt', kinds: ['string', 'array'], code: 'invalid_text_request' },
  'anthropic-messages': { field: 'messages', kinds: ['array'], code: 'invalid_claude_request' },
  'openai-responses': { field: 'input', kinds: ['string', 'array'], code: 'invalid_request' },
  'openai-responses-compact': { field: 'input', kinds: ['string', 'array'], code: 'invalid_request' },
  'gemini-generate': { field: 'contents', kinds: ['array', 'object', 'string'], code: 'invalid_request' },
};

function checkFields(body: RequestBody, format: WireFormat): void {
  const rule = required[format];
  if (rule === undefined) return;
  const kind = body.kind(rule.field);
  if (kind === undefined || kind === 'null') throw new AppError(rule.code, { detail: `field ${rule.field} is required` });
  if (!rule.kinds.includes(kind))
    throw new AppError(rule.code, { detail: `field ${rule.field} must be ${rule.kinds.join(' or ')}` });
  const stream = body.kind('stream');
  if (stream !== undefined && stream !== 'boolean' && stream !== 'null')
    throw new AppError(rule.code, { detail: 'field stream must be boolean' });
}

/** What the caller allows; undefined when it named no limit. */
function readMaxOutput(body: RequestBody, format: WireFormat): number | undefined {
  let most: number | undefined;
  const config = format === 'gemini-generate' ? (body.get('generationConfig') ?? body.get('generation_config')) : undefined;
  const named: Record<string, unknown> = isObject(config)
    ? { maxOutputTokens: config['maxOutputTokens'] ?? config['max_output_tokens'] }
    : Object.fromEntries(outputLimits.map((name) => [name, body.get(name)]));
  for (const [field, value] of Object.entries(named)) {
    if (value === undefined || value === null) continue;
    const valid = typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= maxOutput;
    if (!valid) throw new AppError(required[format]?.code ?? 'invalid_request', { detail: `${field} is invalid` });
    if (value > 0) most = Math.max(most ?? 0, value);
  }
  return most;
}

/** Most answers that a provider gives side by side. */
const mostAnswers = 128;

/** Answers the caller wants side by side: each may be as long as it allows. What is no such number is left to the upstream. */
function readAnswers(body: RequestBody, format: WireFormat): number {
  const config = format === 'gemini-generate' ? (body.get('generationConfig') ?? body.get('generation_config')) : undefined;
  const count = isObject(config) ? (config['candidateCount'] ?? config['candidate_count']) : body.get('n');
  return typeof count === 'number' && Number.isInteger(count) && count >= 1 ? Math.min(count, mostAnswers) : 1;
}

function readModel(body: RequestBody, path: string, fallback: string | undefined): string {
  const inPath = modelInPath(path);
  if (inPath !== undefined) return inPath;
  const model = body.kind('model') === 'string' ? body.get('model') : undefined;
  if (typeof model === 'string' && model.trim() !== '') return model;
  if (fallback === undefined) throw new AppError('model_required');
  return fallback;
}

/** The family's wildcards stand for their whole family (spec, relay 3). */
function isModelAllowed(limits: ReadonlySet<string>, model: string): boolean {
  if (limits.has(model)) return true;
  for (const limit of limits) if (limit.endsWith('*') && model.startsWith(limit.slice(0, -1))) return true;
  return false;
}

/** What a body may need to be understood as it was written: versions, betas, Codex' lighter wire. */
const travelling = ['anthropic-version', 'anthropic-beta', 'openai-beta', 'x-openai-internal-codex-responses-lite'];

/** Caller's headers that travel to an upstream of the same format (spec, agent-clients 1.2). */
function travellingHeaders(context: CallerContext): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of travelling) {
    const value = context.request.headers[name];
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(',') : value;
  }
  return headers;
}

/** The path with its query, without the credential that Gemini's clients put there. */
function withoutKey(url: string): string {
  const mark = url.indexOf('?');
  if (mark === -1) return url;
  const query = new URLSearchParams(url.slice(mark + 1));
  query.delete('key');
  return query.size === 0 ? url.slice(0, mark) : `${url.slice(0, mark)}?${query}`;
}

/** Reads the body as JSON fields. Throws AppError. */
export async function readJsonBody(context: CallerContext): Promise<Body> {
  return readCallerBody(await readRequestBody(context.request, context.deps.limits.maxBodyBytes));
}

/** A body in the way the format takes it. Throws AppError. */
async function readRelayBody(context: CallerContext, rules: CallRules | undefined): Promise<RequestBody> {
  const contentType = context.request.headers['content-type'];
  if (rules?.form === undefined || (rules.form === 'allowed' && !isForm(contentType))) return readJsonBody(context);
  const bytes = await readRequestBody(context.request, context.deps.limits.maxBodyBytes);
  if (!isForm(contentType)) throw new AppError('invalid_form', { detail: 'multipart/form-data is expected' });
  return readForm(bytes, contentType);
}

/** The model the request names, allowed by the token. `fallback` where it names none. */
export function chooseModel(context: CallerContext, body: RequestBody, fallback?: string): string {
  const model = readModel(body, context.route.path, fallback);
  const { modelLimits } = context.caller;
  if (modelLimits !== null && context.pin === undefined && !isModelAllowed(modelLimits, model))
    throw new AppError('model_not_allowed', { model });
  return model;
}

function readStream(context: CallerContext, body: RequestBody, format: WireFormat, rules: CallRules | undefined): boolean {
  if (rules !== undefined) return rules.streams?.(body) ?? false;
  return format === 'gemini-generate' ? isStreamPath(context.route.path) : body.get('stream') === true;
}

/** Everything the relay needs to know of a body, so that nothing is left to go wrong once the estimate is held. */
async function readFields(context: CallerContext, body: RequestBody, { format }: RelayKind, rules: CallRules | undefined) {
  checkSpelling(body, required[format]?.code ?? 'invalid_request');
  const model = chooseModel(context, body, rules?.defaultModel);
  if (rules === undefined) checkFields(body, format);
  else rules.check(body, { model, path: context.route.path });
  const words = context.policy.sensitiveWords;
  // The texts of a form are read already, and its bytes are mostly a file's.
  const suspect = words !== null && (body.files.length > 0 || words.mightBeIn(body.bytes));
  if (suspect && words.isIn(readPromptText(body))) throw new AppError('sensitive_words_detected');
  const options = body.get('stream_options');
  const measure = await measureCall(format, body, model);
  return {
    model,
    measure,
    maxOutputTokens: readMaxOutput(body, format),
    answers: readAnswers(body, format),
    promptTokens: measure?.promptTokens ?? heldPromptTokens(body),
    stream: readStream(context, body, format, rules),
    includeUsage: isObject(options) && options['include_usage'] === true,
  };
}

/** What of the caller's request travels on. */
export function clientPartOf(context: CallerContext): ClientPart {
  return { path: withoutKey(context.request.url ?? ''), headers: travellingHeaders(context) };
}

/** Throws AppError no_channel where the group has none for the model; channel_pin_invalid, channel_pin_disabled. */
export async function checkChannels({ deps, group, pin }: CallerContext, model: string): Promise<void> {
  if (pin === undefined) {
    if (deps.routing.tiers(group, model).length === 0) throw new AppError('no_channel', { group, model });
  } else if (deps.routing.find(pin) === undefined) {
    throw new AppError((await deps.storage.channels.find(pin)) === null ? 'channel_pin_invalid' : 'channel_pin_disabled');
  }
}

/** Throws AppError; when it does, nothing is held. */
export async function openJob(context: CallerContext, kind: RelayKind, client: ClientWatch): Promise<RelayJob> {
  const { format, operation } = kind;
  const rules = callRules(format);
  const body = await readRelayBody(context, rules);
  let fields: Awaited<ReturnType<typeof readFields>>;
  try {
    fields = await readFields(context, body, kind, rules);
  } catch (error) {
    // A large body is not parsed to check it: what is malformed inside shows when a field is read.
    if (error instanceof SyntaxError || error instanceof RangeError) throw new AppError('invalid_json', {}, { cause: error });
    throw error;
  }
  const { maxOutputTokens, answers, measure, ...read } = fields;
  const { model, promptTokens } = read;
  await checkChannels(context, model);
  const clientPart = clientPartOf(context);
  const bill = await openBill(context, { model, promptTokens, maxOutputTokens, answers, measure });
  return { ...context, ...read, operation, format, body, clientPart, bill, client };
}
