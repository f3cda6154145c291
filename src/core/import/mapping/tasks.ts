/**
 * Drawings, and tasks of other kinds. Finished ones are history; unfinished ones of the last day
 * are polled on.
 */
import { parseObject } from '../../kernel/json.ts';
import { toTrimmed } from '../convert.ts';
import type { Notes } from '../notes.ts';
import type { DraftRow, TableMapping } from './mapping.ts';

/** Seconds after which no upstream knows a task any more. */
const longestTask = 86_400;
const finished = '100%';

/**
 * A task that will never end is ended here, because its refund would be money that the old program
 * did not owe.
 */
function endStale(draft: DraftRow, submittedAt: number, now: number, notes: Notes): void {
  if (draft['progress'] === finished || now - submittedAt <= longestTask) return;
  notes.add('task_ended', `${draft['id']} ${draft['mj_id'] ?? draft['task_id']}`);
  draft['progress'] = finished;
  if (draft['status'] !== 'SUCCESS') {
    draft['status'] = 'FAILURE';
    draft['fail_reason'] = String(draft['fail_reason']) || 'unfinished when it was imported';
  }
}

export const midjourneysMapping: TableMapping = {
  source: 'midjourneys',
  target: 'midjourneys',
  columns: {
    id: { as: 'integer' },
    code: { as: 'int32' },
    user_id: { as: 'integer' },
    action: { as: 'trimmed' },
    mj_id: { as: 'trimmed' },
    prompt: { as: 'text' },
    prompt_en: { as: 'text' },
    description: { as: 'text' },
    state: { as: 'text' },
    submit_time: { as: 'integer' },
    start_time: { as: 'integer' },
    finish_time: { as: 'integer' },
    image_url: { as: 'trimmed' },
    video_url: { as: 'trimmed' },
    video_urls: { as: 'trimmed' },
    status: { as: 'trimmed' },
    progress: { as: 'trimmed' },
    fail_reason: { as: 'text' },
    channel_id: { as: 'integer' },
    quota: { as: 'integer' },
    buttons: { as: 'trimmed' },
    properties: { as: 'trimmed' },
  },
  alsoRead: [],
  same: ['user_id', 'submit_time'],
  figures: ['quota'],
  user: 'user_id',
  refine({ now }, notes) {
    return (draft) => {
      endStale(draft, Number(draft['submit_time']) / 1000, now, notes);
      return { row: draft };
    };
  },
};

export const tasksMapping: TableMapping = {
  source: 'tasks',
  target: 'tasks',
  columns: {
    id: { as: 'integer' },
    created_at: { as: 'integer' },
    updated_at: { as: 'integer' },
    task_id: { as: 'trimmed' },
    platform: { as: 'trimmed' },
    user_id: { as: 'integer' },
    channel_id: { as: 'integer' },
    quota: { as: 'integer' },
    action: { as: 'trimmed' },
    status: { as: 'trimmed' },
    fail_reason: { as: 'text' },
    submit_time: { as: 'integer' },
    start_time: { as: 'integer' },
    finish_time: { as: 'integer' },
    progress: { as: 'trimmed' },
    properties: { as: 'trimmed' },
    data: { as: 'trimmed' },
    private_data: { as: 'json' },
  },
  alsoRead: ['group'],
  same: ['user_id', 'submit_time'],
  figures: ['quota'],
  user: 'user_id',
  refine({ now }, notes) {
    return (draft, source) => {
      endStale(draft, Number(draft['submit_time']), now, notes);
      const known = parseObject(String(draft['private_data'])) ?? {};
      const group = toTrimmed(source['group']);
      // Releases without private data used the upstream's id as their own.
      const privateData = {
        upstream_task_id: draft['task_id'],
        ...(group === '' ? {} : { group }),
        ...known,
      };
      return { row: { ...draft, private_data: JSON.stringify(privateData) } };
    };
  },
};
