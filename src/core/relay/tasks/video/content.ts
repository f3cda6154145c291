/**
 * Finished videos: our copy, or the upstream's through the gateway while it has it
 * (docs/rules/video.md#content).
 */
import { AppError } from '../../../kernel/errors.ts';
import type { VideoView } from '../../../tasks/videos/present-video.ts';
import { authenticateConsole } from '../../admit/console-caller.ts';
import type { CallerContext, RelayContext } from '../../context.ts';
import { contentRequest, sendContent } from '../../send-content.ts';
import type { OpenTaskCall } from '../../task-call.ts';

/** Throws AppError result_not_ready, result_gone, result_unreachable, address_not_allowed. */
async function sendVideo(context: RelayContext, video: VideoView): Promise<void> {
  const { client } = context;
  const { videos, results } = context.deps;
  const { task, status, hasResult } = video;
  if (status !== 'SUCCESS') throw new AppError('result_not_ready');
  const request = contentRequest(context);
  const stored = await results.open(task.taskId, request);
  if (stored === null && !hasResult) throw new AppError('result_gone');
  await sendContent(
    context,
    stored ?? (await results.forward(task, videos.sourceOf(task), request, client.signal())),
  );
}

/** For the holder of a token: one of the caller's own. */
export async function serveOwnVideo(context: CallerContext): Promise<void> {
  const { deps, caller, route, request } = context;
  const variant = queryOf(request.url).get('variant') ?? 'video';
  if (variant !== 'video')
    throw new AppError('invalid_request', { detail: `there is no ${variant} of a video` });
  await sendVideo(context, await deps.videos.find(caller.userId, route.params?.['id'] ?? ''));
}

/** For everybody who has a signed link, and for the signed-in owner. */
export const serveLinkedVideo: OpenTaskCall['serve'] = async (context) => {
  const { videos } = context.deps;
  const id = context.route.params?.['id'] ?? '';
  const query = queryOf(context.request.url);
  const signature = query.get('sig');
  if (signature === null) {
    const { caller, memory } = await authenticateConsole(context);
    memory.release();
    return sendVideo(context, await videos.find(caller.userId, id));
  }
  if (!videos.links.isValid(id, query.get('exp') ?? '', signature))
    throw new AppError('result_link_invalid');
  await sendVideo(context, await videos.findSigned(id));
};

function queryOf(url: string | undefined): URLSearchParams {
  return new URLSearchParams((url ?? '').split('?')[1] ?? '');
}
