/** What owners delete of their finished work (docs/rules/task-logs.md#gallery). */
import type { Commit } from '../audit/commit.ts';
import type { TaskResults } from '../files/results/task-results.ts';
import { AppError } from '../kernel/errors.ts';

export interface RemoveWork {
  /**
   * Deletes a task and the copies of its results. What was charged stays in the usage log. Throws
   * AppError task_not_exist for those of others, result_not_ready for one that is not over.
   */
  task(userId: number, id: number): Promise<void>;
  /** The same for a drawing. */
  drawing(userId: number, id: number): Promise<void>;
}

export interface RemoveWorkDeps {
  readonly commit: Commit;
  readonly results: Pick<TaskResults, 'clean'>;
}

function whyNot(row: { readonly userId: number } | null, userId: number): AppError {
  return new AppError(row?.userId === userId ? 'result_not_ready' : 'task_not_exist');
}

export function createRemoveWork({ commit, results }: RemoveWorkDeps): RemoveWork {
  return {
    task: (userId, id) =>
      commit(async (inside, notes) => {
        const taskId = await inside.tasks.removeFinished(id, userId);
        if (taskId === undefined) throw whyNot(await inside.tasks.find(id), userId);
        await inside.taskResults.end(taskId);
        notes.after('the files of a deleted task', () => results.clean());
      }),
    drawing: (userId, id) =>
      commit(async (inside) => {
        if (!(await inside.midjourneys.removeFinished(id, userId)))
          throw whyNot(await inside.midjourneys.find(id), userId);
      }),
  };
}
