/**
 * A video that a caller orders: read, checked, its images made ready, and submitted
 * (docs/rules/video.md#submit).
 */
import { fileDataUri } from '../../../canonical/kit/media.ts';
import type { VideoOrder } from '../../../canonical/video.ts';
import type { UpstreamImage } from '../../../files/for-upstream.ts';
import { AppError } from '../../../kernel/errors.ts';
import type { JsonObject, JsonValue } from '../../../kernel/json.ts';
import { checkUrl } from '../../../upstream/guard.ts';
import { videoModelName } from '../../../vocabulary/video-models.ts';
import type { RequestBody } from '../../body/request-body.ts';
import type { CallerContext } from '../../context.ts';
import type { SubmittedTask, TaskCallDeps, TaskOrder } from '../../task-call.ts';
import { measureVideo, readVideoOrder } from './read-order.ts';

/**
 * The fields of a body; an image that a form has as a file is a data URI. Throws AppError
 * invalid_json.
 */
export function readFields(body: RequestBody): JsonObject {
  let fields: Record<string, JsonValue>;
  try {
    fields = body.parse();
  } catch (cause) {
    throw new AppError('invalid_json', {}, { cause });
  }
  const [image] = body.files;
  return image === undefined ? fields : { ...fields, img_url: fileDataUri(image.file) };
}

/**
 * The name as it is typed, unless only the model's own name has a channel. Throws AppError
 * model_required.
 */
function readModel({ deps, group, pin }: CallerContext, body: JsonObject): string {
  const { model } = body;
  if (typeof model !== 'string' || model.trim() === '') throw new AppError('model_required');
  const proper = videoModelName(model);
  const isServed = pin !== undefined || deps.routing.tiers(group, model).length > 0;
  return isServed || deps.routing.tiers(group, proper).length === 0 ? model : proper;
}

/**
 * An order with its images as the upstream gets them, and with their addresses as the row of the
 * task keeps them.
 */
interface PreparedOrder {
  readonly sent: VideoOrder;
  readonly kept: VideoOrder;
  /** Deletes the images that were stored for it. */
  discard(): Promise<void>;
}

const imageFields = ['image', 'firstFrame', 'lastFrame'] as const;

async function prepareImages(
  { deps, caller }: CallerContext,
  order: VideoOrder,
): Promise<PreparedOrder> {
  if (order.audioUrl !== undefined) checkUrl(new URL(order.audioUrl), deps.guard);
  let sent = order;
  let kept = order;
  const images: UpstreamImage[] = [];
  const discard = async () => {
    for (const image of images) await image.discard?.();
  };
  try {
    for (const field of imageFields) {
      const address = order[field];
      if (address === undefined) continue;
      const image = await deps.images(caller.userId, address);
      images.push(image);
      sent = { ...sent, [field]: image.sent };
      kept = { ...kept, [field]: image.url };
    }
  } catch (error) {
    await discard();
    throw error;
  }
  return { sent, kept, discard };
}

/** What lists show of the order. */
function describeOrder(order: VideoOrder, model: string, group: string): JsonObject {
  const { seconds } = measureVideo(order, model);
  const fields: Readonly<Record<string, JsonValue | undefined>> = {
    model,
    prompt: order.prompt,
    negative_prompt: order.negativePrompt,
    img_url: order.image,
    first_frame_url: order.firstFrame,
    last_frame_url: order.lastFrame,
    audio_url: order.audioUrl,
    size: order.size,
    resolution: order.resolution,
    duration: seconds,
    seed: order.seed,
    group,
  };
  return Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined),
  );
}

/** Throws AppError for what is wrong with the order; nothing is held or stored then. */
export async function submitVideo(
  context: CallerContext,
  body: JsonObject,
  deps: TaskCallDeps,
): Promise<SubmittedTask> {
  const model = readModel(context, body);
  const order = readVideoOrder(body, model);
  const { sent, kept, discard } = await prepareImages(context, order);
  const task: TaskOrder<VideoOrder> = {
    platform: 'ali',
    action: 'VIDEO',
    model,
    order: sent,
    place: { table: 'tasks', input: describeOrder(kept, model, context.group) },
    texts: [order.prompt, order.negativePrompt ?? ''],
    unpriced: 'refuse',
    video: measureVideo(order, model),
  };
  let submitted: SubmittedTask | undefined;
  try {
    submitted = await deps.submit(context, task);
    return submitted;
  } finally {
    // What an unfinished task names stays.
    if (submitted?.kind !== 'accepted') await discard();
  }
}
