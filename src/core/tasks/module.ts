import type { ServiceModule } from '../runtime/service-module.ts';
import { createTaskPoller, type TaskPollerDeps } from './task-poller.ts';

/** Seconds. */
const pollInterval = 15;
const pollTimeout = 300;

/** Tasks of the registered platforms. Without a platform there is nothing to poll. */
export function createTasksModule(deps: TaskPollerDeps): ServiceModule<object> {
  if (deps.platforms.length === 0) return { services: {} };
  const poll = createTaskPoller(deps);
  return {
    services: {},
    jobs: [{ name: 'task-poll', interval: () => pollInterval, scope: 'gateway', timeout: pollTimeout, run: poll }],
  };
}
