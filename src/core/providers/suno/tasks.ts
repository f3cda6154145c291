/** The protocol of Suno-API: a submit per song or text, states in batches. */
import type { Call } from '../../canonical/call.ts';
import type { ProviderError } from '../../canonical/chat-reply.ts';
import { failureMessage, ReplyFailure, readFailure } from '../../canonical/kit/failure.ts';
import { countOf, recordsOf, textOf } from '../../canonical/kit/read-json.ts';
import { TaskRefusal } from '../../canonical/kit/task-refusal.ts';
import { fetchObject } from '../../canonical/kit/task-reply.ts';
import type { UpstreamFailure } from '../../canonical/provider.ts';
import type { AcceptedStatus, TaskProvider, TaskReport } from '../../canonical/task-provider.ts';
import { AppError } from '../../kernel/errors.ts';
import type { JsonObject, JsonValue } from '../../kernel/json.ts';

export interface SunoOrder {
  readonly action: 'MUSIC' | 'LYRICS';
  /** As the caller sent it, ids mapped. */
  readonly body: JsonObject;
}

function headers({ key }: Call): Record<string, string> {
  return {
    'content-type': 'application/json',
    accept: 'application/json',
    authorization: `Bearer ${key.reveal()}`,
  };
}

/** The code is the one that clients of Suno-API know. */
export function readSunoFailure(failure: UpstreamFailure): ProviderError {
  const message = failureMessage(failure.body) ?? textOf(failure.text);
  return { ...readFailure(failure), message, code: 'fail_to_fetch_task' };
}

const states: Readonly<Record<string, AcceptedStatus | 'FAILURE'>> = {
  SUBMITTED: 'SUBMITTED',
  QUEUED: 'QUEUED',
  IN_PROGRESS: 'IN_PROGRESS',
  SUCCESS: 'SUCCESS',
  FAILURE: 'FAILURE',
};

function readReport(entry: JsonObject): TaskReport[] {
  const upstreamId = textOf(entry['task_id']);
  if (upstreamId === undefined) return [];
  const failReason = textOf(entry['fail_reason']);
  const progress = Number.parseFloat(textOf(entry['progress']) ?? '');
  const data = entry['data'];
  return [
    {
      upstreamId,
      status: states[textOf(entry['status'])?.toUpperCase() ?? ''],
      ...(failReason !== undefined && { failReason }),
      ...(Number.isFinite(progress) && { progress }),
      ...times(entry),
      ...(isEmpty(data) ? {} : { data }),
    },
  ];
}

/** Seconds, 0 or absent: not yet. */
function times(entry: JsonObject): Pick<TaskReport, 'startTime' | 'finishTime'> {
  const start = countOf(entry['start_time']) ?? 0;
  const finish = countOf(entry['finish_time']) ?? 0;
  return {
    ...(start > 0 && { startTime: start * 1000 }),
    ...(finish > 0 && { finishTime: finish * 1000 }),
  };
}

function isEmpty(data: JsonValue | undefined): data is undefined | null | '' {
  return (
    data === undefined || data === null || data === '' || (Array.isArray(data) && data.length === 0)
  );
}

export const sunoTasks: TaskProvider<SunoOrder> = {
  platform: 'suno',
  batchSize: 100,
  submitTimeout: 120_000,
  pollTimeout: 15_000,
  submit: async ({ action, body }, call, effects) => {
    const url = `${call.baseUrl}/suno/submit/${action}`;
    const reply = await fetchObject(
      effects,
      { method: 'POST', url, headers: headers(call), body },
      readSunoFailure,
    );
    const code = textOf(reply['code']) ?? '';
    if (code !== 'success') {
      const message = textOf(reply['message']) ?? failureMessage(reply);
      throw new TaskRefusal(
        { status: 500, code: code === '' ? 'fail_to_fetch_task' : code, message },
        reply,
      );
    }
    const upstreamId = textOf(reply['data']);
    if (upstreamId === undefined)
      throw new AppError('bad_response_body', { detail: 'no id of the task' });
    return { upstreamId, status: 'SUBMITTED', reply };
  },
  poll: async (tasks, call, effects) => {
    const url = `${call.baseUrl}/suno/fetch`;
    const body = { ids: tasks.map(({ upstreamId }) => upstreamId) };
    const reply = await fetchObject(effects, { method: 'POST', url, headers: headers(call), body });
    if (reply['code'] !== 'success')
      throw new ReplyFailure({ status: 502, message: failureMessage(reply) });
    return recordsOf(reply['data']).flatMap((entry) => readReport(entry as JsonObject));
  },
};
