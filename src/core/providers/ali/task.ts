/** Tasks: submitted, then polled until they are done (docs/rules/providers.md#dashscope-tasks). */

import type { ProviderError } from '../../canonical/chat-reply.ts';
import { ReplyFailure } from '../../canonical/kit/failure.ts';
import { type Loose, recordOf, replyObject, textOf } from '../../canonical/kit/read-json.ts';
import { requestJson } from '../../canonical/kit/request-json.ts';
import type { Call, Effects, UpstreamFailure, UpstreamRequest } from '../../canonical/provider.ts';
import { AppError } from '../../kernel/errors.ts';
import { meaningOf, readAliFailure } from './failure.ts';
import { aliHeaders, aliRoot } from './request.ts';

/** Milliseconds. */
const maxWait = 180_000;
const quickPause = 2_000;
const slowPause = 5_000;
/** Milliseconds of quick pauses. */
const quickTime = 10_000;

const unfinished: ReadonlySet<unknown> = new Set(['PENDING', 'RUNNING', 'SUSPENDED']);

/** Without the header the order is refused: accounts have no right to wait for its end. */
function asTask(request: UpstreamRequest): UpstreamRequest {
  return { ...request, headers: { ...request.headers, 'x-dashscope-async': 'enable' } };
}

/** Callers know a refused order by this code; DashScope's own stays as the type. */
function refused(failure: UpstreamFailure): ProviderError {
  const error = readAliFailure(failure);
  return { ...error, type: error.code, code: 'ali_async_task_failed' };
}

async function order(request: UpstreamRequest, effects: Effects): Promise<string> {
  const body = await requestJson(effects, asTask(request), refused);
  const id = textOf(recordOf(replyObject(body).output)?.task_id);
  if (id !== undefined) return id;
  throw new ReplyFailure(refused({ status: 502, headers: {}, text: '', body }));
}

const transientErrors: ReadonlySet<string> = new Set([
  // The page of a proxy between.
  'bad_response_body',
  'do_request_failed',
  'upstream_cut',
  'upstream_timeout',
]);

/** A poll that failed transiently is repeated: the task continues meanwhile, and is paid. */
function mayPass(error: unknown): boolean {
  if (error instanceof AppError) return transientErrors.has(error.code);
  return error instanceof ReplyFailure && (error.error.status === 429 || error.error.status >= 500);
}

async function ask(id: string, call: Call, effects: Effects): Promise<Loose | undefined> {
  const url = `${aliRoot(call)}/api/v1/tasks/${encodeURIComponent(id)}`;
  const headers = { accept: 'application/json', ...aliHeaders(call, false) };
  try {
    return replyObject(await requestJson(effects, { method: 'GET', url, headers }, readAliFailure));
  } catch (error) {
    if (mayPass(error)) return undefined;
    throw error;
  }
}

function failed(output: Loose | undefined): ReplyFailure {
  const code = textOf(output?.code) ?? textOf(output?.task_status);
  const meaning = meaningOf(code) ?? { status: 400 };
  return new ReplyFailure({
    ...meaning,
    message: textOf(output?.message),
    type: 'ali_error',
    code,
  });
}

/**
 * The reply to a task that succeeded. Throws ReplyFailure for one that did not (FAILED, CANCELED,
 * UNKNOWN), AppError('upstream_timeout') after three minutes, AppError('client_gone') when the
 * caller leaves.
 */
export async function performTask(
  request: UpstreamRequest,
  call: Call,
  effects: Effects,
): Promise<Loose> {
  const started = effects.now().getTime();
  const id = await order(request, effects);
  for (;;) {
    const waited = effects.now().getTime() - started;
    if (waited >= maxWait) throw new AppError('upstream_timeout');
    await effects.sleep(waited < quickTime ? quickPause : slowPause);
    const reply = await ask(id, call, effects);
    if (reply === undefined) continue;
    const output = recordOf(reply.output);
    if (output?.task_status === 'SUCCEEDED') return reply;
    if (!unfinished.has(output?.task_status)) throw failed(output);
  }
}
