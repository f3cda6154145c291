import { readDrawing } from '../../canonical/drawing.ts';
import { ReplyFailure, readFailure } from '../../canonical/kit/failure.ts';
import type { Call, Effects } from '../../canonical/provider.ts';
import type { PolledTask, TaskReport } from '../../canonical/task-provider.ts';
import { AppError } from '../../kernel/errors.ts';
import { parseJson } from '../../kernel/json.ts';
import { listRequest } from './request.ts';
import type { MidjourneySettings } from './settings.ts';

/** Milliseconds. */
export const pollTimeout = 15_000;

/**
 * The tasks that the proxy lists, each once: a proxy may report one twice, and others that nobody
 * asked for.
 */
export async function pollDrawings(
  tasks: readonly PolledTask[],
  call: Call<MidjourneySettings>,
  effects: Effects,
): Promise<readonly TaskReport[]> {
  const ids = [...new Set(tasks.map(({ upstreamId }) => upstreamId))];
  const { status, text, headers } = await effects.fetch({
    ...listRequest(ids, call),
    timeoutMs: pollTimeout,
  });
  const body = parseJson(text);
  if (status < 200 || status > 299)
    throw new ReplyFailure(readFailure({ status, headers, text, body }));
  if (!Array.isArray(body)) throw new AppError('bad_response_body', { detail: 'no list of tasks' });
  const reports = new Map<string, TaskReport>();
  for (const item of body) {
    const report = readDrawing(item);
    if (report !== undefined && ids.includes(report.upstreamId))
      reports.set(report.upstreamId, report);
  }
  return [...reports.values()];
}
