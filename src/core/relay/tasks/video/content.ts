/** Finished videos: our copy, or the upstream's through the gateway while it has it (docs/rules/video.md#content). */
import { pipeline } from 'node:stream/promises';
import { type ContentReply, safeFileHeaders } from '../../../files/content-reply.ts';
import { AppError } from '../../../kernel/errors.ts';
import type { VideoView } from '../../../tasks/videos/present-video.ts';
import { headerText } from '../../../upstream/exchange.ts';
import { authenticateConsole } from '../../admit/console-caller.ts';
import type { CallerContext, RelayContext } from '../../context.ts';
import { corsHeaders, idHeaders } from '../../reply.ts';
import type { OpenTaskCall, TaskCallDeps } from '../../task-call.ts';
import { forwardVideo } from './forward-video.ts';

type ContentDeps = Pick<TaskCallDeps, 'client' | 'files'>;

async function sendStored({ response, requestId }: RelayContext, { status, headers, body }: ContentReply): Promise<void> {
  response.writeHead(status, { ...corsHeaders, ...idHeaders(requestId), ...headers });
  if (body === undefined) return void response.end();
  try {
    await pipeline(body, response);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}

/** The address at which the upstream has it, and the channel's own host, which may be an inside one. */
async function sourceOf({ deps }: RelayContext, { task }: VideoView) {
  const address = deps.videos.sourceOf(task);
  if (!URL.canParse(address)) throw new AppError('result_gone');
  const channel = deps.routing.find(task.channelId);
  const base = channel?.baseUrl ?? (await deps.storage.channels.find(task.channelId))?.baseUrl ?? '';
  return { address: new URL(address), ownHost: URL.canParse(base) ? new URL(base).host : '', proxy: channel?.proxy };
}

/** Throws AppError result_not_ready, result_gone, and what fetching throws. */
async function sendVideo(context: RelayContext, video: VideoView, { client, files }: ContentDeps): Promise<void> {
  const { deps, request } = context;
  if (video.status !== 'SUCCESS') throw new AppError('result_not_ready');
  const range = headerText(request.headers, 'range');
  const stored = await deps.videos.stored.open(video.task.taskId, {
    method: request.method ?? 'GET',
    range: range === '' ? undefined : range,
    ifRange: request.headers['if-range'] === undefined ? undefined : headerText(request.headers, 'if-range'),
    ifNoneMatch: request.headers['if-none-match'],
  });
  if (stored !== null) return sendStored(context, stored);
  if (!video.hasResult) throw new AppError('result_gone');
  const source = await sourceOf(context, video);
  await forwardVideo(
    { ...source, guard: deps.guard, inside: deps.upstream, outside: files },
    {
      response: context.response,
      signal: client.signal(),
      range,
      withBody: request.method !== 'HEAD',
      headers: { ...corsHeaders, ...idHeaders(context.requestId), ...safeFileHeaders, 'cache-control': 'private, max-age=3600' },
    },
  );
}

/** For the holder of a token: one of the caller's own. */
export async function serveOwnVideo(context: CallerContext, deps: TaskCallDeps): Promise<void> {
  const { caller, route, request } = context;
  const variant = queryOf(request.url).get('variant') ?? 'video';
  if (variant !== 'video') throw new AppError('invalid_request', { detail: `there is no ${variant} of a video` });
  const video = await context.deps.videos.find(caller.userId, route.params?.['id'] ?? '');
  await sendVideo(context, video, deps);
}

/** For whoever has a signed link, and for the signed-in owner. */
export const serveLinkedVideo: OpenTaskCall['serve'] = async (context, deps) => {
  const { videos } = context.deps;
  const id = context.route.params?.['id'] ?? '';
  const query = queryOf(context.request.url);
  const signature = query.get('sig');
  if (signature === null) {
    const caller = await authenticateConsole(context);
    caller.memory.release();
    return sendVideo(context, await videos.find(caller.caller.userId, id), deps);
  }
  if (!videos.links.isValid(id, query.get('exp') ?? '', signature)) throw new AppError('result_link_invalid');
  return sendVideo(context, await videos.findSigned(id), deps);
};

function queryOf(url: string | undefined): URLSearchParams {
  return new URLSearchParams((url ?? '').split('?')[1] ?? '');
}
