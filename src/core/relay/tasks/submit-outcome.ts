/** What an upstream's answer to a submit means for the caller and for the row. */
import { TaskRefusal } from '../../canonical/kit/task-refusal.ts';
import type { DrawingResult, TaskSubmission } from '../../canonical/task-provider.ts';
import { type JsonObject, parseObject } from '../../kernel/json.ts';
import { finishedProgress, type TaskChange, type TaskRecord } from '../../tasks/task-record.ts';
import { type Mask, maskError, maskValue } from '../../upstream/mask.ts';
import type { Attempt } from '../attempt.ts';

/** The refusal as its caller may see it (docs/rules/relay.md#error-mask). */
export function masked({ error, reply, drawing }: TaskRefusal, mask: Mask): TaskRefusal {
  return new TaskRefusal(
    maskError(error, mask),
    maskValue(reply, mask) as JsonObject,
    maskValue(drawing, mask) as DrawingResult,
  );
}

/** What its row becomes when an upstream has accepted it; `now` in Unix milliseconds. */
export function acceptedChange(
  record: TaskRecord,
  { channel, upstreamModel }: Attempt,
  submission: TaskSubmission,
  now: number,
): TaskChange {
  const { status, upstreamId, reply: _reply, progress, resultUrl, ...rest } = submission;
  const isDone = status === 'SUCCESS';
  const properties =
    record.table === 'tasks'
      ? {
          properties: JSON.stringify({
            ...parseObject(record.row.properties),
            upstream_model: upstreamModel,
          }),
        }
      : {};
  return {
    ...rest,
    ...properties,
    upstreamId,
    channelId: channel.id,
    submitTime: now,
    failReason: '',
    progress: isDone
      ? finishedProgress
      : `${Math.min(Math.max(Math.floor(progress ?? 0), 0), 99)}%`,
    ...(isDone && { startTime: rest.startTime ?? now, finishTime: rest.finishTime ?? now }),
    private: {
      key: channel.key.reveal(),
      upstream_model: upstreamModel,
      ...(resultUrl !== undefined && { result_url: resultUrl }),
    },
  };
}
