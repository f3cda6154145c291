/**
 * A server that makes videos as DashScope does: a task per accepted request, a state per poll, and
 * the file. Each task follows the script that the test set before it.
 */
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { sendJson } from './upstream.ts';

/**
 * `hang`: accepted, but the reply never comes. `cut`: accepted, and the connection breaks.
 * `garbled`: a reply that is no JSON.
 */
type SubmitScript =
  | 'accept'
  | 'hang'
  | 'cut'
  | 'garbled'
  | { readonly status: number; readonly code: string };

/** A word of DashScope, or what goes wrong with the poll itself. */
type PollScript =
  | 'PENDING'
  | 'RUNNING'
  | 'SUCCEEDED'
  | 'FAILED'
  | 'CANCELED'
  | 'UNKNOWN'
  | 'DREAMING'
  | 'throttled'
  | 'denied'
  | 'broken'
  | 'slow';

export interface VideoScript {
  readonly submit?: SubmitScript;
  /** Of one poll each; the last one stays. */
  readonly polls?: readonly PollScript[];
  /** Seconds of the finished video; absent: as requested. */
  readonly seconds?: number;
  /** Where the result is; absent: at this server. */
  readonly videoUrl?: string;
}

interface ScriptedTask {
  readonly id: string;
  readonly body: VideoBody;
  readonly polls: PollScript[];
  readonly seconds: number;
  readonly videoUrl: string;
}

export interface VideoBody {
  readonly model: string;
  readonly input: Record<string, unknown>;
  readonly parameters: Record<string, unknown>;
}

export interface VideoUpstream {
  readonly url: string;
  /** Submits that arrived, refused ones as well. */
  readonly submits: {
    readonly path: string;
    readonly headers: IncomingHttpHeaders;
    readonly body: VideoBody;
  }[];
  /** The keys of polls, in their order. */
  readonly polls: string[];
  readonly tasks: ReadonlyMap<string, ScriptedTask>;
  /** For the next submits, one each; then videos are made at once. */
  script(...scripts: VideoScript[]): void;
  /** States of later polls of all tasks there are. */
  turn(...polls: PollScript[]): void;
  close(): Promise<void>;
}

/** What is served as the video: long enough for ranges. */
export const videoBytes = Buffer.from(`\0\0\0\x18ftypmp42${'film '.repeat(40)}`);

const synthesis = /^\/api\/v1\/services\/aigc\/(?:video-generation|image2video)\/video-synthesis$/;

async function readBody(request: IncomingMessage): Promise<VideoBody> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString() || '{}') as VideoBody;
}

function sendVideo(request: IncomingMessage, response: ServerResponse): void {
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
  const type = { 'content-type': 'video/mp4', 'accept-ranges': 'bytes' };
  if (from === undefined) {
    response.writeHead(200, { ...type, 'content-length': videoBytes.length });
    return void response.end(videoBytes);
  }
  const last = to === '' || to === undefined ? videoBytes.length - 1 : Number(to);
  const part = videoBytes.subarray(Number(from), last + 1);
  response.writeHead(206, {
    ...type,
    'content-range': `bytes ${from}-${last}/${videoBytes.length}`,
    'content-length': part.length,
  });
  response.end(part);
}

/** `endTime`: what is reported of finished videos, in Beijing time. */
export async function startVideoUpstream(
  endTime = '2026-11-20 20:01:00.000',
): Promise<VideoUpstream> {
  const submits: VideoUpstream['submits'] = [];
  const polls: string[] = [];
  const tasks = new Map<string, ScriptedTask>();
  let scripts: VideoScript[] = [];
  let url = '';

  const refuse = (response: ServerResponse, status: number, code: string) =>
    sendJson(response, status, {
      code,
      message: `${code} of the scripted upstream`,
      request_id: 'r-1',
    });

  const submit = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readBody(request);
    const headers = request.headers;
    submits.push({ path: request.url ?? '', headers, body });
    if (headers['x-dashscope-async'] !== 'enable') return refuse(response, 403, 'AccessDenied');
    const {
      submit = 'accept',
      polls: states = ['SUCCEEDED'],
      seconds,
      videoUrl,
    } = scripts.shift() ?? {};
    if (typeof submit === 'object') return refuse(response, submit.status, submit.code);
    const id = `upstream-${tasks.size + 1}`;
    const requested = Number(body.parameters['duration'] ?? 5);
    const address = videoUrl ?? `${url}/videos/${id}.mp4?Expires=1`;
    tasks.set(id, {
      id,
      body,
      polls: [...states],
      seconds: seconds ?? requested,
      videoUrl: address,
    });
    if (submit === 'hang') return;
    if (submit === 'cut') return void response.destroy();
    if (submit === 'garbled') return void response.end('<html>accepted</html>');
    sendJson(response, 200, { output: { task_id: id, task_status: 'PENDING' }, request_id: 'r-1' });
  };

  const poll = (id: string, request: IncomingMessage, response: ServerResponse): void => {
    polls.push((request.headers.authorization ?? '').replace('Bearer ', ''));
    const task = tasks.get(id);
    const state =
      task === undefined ? 'UNKNOWN' : task.polls.length > 1 ? task.polls.shift() : task.polls[0];
    const reply = (output: object, usage?: object) =>
      sendJson(response, 200, { request_id: 'r-2', output, ...(usage && { usage }) });
    const times = {
      submit_time: '2026-11-20 20:00:00.123',
      scheduled_time: '2026-11-20 20:00:05.000',
    };
    if (state === 'throttled') return refuse(response, 429, 'Throttling.RateQuota');
    if (state === 'denied') return refuse(response, 401, 'InvalidApiKey');
    if (state === 'broken') return void response.writeHead(502).end('<html>bad gateway</html>');
    if (state === 'slow') return;
    if (task === undefined || state === 'UNKNOWN')
      return reply({ task_id: id, task_status: 'UNKNOWN' });
    if (state === 'SUCCEEDED') {
      return reply(
        { task_id: id, task_status: state, ...times, end_time: endTime, video_url: task.videoUrl },
        { video_duration: task.seconds, video_ratio: '1280*720', video_count: 1 },
      );
    }
    const failed =
      state === 'FAILED' ? { code: 'InternalError.Algo', message: 'the film tore' } : {};
    reply({ task_id: id, task_status: state, ...times, ...failed });
  };

  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    const id = /^\/api\/v1\/tasks\/([^/]+)$/.exec(path)?.[1];
    if (synthesis.test(path)) void submit(request, response);
    else if (id !== undefined) poll(decodeURIComponent(id), request, response);
    else if (path.startsWith('/videos/')) sendVideo(request, response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    submits,
    polls,
    tasks,
    script: (...next) => {
      scripts = next;
    },
    turn: (...next) => {
      for (const task of tasks.values()) task.polls.splice(0, task.polls.length, ...next);
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
