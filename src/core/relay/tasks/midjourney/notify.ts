/** What a proxy reports on its own account (docs/rules/midjourney.md#notifications). */
import { createHash, timingSafeEqual } from 'node:crypto';
import { readDrawing } from '../../../canonical/drawing.ts';
import type { TaskReport } from '../../../canonical/task-provider.ts';
import { isObject, parseJson } from '../../../kernel/json.ts';
import type { Midjourney } from '../../../storage/storage.ts';
import type { UpstreamChannel } from '../../../upstream/channel.ts';
import { maskOf } from '../../../upstream/mask.ts';
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
  return (
    new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?')) : '').get('secret') ?? ''
  );
}

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Whether the channel accepts reports with this secret: none does by default. */
function isTrusted({ settings }: UpstreamChannel, secret: string): boolean {
  const expected = isObject(settings) ? settings['mj_notify_secret'] : undefined;
  return (
    typeof expected === 'string' &&
    expected !== '' &&
    timingSafeEqual(digest(expected), digest(secret))
  );
}

/** The task with its channel, if that one reports it. */
function trustedTask({ deps }: RelayContext, row: Midjourney, secret: string) {
  const channel = deps.routing.find(row.channelId);
  return channel !== undefined && isTrusted(channel, secret) ? [{ row, channel }] : [];
}

/** The reason as callers may see it (docs/rules/relay.md#error-mask). */
function maskedReport(report: TaskReport, channel: UpstreamChannel): TaskReport {
  const { failReason } = report;
  return failReason === undefined ? report : { ...report, failReason: maskOf(channel)(failReason) };
}

/**
 * Ends or updates the tasks of the channel whose secret is given, by the same function as the poll:
 * what came late or twice changes nothing. An unknown id and a wrong secret get the same reply.
 */
export async function serveNotify(context: RelayContext, { engine }: OpenCallDeps): Promise<void> {
  const { client, deps, request, response, requestId } = context;
  const bytes = await readRequestBody(request, {
    maxBytes: largestReport,
    claim: () => undefined,
    client,
  });
  const report = readDrawing(parseJson(bytes.toString('utf8')));
  if (report === undefined) throw new DrawingRefusal('bind_request_body_failed');
  const secret = secretOf(context);
  const known = await deps.storage.midjourneys.findByMjIds([report.upstreamId]);
  const tasks = known.flatMap((row) => trustedTask(context, row, secret));
  if (tasks.length === 0) throw new DrawingRefusal('midjourney_task_not_found');
  for (const { row, channel } of tasks)
    await engine.apply({ table: 'midjourneys', row }, maskedReport(report, channel));
  response.writeHead(200, { ...idHeaders(requestId), 'content-length': '0' });
  response.end();
}
