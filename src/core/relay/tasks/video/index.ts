/**
 * The calls of video generation, for holders of tokens and for the console's playground
 * (docs/rules/video.md#calls).
 */
import type { JsonObject } from '../../../kernel/json.ts';
import type { VideoView } from '../../../tasks/videos/present-video.ts';
import { readConsoleRequest } from '../../admit/console-caller.ts';
import { readJsonOrForm } from '../../admit/read-format-body.ts';
import type { CallerContext } from '../../context.ts';
import { openAiFamily } from '../../formats/families/openai.ts';
import { videoFamily } from '../../formats/families/video.ts';
import { idHeaders, sendError, sendJson } from '../../reply.ts';
import type {
  CallerTaskCall,
  OpenTaskCall,
  SubmittedTask,
  TaskCallDeps,
  TaskRoutes,
} from '../../task-call.ts';
import { serveLinkedVideo, serveOwnVideo } from './content.ts';
import { writeOpenAiVideo, writeTask } from './replies.ts';
import { readFields, submitVideo } from './submit-video.ts';

/** The accepted video; undefined: it was refused, and the error has been sent. */
async function readAccepted(
  context: CallerContext,
  submitted: SubmittedTask,
): Promise<VideoView | undefined> {
  const { deps, caller, response, route, requestId } = context;
  if (submitted.kind === 'refused') {
    sendError(response, route.family, submitted.error, requestId);
    return undefined;
  }
  const { record } = submitted;
  return deps.videos.findStored(caller.userId, record?.table === 'tasks' ? record.row.taskId : '');
}

async function submit(context: CallerContext, deps: TaskCallDeps): Promise<void> {
  const body = readFields(await readJsonOrForm(context));
  const video = await readAccepted(context, await submitVideo(context, body, deps));
  if (video === undefined) return;
  sendJson(
    context.response,
    200,
    writeOpenAiVideo(video, context.deps.videos.links),
    idHeaders(context.requestId),
  );
}

async function submitFromConsole(caller: CallerContext, deps: TaskCallDeps): Promise<void> {
  const { context, body } = await readConsoleRequest(caller);
  const video = await readAccepted(context, await submitVideo(context, readFields(body), deps));
  if (video === undefined) return;
  const { task, status } = video;
  const data = { task_id: task.taskId, task_status: status, status, created_at: task.createdAt };
  sendJson(
    context.response,
    200,
    { success: true, message: '', data, ...data },
    idHeaders(context.requestId),
  );
}

/** Sends one of the caller's videos, as it is now. */
function reading(
  write: (video: VideoView, context: CallerContext) => JsonObject,
): CallerTaskCall['serve'] {
  return async (context) => {
    const { deps, caller, response, requestId, route } = context;
    const video = await deps.videos.find(caller.userId, route.params?.['id'] ?? '');
    sendJson(response, 200, write(video, context), idHeaders(requestId));
  };
}

const calls: readonly CallerTaskCall[] = [
  {
    method: 'POST',
    pattern: /^\/v1\/(?:videos|video\/generations)$/,
    kind: 'submit',
    serve: submit,
  },
  {
    method: 'GET',
    pattern: /^\/v1\/videos\/(?<id>[^/]+)$/,
    kind: 'read',
    serve: reading((video, { deps }) => writeOpenAiVideo(video, deps.videos.links)),
  },
  {
    method: 'GET',
    pattern: /^\/v1\/video\/generations\/(?<id>[^/]+)$/,
    kind: 'read',
    serve: reading((video, { deps }) => ({
      code: 'success',
      message: '',
      data: writeTask(video, deps.videos.links),
    })),
  },
  {
    method: 'GET',
    pattern: /^\/v1\/videos\/(?<id>[^/]+)\/content$/,
    kind: 'read',
    serve: serveOwnVideo,
  },
];

const consoleCalls: readonly (CallerTaskCall | OpenTaskCall)[] = [
  {
    method: 'POST',
    pattern: /^\/pg\/videos\/generations$/,
    kind: 'submit',
    login: 'console',
    serve: submitFromConsole,
  },
  {
    method: 'GET',
    pattern: /^\/pg\/videos\/generations\/(?<id>[^/]+)\/content$/,
    kind: 'open',
    serve: serveLinkedVideo,
  },
];

export const videoRoutes: readonly TaskRoutes[] = [
  { family: videoFamily, calls },
  { family: openAiFamily, calls: consoleCalls },
];
