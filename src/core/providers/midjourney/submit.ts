/** Submits, and what a proxy's reply to one means (docs/rules/midjourney.md#submit-codes). */
import {
  type DrawingOrder,
  type DrawingReply,
  drawingReplyCodes,
  isAccepted,
  readDrawingReply,
  readDrawingStatus,
} from '../../canonical/drawing.ts';
import { TaskRefusal } from '../../canonical/kit/task-refusal.ts';
import { fetchObject } from '../../canonical/kit/task-reply.ts';
import type { Call, Effects } from '../../canonical/provider.ts';
import type { TaskSubmission } from '../../canonical/task-provider.ts';
import { AppError } from '../../kernel/errors.ts';
import { submitRequest } from './request.ts';
import type { MidjourneySettings } from './settings.ts';

/** Milliseconds. */
export const submitTimeout = 60_000;

async function send(
  order: DrawingOrder,
  call: Call<MidjourneySettings>,
  effects: Effects,
  mode = order.mode,
): Promise<DrawingReply> {
  const body = await fetchObject(effects, {
    ...submitRequest(order, call, mode),
    timeoutMs: submitTimeout,
  });
  const reply = readDrawingReply(body);
  if (reply === undefined) throw new AppError('bad_response_body', { detail: 'no code' });
  return reply;
}

/** A channel whose fast accounts are used up draws slowly rather than not at all. */
function fallsBack(
  { mode = 'fast' }: DrawingOrder,
  { settings }: Call<MidjourneySettings>,
  { code }: DrawingReply,
): boolean {
  return settings.mj_mode === 'filter' && mode === 'fast' && code === drawingReplyCodes.noAccount;
}

/**
 * Code 3 also means that a related task is not known: only what the proxy says of its accounts, of
 * an order that continues none, is the channel's fault.
 */
function lacksAccounts({ code, description }: DrawingReply, { continues }: DrawingOrder): boolean {
  return (
    code === drawingReplyCodes.noAccount &&
    !continues &&
    /account|instance|账号|帐号|账户|实例/i.test(description)
  );
}

function refusal(reply: DrawingReply, order: DrawingOrder): TaskRefusal {
  const { code, description, body } = reply;
  const accountFault = lacksAccounts(reply, order);
  // By the status the channel's health is judged: only its own trouble counts, not a wrong order or
  // a full queue.
  const ownFault = accountFault || code === drawingReplyCodes.failed;
  const status = code === drawingReplyCodes.saturated ? 429 : ownFault ? 502 : 400;
  return new TaskRefusal(
    { status, message: description, code: String(code), ...(accountFault && { accountFault }) },
    body,
    {
      code,
      description,
    },
  );
}

/** Throws TaskRefusal where the proxy replies with a code that refuses. */
export async function submitDrawing(
  order: DrawingOrder,
  call: Call<MidjourneySettings>,
  effects: Effects,
): Promise<TaskSubmission> {
  const first = await send(order, call, effects);
  const reply = fallsBack(order, call, first) ? await send(order, call, effects, 'relax') : first;
  // A face swap has no twin and no window.
  const taken =
    order.action === 'SWAP_FACE'
      ? reply.code === drawingReplyCodes.accepted
      : isAccepted(reply.code);
  if (!taken) throw refusal(reply, order);
  return order.action === 'UPLOAD' ? uploaded(order, reply) : submitted(order, reply);
}

/** An upload is over at once: its result is the addresses of the images, not a task. */
function uploaded(
  { ownId }: DrawingOrder,
  { result, body, code, description }: DrawingReply,
): TaskSubmission {
  const addresses = (typeof result === 'string' ? [result] : result).filter(
    (address) => address !== '',
  );
  const [imageUrl] = addresses;
  if (imageUrl === undefined)
    throw new AppError('bad_response_body', { detail: 'no address of an image' });
  const drawing = { code, description, imageUrl };
  return { upstreamId: ownId, status: 'SUCCESS', progress: 100, reply: body, drawing };
}

function submitted(
  { action }: DrawingOrder,
  { code, description, result, properties, body }: DrawingReply,
): TaskSubmission {
  const upstreamId = typeof result === 'string' ? result : (result[0] ?? '');
  if (upstreamId === '') throw new AppError('bad_response_body', { detail: 'no task id' });
  const drawing = {
    code,
    description,
    properties: Object.keys(properties).length === 0 ? '' : JSON.stringify(properties),
  };
  // Their clients recognise the window by the code.
  const keepsCode =
    code === drawingReplyCodes.exists && (action === 'INPAINT' || action === 'CUSTOM_ZOOM');
  const reply = keepsCode ? body : { ...body, code: drawingReplyCodes.accepted };
  if (code !== drawingReplyCodes.exists)
    return { upstreamId, status: 'SUBMITTED', progress: 0, reply, drawing };
  const imageUrl = properties['imageUrl'];
  const twin = readDrawingStatus(properties['status']);
  if (twin === undefined || twin === 'FAILURE' || twin === 'LOST')
    return {
      upstreamId,
      status: isWindow(description, properties) ? 'MODAL' : 'SUBMITTED',
      progress: 0,
      reply,
      drawing,
    };
  return {
    upstreamId,
    status: twin,
    progress: twin === 'SUCCESS' ? 100 : 0,
    reply,
    drawing: { ...drawing, ...(typeof imageUrl === 'string' && { imageUrl }) },
  };
}

/** The proxy waits until the caller confirms a window (`submit/modal`). */
function isWindow(description: string, properties: DrawingReply['properties']): boolean {
  return (
    /window/i.test(description) ||
    properties['finalPrompt'] !== undefined ||
    properties['remix'] !== undefined
  );
}
