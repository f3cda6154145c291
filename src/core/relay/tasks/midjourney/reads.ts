/** Callers' reads of their drawings: answered from the table, whichever upstream made the image. */
import { ReplyFailure } from '../../../canonical/kit/failure.ts';
import { type JsonObject, type JsonValue, parseJson } from '../../../kernel/json.ts';
import type { Midjourney } from '../../../storage/storage.ts';
import { factsOf } from '../../../tasks/task-record.ts';
import { channelEffects } from '../../../upstream/account.ts';
import { buildCall } from '../../../upstream/channel.ts';
import { maskError, maskOf } from '../../../upstream/mask.ts';
import { clientPartOf } from '../../admit/open-job.ts';
import { readObjectBody } from '../../admit/read-object.ts';
import type { CallerContext } from '../../context.ts';
import { describeError } from '../../failure.ts';
import { idHeaders, sendError, sendJson } from '../../reply.ts';
import { DrawingRefusal } from './refusal.ts';

/** A JSON text of the row; `otherwise` where it is empty. */
function stored(text: string, otherwise: JsonValue): JsonValue {
  return text === '' ? otherwise : ((parseJson(text) as JsonValue | undefined) ?? otherwise);
}

/** A row as clients of midjourney-proxy read it. */
function taskObject(row: Midjourney, imageUrl: string): JsonObject {
  return {
    id: row.mjId,
    action: row.action,
    customId: '',
    botType: '',
    prompt: row.prompt,
    promptEn: row.promptEn,
    description: row.description,
    state: row.state,
    submitTime: row.submitTime,
    startTime: row.startTime,
    finishTime: row.finishTime,
    imageUrl,
    status: row.status,
    progress: row.progress,
    failReason: row.failReason,
    buttons: stored(row.buttons, []),
    maskBase64: '',
    properties: stored(row.properties, {}),
    ...(row.videoUrl !== '' && { videoUrl: row.videoUrl }),
    ...(row.videoUrls !== '' && { videoUrls: stored(row.videoUrls, []) }),
  };
}

/** The most tasks in one list. */
const mostIds = 500;

function shown({ deps }: CallerContext, row: Midjourney) {
  return taskObject(row, deps.drawingImages.addressOf(row));
}

async function ownTask({ deps, caller, route }: CallerContext): Promise<Midjourney> {
  const task = await deps.storage.midjourneys.findByMjId(route.params?.['id'] ?? '', caller.userId);
  if (task === null) throw new DrawingRefusal('task_no_found');
  return task;
}

export async function serveFetch(context: CallerContext): Promise<void> {
  sendJson(
    context.response,
    200,
    shown(context, await ownTask(context)),
    idHeaders(context.requestId),
  );
}

/** In the order of the ids; those that are not the caller's are left out. */
export async function serveList(context: CallerContext): Promise<void> {
  const { deps, caller, response, requestId } = context;
  const body = await readObjectBody(context);
  const given = Array.isArray(body['ids']) ? body['ids'] : [];
  const ids = [...new Set(given.map(String))].slice(0, mostIds);
  const rows =
    ids.length === 0 ? [] : await deps.storage.midjourneys.findByMjIds(ids, caller.userId);
  // Of several rows with one id the newest counts: they come newest first.
  const byId = new Map([...rows].reverse().map((row) => [row.mjId, row]));
  const found = ids.flatMap((id) => byId.get(id) ?? []);
  sendJson(
    response,
    200,
    found.map((row) => shown(context, row)),
    idHeaders(requestId),
  );
}

/** The seed is the proxy's to say: its reply is sent on. */
export async function serveSeed(context: CallerContext): Promise<void> {
  const task = await ownTask(context);
  const { deps, client, policy, response, requestId, language, route } = context;
  const channel = deps.routing.find(task.channelId);
  const readSeed = channel?.provider.tasks?.imageSeed;
  if (channel === undefined || readSeed === undefined)
    throw new DrawingRefusal('get_channel_info_failed');
  // Of several keys the one that drew the image.
  const { key } = factsOf({ table: 'midjourneys', row: task }).private;
  const keyed = channel.keys?.enabled.find((one) => one.key.reveal() === key) ?? channel;
  const call = buildCall(keyed, '', clientPartOf(context), policy.provider, deps.clock.now());
  try {
    const reply = await readSeed(task.mjId, call, channelEffects(keyed, deps, client.signal()));
    sendJson(response, 200, reply, idHeaders(requestId));
  } catch (error) {
    if (!(error instanceof ReplyFailure)) throw error;
    const masked = maskError(error.error, maskOf(keyed));
    const described = describeError(
      { from: 'upstream', error: masked, mappedStatus: masked.status },
      language,
    );
    sendError(response, route.family, described, requestId);
  }
}
