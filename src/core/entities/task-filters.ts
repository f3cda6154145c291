import {
  drawingActions,
  drawingStatuses,
  taskActions,
  taskPlatforms,
  taskStatuses,
} from '../vocabulary/task-types.ts';
import { defineFilters } from './filters.ts';

const label = {
  id: { en: 'task ID', zh: '任务 ID' },
  submitted: { en: 'submitted', zh: '提交时间' },
  status: { en: 'status', zh: '状态' },
  action: { en: 'action', zh: '类型' },
  platform: { en: 'platform', zh: '平台' },
} as const;

/** The service looks up the user of a name. */
const ofAll = {
  user: {
    kind: 'text',
    names: 'user',
    wire: 'username',
    trim: true,
    own: true,
    for: 'admins',
    label: { en: 'user', zh: '用户' },
  },
  channel: {
    kind: 'id',
    wire: 'channel_id',
    for: 'admins',
    label: { en: 'channel', zh: '渠道' },
  },
} as const;

/** The filters of drawings, whose times are milliseconds (docs/rules/task-logs.md#lists). */
export const drawingFilters = defineFilters({
  id: { kind: 'text', wire: 'mj_id', trim: true, anyTime: true, label: label.id },
  time: {
    kind: 'time',
    wire: ['start_timestamp', 'end_timestamp'],
    column: 'submit_time',
    unit: 1000,
    label: label.submitted,
  },
  status: { kind: 'text', wire: 'status', choices: drawingStatuses, label: label.status },
  action: { kind: 'text', wire: 'action', choices: drawingActions, label: label.action },
  ...ofAll,
});

/** The filters of tasks (docs/rules/task-logs.md#lists). */
export const taskFilters = defineFilters({
  id: { kind: 'text', wire: 'task_id', trim: true, anyTime: true, label: label.id },
  time: {
    kind: 'time',
    wire: ['start_timestamp', 'end_timestamp'],
    column: 'submit_time',
    label: label.submitted,
  },
  status: { kind: 'text', wire: 'status', choices: taskStatuses, label: label.status },
  action: { kind: 'text', wire: 'action', choices: taskActions, label: label.action },
  platform: { kind: 'text', wire: 'platform', choices: taskPlatforms, label: label.platform },
  ...ofAll,
});
