/** Drawings and tasks of one-hub (model/midjourney.go, model/task.go, 2026-02-20). */
import type { TableMapping } from '../mapping/mapping.ts';
import { midjourneysMapping, tasksMapping } from '../mapping/tasks.ts';

export const drawingsOfOneHub: TableMapping = {
  ...midjourneysMapping,
  // The speed stands in the name of the action's price, too.
  alsoRead: [...midjourneysMapping.alsoRead, 'mode', 'token_id'],
};

/** Its progress is a number. */
export const tasksOfOneHub: TableMapping = {
  ...tasksMapping,
  alsoRead: [...tasksMapping.alsoRead, 'token_id'],
  refine(context, notes) {
    const finish = tasksMapping.refine?.(context, notes);
    return (draft, source) => {
      const progress = String(draft['progress']).replace(/%$/, '') || '0';
      return finish?.({ ...draft, progress: `${progress}%` }, source) ?? null;
    };
  },
};
