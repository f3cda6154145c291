/**
 * Submits: what is ordered, on which channel, and what it costs (docs/rules/midjourney.md#submits).
 */
import {
  type DrawingAction,
  type DrawingMode,
  type DrawingOrder,
  drawingReplyCodes,
  withoutSpeed,
} from '../../../canonical/drawing.ts';
import type { TaskSubmission } from '../../../canonical/task-provider.ts';
import { AppError } from '../../../kernel/errors.ts';
import type { JsonObject } from '../../../kernel/json.ts';
import { Secret } from '../../../kernel/secret.ts';
import type { Midjourney } from '../../../storage/storage.ts';
import { factsOf } from '../../../tasks/task-record.ts';
import { checkUrl, type GuardPolicy } from '../../../upstream/guard.ts';
import { readObjectBody } from '../../admit/read-object.ts';
import type { CallerContext } from '../../context.ts';
import type { DrawingPolicy } from '../../policy.ts';
import { idHeaders, sendError, sendJson } from '../../reply.ts';
import type { TaskCallDeps, TaskOrder } from '../../task-call.ts';
import { modelOfAction } from './actions.ts';
import { type OrderFields, readOrder, type SubmitPath } from './read-order.ts';
import { DrawingRefusal } from './refusal.ts';

/** Throws DrawingRefusal for an address inside; the proxy calls it, so that any port will do. */
function checkHook(hook: unknown, guard: GuardPolicy): void {
  const refused = new DrawingRefusal('notify_hook_not_allowed');
  if (typeof hook !== 'string' || !URL.canParse(hook)) throw refused;
  try {
    checkUrl(new URL(hook), { ...guard, ports: [] });
  } catch {
    throw refused;
  }
}

/**
 * A copy of a submit's body without what the site does not send on
 * (docs/rules/midjourney.md#switches). Throws DrawingRefusal where `notifyHook` is sent
 * and must not be called.
 */
function editBody(body: JsonObject, policy: DrawingPolicy, guard: GuardPolicy): JsonObject {
  const { notifyHook, accountFilter, ...rest } = body;
  const { prompt } = rest;
  const hasHook =
    policy.sendsHooks && notifyHook !== undefined && notifyHook !== null && notifyHook !== '';
  if (hasHook) checkHook(notifyHook, guard);
  return {
    ...rest,
    ...(policy.clearsModes && typeof prompt === 'string' && { prompt: withoutSpeed(prompt) }),
    ...(policy.sendsAccountFilter && accountFilter !== undefined && { accountFilter }),
    ...(hasHook && { notifyHook }),
  };
}

/**
 * The task that an order continues. Null: the order begins anew. Throws DrawingRefusal: not the
 * caller's, not finished, or its channel is switched off.
 */
async function findParent(
  context: CallerContext,
  { parentId, action }: OrderFields,
): Promise<Midjourney | null> {
  if (parentId === '') return null;
  const { deps, caller, policy } = context;
  const parent = await deps.storage.midjourneys.findByMjId(parentId, caller.userId);
  if (parent === null) throw new DrawingRefusal('task_not_found');
  // The window of a task is open before it is finished.
  if (policy.drawings.needsSuccess && action !== 'MODAL' && parent.status !== 'SUCCESS')
    throw new DrawingRefusal('task_status_not_success');
  return parent;
}

/** Nothing is charged for opening a window: the order that closes it is charged. */
const windowActions: readonly DrawingAction[] = ['INPAINT', 'CUSTOM_ZOOM'];

/**
 * Channels may offer a speed under a name of its own, `mj_relax_imagine`; it has a price of its
 * own, too.
 */
function modelOf(
  { deps, group }: CallerContext,
  action: DrawingAction,
  mode: DrawingMode | undefined,
): string {
  const model = modelOfAction(action);
  if (mode === undefined || mode === 'fast') return model;
  const own = model.replace(/^mj_/, `mj_${mode}_`);
  return deps.routing.tiers(group, own).length > 0 ? own : model;
}

/** A duplicate is a task of the caller's own that the proxy found instead of drawing again. */
function judgeFor(
  context: CallerContext,
  { action }: OrderFields,
): NonNullable<TaskOrder['judge']> {
  const { deps, caller } = context;
  return async ({ upstreamId, drawing }: TaskSubmission, channelId: number) => {
    if (windowActions.includes(action)) return 'free';
    if (drawing?.code !== drawingReplyCodes.exists) return 'charged';
    const own = await deps.storage.midjourneys.findByMjId(upstreamId, caller.userId);
    return own !== null && own.channelId === channelId && own.status !== 'FAILURE'
      ? 'duplicate'
      : 'charged';
  };
}

interface Submit {
  readonly path: SubmitPath;
  readonly mode: DrawingMode | undefined;
  readonly body: JsonObject;
  readonly fields: OrderFields;
  readonly parent: Midjourney | null;
}

/** `/mj/submit/imagine` and the caller's query. */
function upstreamPath({ request }: CallerContext, path: SubmitPath): string {
  const { url = '' } = request;
  const mark = url.indexOf('?');
  const query = new URLSearchParams(mark === -1 ? '' : url.slice(mark));
  query.delete('key');
  return `/mj/${path}${query.size === 0 ? '' : `?${query}`}`;
}

/** The channel of the task, and the key that submitted it. */
function pinOf(row: Midjourney): NonNullable<TaskOrder['pin']> {
  const { key } = factsOf({ table: 'midjourneys', row }).private;
  return { channelId: row.channelId, ...(key !== undefined && { key: new Secret(key) }) };
}

function orderOf(
  context: CallerContext,
  { path, mode, body, fields, parent }: Submit,
): TaskOrder<DrawingOrder> {
  const { action, prompt, state } = fields;
  const { deps, policy } = context;
  return {
    platform: 'midjourney',
    action,
    model: modelOf(context, action, mode),
    order: {
      action,
      path: upstreamPath(context, path),
      mode,
      body: editBody(body, policy.drawings, deps.guard),
      continues: parent !== null,
      ownId: action === 'UPLOAD' ? `upload-${deps.ids.alphanumeric(24)}` : '',
    },
    place: {
      table: 'midjourneys',
      row: { prompt: prompt === '' ? (parent?.prompt ?? '') : prompt, state },
      ...(action === 'MODAL' && parent?.status === 'MODAL' && { windowOf: parent.id }),
    },
    texts: [prompt],
    unpriced: 'default',
    ...(parent !== null && { pin: pinOf(parent) }),
    once: true,
    judge: judgeFor(context, fields),
  };
}

/** Answers one submit. Throws AppError and DrawingRefusal before anything is sent. */
export async function serveSubmit(
  context: CallerContext,
  deps: TaskCallDeps,
  path: SubmitPath,
  mode: DrawingMode | undefined,
): Promise<void> {
  if (!context.policy.drawing) throw new AppError('drawing_disabled');
  const body = await readObjectBody(context);
  const fields = readOrder(path, body);
  const parent = await findParent(context, fields);
  const ended = await deps.submit(context, orderOf(context, { path, mode, body, fields, parent }));
  const { response, requestId, route } = context;
  if (ended.kind === 'accepted')
    return sendJson(response, 200, ended.submission.reply, idHeaders(requestId));
  if (ended.reply === undefined) return sendError(response, route.family, ended.error, requestId);
  sendJson(response, statusOf(ended.reply), ended.reply, idHeaders(requestId));
}

/** The proxy's own reply keeps its status: only what a repeat may cure is a 429. */
function statusOf(reply: JsonObject): number {
  return reply['code'] === drawingReplyCodes.saturated ? 429 : 200;
}
