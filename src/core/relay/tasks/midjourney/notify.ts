/** What a proxy reports on its own account (docs/rules/midjourney.md#notifications). */
import { createHash, timingSafeEqual } from 'node:crypto';
import { readDrawing } from '../../../canonical/drawing.ts';
import { isObject, parseJson } from '../../../kernel/json.ts';
import type { Midjourney } from '../../../storage/storage.ts';
import { readRequestBody } from '../../body/read-body.ts';
import type { RelayContext } from '../../context.ts';
import { idHeaders } from '../../reply.ts';
import type { OpenCallDeps } from '../../task-call.ts';
import { DrawingRefusal } from './refusal.ts';

/** Bytes of a task object: nobody's token pays for what a stranger sends. */
const largestReport = 256 * 1024;

function secretOf({ request }: RelayContext): string {
  const { url = '', headers } = request;
  const given = headers['mj-api-secret'];
  if (typeof given === 'string' && given !== '') return given;
  return new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?')) : '').get('secret') ?? '';
}

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Whether the channel of the task accepts reports with this secret: none does by default. */
function isTrusted({ deps }: RelayContext, { channelId }: Midjourney, secret: string): boolean {
  const settings = deps.routing.find(channelId)?.settings;
  const expected = isObject(settings) ? settings['mj_notify_secret'] : undefined;
  return typeof expected === 'string' && expected !== '' && timingSafeEqual(digest(expected), digest(secret));
}

/**
 * Ends or updates the tasks of the channel whose secret is given, by the same function as the poll: what came late or twice changes
 * nothing. An unknown id and a wrong secret get the same reply.
 */
export async function serveNotify(context: RelayContext, { engine }: OpenCallDeps): Promise<void> {
  const { deps, request, response, requestId } = context;
  const bytes = await readRequestBody(request, { maxBytes: largestReport, claim: () => undefined });
  const report = readDrawing(parseJson(bytes.toString('utf8')));
  if (report === undefined) throw new DrawingRefusal('bind_request_body_failed');
  const secret = secretOf(context);
  const known = await deps.storage.midjourneys.findByMjIds([report.upstreamId]);
  const tasks = known.filter((task) => isTrusted(context, task, secret));
  if (tasks.length === 0) throw new DrawingRefusal('midjourney_task_not_found');
  for (const row of tasks) await engine.apply({ table: 'midjourneys', row }, report);
  response.writeHead(200, { ...idHeaders(requestId), 'content-length': '0' });
  response.end();
}
