import { useEffect, useRef } from 'react';
import type { TaskView } from '../../../core/tasks/task-view.ts';
import type { List } from '../../list/use-list.ts';

/** The gateway polls upstreams as often. */
const intervalMs = 15_000;

/**
 * Reads the page again now and then while one of its rows is unfinished and the window is looked
 * at. Open rows and place stay.
 */
export function useRunningRows<Row extends TaskView, Name extends string>(
  list: List<Row, Name>,
): void {
  const { rows, refetch } = list;
  const running = rows?.some((row) => row.isRunning) === true;
  const refresh = useRef(refetch);
  refresh.current = refetch;
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') refresh.current();
    }, intervalMs);
    return () => clearInterval(timer);
  }, [running]);
}
