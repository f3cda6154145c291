/**
 * From the client's bytes to a job: read, checked, priced and held, in that order
 * (docs/rules/relay.md#order-of-work).
 */
import { recordsOf } from '../../canonical/kit/read-json.ts';
import { AppError } from '../../kernel/errors.ts';
import { isObject } from '../../kernel/json.ts';
import type { ClientPart } from '../../upstream/channel.ts';
import { checkSpelling } from '../body/decisive-fields.ts';
import type { RequestBody } from '../body/request-body.ts';
import { openBill } from '../charge/bill.ts';
import type { CallerContext } from '../context.ts';
import { readPromptText } from '../formats/prompt-text.ts';
import type { CallerFormat } from '../formats/shared/caller-format.ts';
import { heldPromptTokens, mostMediaTokens, mostPromptTokens } from '../formats/shared/measure.ts';
import type { RelayJob } from '../job.ts';
import { continueResponse, readable } from './continue-response.ts';
import { keepingResponse } from './keep-response.ts';
import { fieldError, readFormatBody } from './read-format-body.ts';
import { subjectsOf } from './subjects.ts';

/** Most output tokens that any client may ask for (docs/rules/relay.md#output-limit-bounds). */
const maxOutput = 2 ** 30 - 1;

/** The caller's limit of output tokens; undefined: it named none. */
function readMaxOutput(body: RequestBody, format: CallerFormat): number | undefined {
  let most: number | undefined;
  for (const [field, value] of Object.entries(format.outputLimits(body))) {
    if (value === undefined || value === null) continue;
    const valid =
      typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= maxOutput;
    if (!valid) throw new AppError(format.invalidRequest, { detail: `${field.trim()} is invalid` });
    if (value > 0) most = Math.max(most ?? 0, value);
  }
  return most;
}

/** Most answers that a provider gives side by side. */
const mostAnswers = 128;

/**
 * The answers that a request asks for: each may be as long as the limit
 * (docs/rules/metering.md#held-output). Throws AppError where a number is none that can be held
 * for.
 */
function readAnswers(body: RequestBody, format: CallerFormat): number {
  let answers = format.promptCount?.(body) ?? 1;
  for (const [field, value] of Object.entries(format.answerCounts(body))) {
    if (value === undefined || value === null) continue;
    const valid =
      typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= mostAnswers;
    const detail = `${field.trim()} must be a whole number from 1 to ${mostAnswers}`;
    if (!valid) throw new AppError(format.invalidRequest, { detail });
    answers *= value;
  }
  return answers;
}

/** An entry that ends with `*` stands for all models that begin with the text before it. */
function isModelAllowed(limits: ReadonlySet<string>, model: string): boolean {
  if (limits.has(model)) return true;
  for (const limit of limits)
    if (limit.endsWith('*') && model.startsWith(limit.slice(0, -1))) return true;
  return false;
}

/**
 * The model the request names, allowed by the token. `fallback` where it names none. Throws
 * AppError.
 */
export function chooseModel(context: CallerContext, body: RequestBody, fallback?: string): string {
  const model = context.route.model ?? modelInBody(body) ?? fallback;
  if (model === undefined) throw new AppError('model_required');
  checkModel(context, model);
  return model;
}

/** Throws AppError model_not_allowed where the token is limited to other models. */
export function checkModel({ caller: { modelLimits }, pin }: CallerContext, model: string): void {
  if (modelLimits !== null && pin === undefined && !isModelAllowed(modelLimits, model))
    throw new AppError('model_not_allowed', { model });
}

/**
 * Tools that the vendor runs may name a model of their own, which draws or advises. Throws AppError
 * model_not_allowed.
 */
function checkToolModels(context: CallerContext, body: RequestBody): void {
  if (context.caller.modelLimits === null || body.kind('tools') !== 'array') return;
  for (const { model } of recordsOf(body.get('tools')))
    if (typeof model === 'string') checkModel(context, model);
}

function modelInBody(body: RequestBody): string | undefined {
  const model = body.kind('model') === 'string' ? body.get('model') : undefined;
  return typeof model === 'string' && model.trim() !== '' ? model : undefined;
}

/**
 * Headers that may be needed to understand a body: versions, betas, Codex' reduced form of
 * Responses.
 */
const forwardedHeaders = [
  'anthropic-version',
  'anthropic-beta',
  'openai-beta',
  'x-openai-internal-codex-responses-lite',
];

