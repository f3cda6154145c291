import type { App } from '../../core/app.ts';
import type { jobsApi } from '../../core/contract/jobs.ts';
import type { nodesApi } from '../../core/contract/nodes.ts';
import { actorOf, type Handlers } from './context.ts';

export function jobHandlers(app: App) {
  return { jobs: backgroundJobHandlers(app), nodes: nodeHandlers(app) };
}

function nodeHandlers({ nodes, nodeWishes }: App): Handlers<typeof nodesApi> {
  return {
    list: async () => (await nodes.list()).map(presentNode),
    drain: async ({ node, stop = false }, context) =>
      (await nodeWishes.request(actorOf(context), node, stop ? 'stop' : 'drain')).map(presentNode),
    resume: async ({ node }, context) =>
      (await nodeWishes.request(actorOf(context), node, '')).map(presentNode),
  };
}

function presentNode(node: Awaited<ReturnType<App['nodes']['list']>>[number]) {
  return {
    id: node.id,
    host: node.host,
    address: node.address,
    data_dir: node.dataDir,
    version: node.version,
    started_at: node.startedAt,
    seen_at: node.seenAt,
    this: node.isThis,
    shared: node.isShared,
    state: node.state || ('serving' as const),
    stopping: node.wish === 'stop',
    under_way: node.underWay,
  };
}

function backgroundJobHandlers({ jobs }: App): Handlers<typeof jobsApi> {
  const seconds = (ms: number) => Math.floor(ms / 1000);
  return {
    list: async () =>
      (await jobs.report()).map(({ name, interval, running, last, nextRunAt, isLate }) => ({
        name,
        interval,
        running,
        last_started_at: seconds(last?.startedAt ?? 0),
        last_duration: (last?.durationMs ?? 0) / 1000,
        last_error: last?.error ?? '',
        next_run_at: seconds(nextRunAt),
        last_succeeded_at: seconds(last?.succeededAt ?? 0),
        late: isLate,
      })),
  };
}
