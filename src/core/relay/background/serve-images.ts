/**
 * Orders of images by the playground: they go on to their end though their page is left, and what
 * was paid is kept (docs/rules/relay.md#playground-images).
 */
import { finished } from 'node:stream/promises';
import { readDataUri } from '../../canonical/kit/media.ts';
import type { MadeImage } from '../../files/results/keep-images.ts';
import { isObject, parseObject } from '../../kernel/json.ts';
import { notingSettlement } from '../admit/keep-response.ts';
import { openJobFor } from '../admit/open-job.ts';
import type { RequestBody } from '../body/request-body.ts';
import { watchClient } from '../client/client-watch.ts';
import { KeptReply } from '../client/kept-reply.ts';
import type { CallerContext } from '../context.ts';
import type { CallerFormat } from '../formats/shared/caller-format.ts';
import type { RelayJob } from '../job.ts';

/** Fields of an order that the page gives again. */
const orderFields = ['prompt', 'size', 'quality', 'n'] as const;

/** Resolves when the images are kept. Throws what opening a job throws. */
export async function serveImages(
  caller: CallerContext,
  format: CallerFormat,
  body: RequestBody,
  serveJob: (job: RelayJob) => Promise<void>,
): Promise<void> {
  const { deps, client, response, playgroundKey: key = '' } = caller;
  const reply = new KeptReply(response);
  const watch = watchClient(reply);
  // Only the end of the gateway and the call that stops it end it early.
  client.onLeft((why) => {
    if (why === 'stopped') watch.stop();
  });
  const ended = deps.runningImages.add({ userId: caller.caller.userId, key }, () =>
    reply.destroy(),
  );
  try {
    const job = await openJobFor({ ...caller, response: reply, client: watch }, format, body);
    const { bill, current } = notingSettlement(job.bill);
    await serveJob({ ...job, bill });
    if (reply.writableEnded) await finished(reply);
    const settled = current();
    if (settled !== undefined && reply.statusCode === 200)
      await keep({ ...job, playgroundKey: key }, reply, settled.outcome.channel.id);
  } finally {
    ended();
    client.onLeft(null);
    if (reply.destroyed && !response.writableEnded) response.destroy();
  }
}

/** Never rejects: the answer was given. */
async function keep(job: RelayJob, reply: KeptReply, channelId: number): Promise<void> {
  const { deps, caller, model, group, body, bill, playgroundKey: key = '' } = job;
  try {
    const { bytes } = reply;
    job.memory.holdReply(bytes.length);
    const images = readImages(parseObject(bytes.toString('utf8')));
    if (images.length === 0) return;
    const input = Object.fromEntries(orderFields.map((name) => [name, body.get(name) ?? null]));
    await deps.imageTasks.add({
      userId: caller.userId,
      channelId,
      model,
      group,
      key,
      images,
      input,
      quota: bill.charged,
      startedAt: job.startedAt,
    });
  } catch (error) {
    deps.logger.error({ error, requestId: job.requestId }, 'images could not be kept');
  }
}

function readImages(reply: unknown): readonly MadeImage[] {
  const data = isObject(reply) ? reply['data'] : undefined;
  if (!Array.isArray(data)) return [];
  return data.filter(isObject).flatMap(({ b64_json: base64, url }): MadeImage[] => {
    const inline =
      typeof base64 === 'string' && base64 !== ''
        ? base64
        : typeof url === 'string'
          ? readDataUri(url)?.data
          : undefined;
    if (inline !== undefined) return [Buffer.from(inline, 'base64')];
    return typeof url === 'string' && /^https?:\/\//i.test(url) ? [url] : [];
  });
}
