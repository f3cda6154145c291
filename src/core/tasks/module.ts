import type { Commit } from '../audit/commit.ts';
import type { ProviderOptions } from '../canonical/provider.ts';
import type { ProviderRegistry } from '../canonical/registry.ts';
import type { Config } from '../config/schema.ts';
import type { TaskResults } from '../files/results/task-results.ts';
import type { Ids } from '../kernel/ids.ts';
import type { ServiceModule } from '../runtime/service-module.ts';
import type { OptionStore } from '../site/option-store.ts';
import type { Storage } from '../storage/storage.ts';
import type { GuardPolicy } from '../upstream/guard.ts';
import { type Calls, createCalls } from '../upstream/open-upstream.ts';
import { createDrawingImages, type DrawingImages } from './drawing-image.ts';
import { createImageTasks, type ImageTaskDeps, type ImageTasks } from './images/image-tasks.ts';
import { createTaskPoller } from './poll-tasks.ts';
import { createRemoveWork, type RemoveWork } from './remove-work.ts';
import { createTaskEngine, type TaskEngine, type TaskEngineDeps } from './task-engine.ts';
import { createUpstreamStates, type UpstreamStateDeps } from './upstream-states.ts';
import { createVideoTasks, type VideoTasks } from './videos/video-tasks.ts';

/** Seconds. */
const pollInterval = 15;
const pollTimeout = 300;

export interface TasksModuleDeps
  extends Omit<TaskEngineDeps, 'upstreams' | 'storage'>,
    Omit<UpstreamStateDeps, 'upstream' | 'options' | 'storage'> {
  readonly storage: TaskEngineDeps['storage'] &
    UpstreamStateDeps['storage'] &
    Pick<Storage, 'sign' | 'taskResults'>;
  readonly config: Pick<Config, 'allowPrivateUpstream' | 'taskTimeoutMinutes' | 'updateTask'>;
  readonly guard: GuardPolicy;
  readonly providers: ProviderRegistry;
  readonly providerOptions: () => ProviderOptions;
  /** The address of this site, without a trailing slash. */
  readonly baseUrl: () => string;
  readonly results: Pick<TaskResults, 'storedUntil' | 'clean'>;
  readonly commit: Commit;
  readonly options: Pick<OptionStore, 'get'>;
  readonly keepImages: ImageTaskDeps['keepImages'];
  readonly ids: Ids;
  /** Absent: connections under the rules for outgoing requests. */
  readonly upstream?: Calls;
}

export interface TaskServices {
  readonly engine: TaskEngine;
  readonly videos: VideoTasks;
  readonly drawingImages: DrawingImages;
  readonly images: ImageTasks;
  readonly remove: RemoveWork;
  /** One round of the poller, now. */
  readonly poll: (signal: AbortSignal) => Promise<void>;
}

/** Tasks of all platforms: their states, their ends and their refunds. */
export function createTasksModule(deps: TasksModuleDeps): ServiceModule<TaskServices> {
  const { config, guard } = deps;
  const upstream =
    deps.upstream ??
    createCalls(
      config.allowPrivateUpstream ? undefined : { ...guard, allowPrivate: false, ports: [] },
    );
  const upstreams = createUpstreamStates({ ...deps, upstream, options: deps.providerOptions });
  const engine = createTaskEngine({ ...deps, upstreams });
  const poll = createTaskPoller({
    ...deps,
    engine,
    upstreams,
    timeoutMinutes: config.taskTimeoutMinutes,
  });
  const videos = createVideoTasks({ ...deps, engine, sign: deps.storage.sign });
  const drawingImages = createDrawingImages({ ...deps, sign: deps.storage.sign });
  const images = createImageTasks({ ...deps, sign: deps.storage.sign });
  return {
    services: { engine, videos, drawingImages, images, remove: createRemoveWork(deps), poll },
    jobs: [
      {
        name: 'task-poll',
        interval: () => (config.updateTask ? pollInterval : 0),
        scope: 'gateway',
        timeout: pollTimeout,
        run: poll,
      },
    ],
    close: () => upstream.close(),
  };
}
