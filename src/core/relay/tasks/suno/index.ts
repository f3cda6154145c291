/** The calls of Suno-API (docs/rules/tasks.md#suno). */
import { AppError } from '../../../kernel/errors.ts';
import { type JsonObject, type JsonValue, parseJson } from '../../../kernel/json.ts';
import { Secret } from '../../../kernel/secret.ts';
import type { Task } from '../../../storage/storage.ts';
import { factsOf } from '../../../tasks/task-record.ts';
import { readObjectBody } from '../../admit/read-object.ts';
import { spellingOf } from '../../body/decisive-fields.ts';
import type { CallerContext } from '../../context.ts';
import { sunoFamily } from '../../formats/families/suno.ts';
import { idHeaders, sendError, sendJson } from '../../reply.ts';
import type { CallerTaskCall, TaskOrder, TaskRoutes } from '../../task-call.ts';

const actions = { music: 'MUSIC', lyrics: 'LYRICS' } as const;
const defaultVersion = 'chirp-v3-0';
/** Fields in which sensitive words are searched. */
const textFields = ['gpt_description_prompt', 'prompt', 'title', 'tags'];
const checkSpelling = spellingOf([...textFields, 'continue_clip_id', 'mv', 'task_id']);

function textIn(body: JsonObject, field: string): string {
  const value = body[field];
  return typeof value === 'string' ? value.trim() : '';
}

function invalid(detail: string): AppError {
  return new AppError('invalid_request', { detail });
}

/** The caller's task, by our id, or by the upstream's in rows of older panels. */
async function findOwn({ deps, caller }: CallerContext, id: string): Promise<Task> {
  const task = id === '' ? null : await deps.storage.tasks.findByTaskId(id, caller.userId);
  if (task === null || task.platform !== 'suno') throw new AppError('task_not_exist');
  return task;
}

/** A song that continues another one is made where that one was. */
async function readContinuation(
  context: CallerContext,
  body: JsonObject,
): Promise<Pick<TaskOrder, 'pin'> & { body: JsonObject }> {
  const id = textIn(body, 'task_id');
  if (textIn(body, 'continue_clip_id') === '') return { body };
  if (id === '') throw invalid('task id is empty');
  const row = await findOwn(context, id);
  const { upstreamId, private: known } = factsOf({ table: 'tasks', row });
  if (upstreamId === '') throw new AppError('task_not_exist');
  const key = known.key === undefined ? {} : { key: new Secret(known.key) };
  return { body: { ...body, task_id: upstreamId }, pin: { channelId: row.channelId, ...key } };
}

async function readOrder(context: CallerContext): Promise<TaskOrder> {
  const name = (context.route.params?.['action'] ?? '').toLowerCase();
  const action = name === 'music' || name === 'lyrics' ? actions[name] : undefined;
  if (action === undefined) throw invalid('invalid_action');
  const given = await readObjectBody(context);
  checkSpelling(given);
  if (action === 'LYRICS' && textIn(given, 'prompt') === '') throw invalid('prompt_empty');
  const { body, pin } = await readContinuation(context, given);
  const sent =
    action === 'MUSIC' && textIn(body, 'mv') === '' ? { ...body, mv: defaultVersion } : body;
  return {
    platform: 'suno',
    action,
    model: `suno_${name}`,
    order: { action, body: sent },
    place: { table: 'tasks', input: given },
    texts: textFields.map((field) => textIn(given, field)),
    unpriced: 'default',
    ...(pin !== undefined && { pin }),
  };
}

const submit: CallerTaskCall = {
  method: 'POST',
  pattern: /^\/suno\/submit\/(?<action>[^/]+)$/,
  kind: 'submit',
  serve: async (context, deps) => {
    const { response, requestId } = context;
    const task = await deps.submit(context, await readOrder(context));
    if (task.kind === 'refused') return sendError(response, sunoFamily, task.error, requestId);
    const id = task.record?.table === 'tasks' ? task.record.row.taskId : '';
    sendJson(response, 200, { ...task.submission.reply, data: id }, idHeaders(requestId));
  },
};

/** A task as Suno-API's clients read it. Times in Unix seconds. */
function writeTask(task: Task): Record<string, unknown> {
  return {
    task_id: task.taskId,
    action: task.action,
    status: task.status,
    fail_reason: task.failReason,
    submit_time: task.submitTime,
    start_time: task.startTime,
    finish_time: task.finishTime,
    progress: task.progress,
    data: parseJson(task.data) ?? null,
  };
}

function sendData({ response, requestId }: CallerContext, data: unknown): void {
  sendJson(response, 200, { code: 'success', message: '', data }, idHeaders(requestId));
}

/** Tasks that one call asks for. */
const mostIds = 500;

function readIds(value: JsonValue | undefined): readonly string[] {
  if (!Array.isArray(value)) return [];
  if (value.length > mostIds) throw invalid(`at most ${mostIds} ids`);
  return value.filter((id): id is string => typeof id === 'string');
}

const fetchMany: CallerTaskCall = {
  method: 'POST',
  pattern: /^\/suno\/fetch$/,
  kind: 'read',
  serve: async (context) => {
    const body = await readObjectBody(context);
    const found = await context.deps.storage.tasks.findByTaskIds(
      readIds(body['ids']),
      context.caller.userId,
    );
    const action = textIn(body, 'action').toUpperCase();
    const own = found.filter(
      (task) => task.platform === 'suno' && (action === '' || task.action === action),
    );
    sendData(context, own.map(writeTask));
  },
};

const fetchOne: CallerTaskCall = {
  method: 'GET',
  pattern: /^\/suno\/fetch\/(?<id>[^/]+)$/,
  kind: 'read',
  serve: async (context) =>
    sendData(context, writeTask(await findOwn(context, context.route.params?.['id'] ?? ''))),
};

export const sunoRoutes: TaskRoutes = {
  prefix: /^\/suno(\/|$)/,
  family: sunoFamily,
  calls: [submit, fetchMany, fetchOne],
};
