import { describe, expect, it } from 'vitest';
import type { DrawingEntity, TaskEntity } from '../../../src/core/contract/task-logs.ts';
import { readTask } from '../../../src/core/tasks/task-view.ts';

const task = {
  id: 4,
  task_id: 't1',
  status: 'IN_PROGRESS',
  progress: '40%',
  submit_time: 1000,
  start_time: 0,
  finish_time: 0,
} as TaskEntity;

describe('a task as people see it', () => {
  it('runs until it ends, and has a duration then', () => {
    expect(readTask(task)).toMatchObject({
      publicId: 't1',
      submitted: 1000,
      seconds: undefined,
      percent: 40,
      isRunning: true,
    });
    const failed = readTask({ ...task, status: 'FAILURE', finish_time: 1093 });
    expect(failed).toMatchObject({ seconds: 93, percent: 100, isRunning: false });
  });

  it('has a progress from 0 to 100, whatever the upstream reports', () => {
    const percentOf = (progress: string) => readTask({ ...task, progress }).percent;
    expect(['', 'soon', '-3%', '120%', '12.5%'].map(percentOf)).toEqual([0, 0, 0, 100, 12.5]);
  });

  it('counts drawings in seconds, whose times are milliseconds', () => {
    const drawing = {
      ...task,
      mj_id: 'm1',
      submit_time: 1_000_500,
      finish_time: 1_093_900,
    } as unknown as DrawingEntity;
    expect(readTask(drawing)).toMatchObject({
      publicId: 'm1',
      submitted: 1000,
      finished: 1093,
      seconds: 93.4,
    });
  });
});