function headersToForward(context: CallerContext): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of forwardedHeaders) {
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

/** What of the caller's request is sent on besides its body. */
export function clientPartOf(context: CallerContext): ClientPart {
  return {
    path: context.route.upstreamPath ?? withoutKey(context.request.url ?? ''),
    headers: headersToForward(context),
  };
}

function checkWords({ policy }: CallerContext, body: RequestBody): void {
  const words = policy.sensitiveWords;
  // The texts of a form are parsed already, and most of its bytes are a file's.
  const suspect = words !== null && (body.files.length > 0 || words.mightBeIn(body.bytes));
  if (suspect && words.isIn(readPromptText(body))) throw new AppError('sensitive_words_detected');
}

/**
 * Everything the relay needs to know of a body, so that nothing can go wrong any more once the
 * estimate is held.
 */
async function readFields(context: CallerContext, body: RequestBody, format: CallerFormat) {
  checkSpelling(body, format.invalidRequest);
  // The console always lets its user choose.
  const fallback = context.route.login === 'console' ? undefined : format.defaultModel;
  const model = chooseModel(context, body, fallback);
  checkToolModels(context, body);
  const { path } = context.route;
  format.check(body, { model, path });
  checkWords(context, body);
  const options = body.get('stream_options');
  const measure = await format.measure?.(body, model);
  return {
    model,
    measure,
    maxOutputTokens: readMaxOutput(body, format),
    answers: readAnswers(body, format),
    promptTokens: measure?.promptTokens ?? heldPromptTokens(body, model),
    stream: format.streams(body, path),
    includeUsage: isObject(options) && options['include_usage'] === true,
  };
}

/**
 * Throws AppError no_channel where the group has none for the model; channel_pin_invalid,
 * channel_pin_disabled.
 */
export function checkChannels(context: CallerContext, model: string): Promise<void> | undefined {
  const { deps, group, pin } = context;
  if (pin !== undefined) return checkPin(context, pin);
  if (deps.routing.tiers(group, model).length === 0)
    throw new AppError('no_channel', { group, model });
  return undefined;
}

async function checkPin({ deps }: CallerContext, pin: number): Promise<void> {
  if (deps.routing.find(pin) !== undefined) return;
  throw new AppError(
    (await deps.storage.channels.find(pin)) === null
      ? 'channel_pin_invalid'
      : 'channel_pin_disabled',
  );
}

/**
 * The format in which the reply is written: that of the request, or its variant for this kind of
 * stream.
 */
function replyFormat(context: CallerContext, format: CallerFormat, stream: boolean): CallerFormat {
  if (!stream || format.kind !== 'conversation') return format;
  return format.streamVariant?.(context.request.url ?? '') ?? format;
}

/** The body's fields, and the body with the conversation that it continues. */
async function readRequest(context: CallerContext, sent: RequestBody, format: CallerFormat) {
  try {
    const given = readable(format.state, sent);
    const fields = await readFields(context, given, format);
    await checkChannels(context, fields.model);
    return {
      given,
      fields,
      continued: await continueResponse(context, format.state, given, fields.model),
    };
  } catch (error) {
    throw fieldError(error);
  }
}

/** Throws AppError; when it does, nothing is held. */
export async function openJob(context: CallerContext, format: CallerFormat): Promise<RelayJob> {
  return openJobFor(context, format, await readFormatBody(context, format));
}

/** The same with a body that was read already. */
export async function openJobFor(
  context: CallerContext,
  format: CallerFormat,
  sent: RequestBody,
): Promise<RelayJob> {
  const { given, fields, continued } = await readRequest(context, sent, format);
  try {
    return await holdFor(context, format, { given, fields, continued });
  } catch (error) {
    await continued.conversation?.close();
    throw error;
  }
}

async function holdFor(
  context: CallerContext,
  format: CallerFormat,
  { given, fields, continued }: Awaited<ReturnType<typeof readRequest>>,
): Promise<RelayJob> {
  const { model, stream, includeUsage, maxOutputTokens, answers, measure } = fields;
  const { body, continuation, previousId, conversation } = continued;
  // A conversation is held for wherever it is: in the body now, or where an upstream keeps it.
  const promptTokens =
    (body === given ? fields.promptTokens : heldPromptTokens(body, model)) + continued.tokens;
  const most = {
    promptTokens:
      (measure === undefined
        ? mostPromptTokens(body)
        : (measure.mostPromptTokens ?? promptTokens)) + continued.mostTokens,
    mediaTokens: measure?.mostMediaTokens ?? mostMediaTokens(body, model),
    caching: body.media.caching,
  };
  const clientPart = clientPartOf(context);
  const subjects = subjectsOf(context, given, continued);
  const bill = await openBill(context, {
    format,
    model,
    promptTokens,
    most,
    maxOutputTokens,
    answers,
    measure,
    body,
    subjects,
  });
  const job: RelayJob = {
    ...context,
    format: replyFormat(context, format, stream),
    body,
    model,
    stream,
    includeUsage,
    promptTokens,
    clientPart,
    bill,
    previousId,
    continuation,
    conversation,
    conversationName: subjects.conversation,
  };
  return format.state === undefined
    ? job
    : keepingResponse(job, format.state, { body: given, previousId });
}
