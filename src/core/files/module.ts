import type { Cluster } from '../cluster/cluster.ts';
import type { Config } from '../config/schema.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Ids } from '../kernel/ids.ts';
import type { Logger } from '../kernel/logger.ts';
import type { ServiceModule } from '../runtime/service-module.ts';
import type { Storage, Task } from '../storage/storage.ts';
import type { GuardPolicy } from '../upstream/guard.ts';
import type { ContentReply, ContentRequest } from './content-reply.ts';
import { bindForUpstream, type ForUpstream } from './for-upstream.ts';
import { bindOpenUpload } from './open-upload.ts';
import { bindStoreResults } from './results/store-results.ts';
import { createTaskResults, type TaskResults } from './results/task-results.ts';
import { bindSaveImages, type SaveImages } from './save-images.ts';
import type { FileStore } from './store/file-store.ts';
import { createLocalStore } from './store/local-store.ts';
import { createUploadCleaning, type UploadCleaning } from './upload-cleaning.ts';

export interface FilesModuleDeps {
  readonly config: Pick<Config, 'uploadDir' | 'storeTaskResults' | 'taskResultDays'>;
  readonly storage: Storage;
  readonly cluster: Pick<Cluster, 'counter'>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly guard: GuardPolicy;
  /** The address of this site, without a trailing slash. */
  readonly baseUrl: () => string;
  /** Where the upstream has the result of a finished task; '': nowhere. */
  readonly sourceOf: (task: Task) => string;
  /** Absent: the upload folder. */
  readonly store?: FileStore;
}

export interface FileServices {
  readonly saveImages: SaveImages;
  readonly forUpstream: ForUpstream;
  /** An upload by its path behind `/uploads/`; null if there is none. */
  openUpload(path: string, request: ContentRequest): Promise<ContentReply | null>;
  readonly cleaning: UploadCleaning;
  readonly results: TaskResults;
}

/** Seconds. */
const cleaningInterval = 3600;
const cleaningTimeout = 600;
const storingInterval = 30;
const storingTimeout = 3600;
/** Milliseconds after the last write until a draft counts as left by a process that died: more than any download may take. */
const draftLife = 3_600_000;

/** Uploaded images, and copies of what finished tasks made (docs/rules/files.md). */
export function createFilesModule(deps: FilesModuleDeps): ServiceModule<FileServices> {
  const { config, clock, ids, cluster } = deps;
  const store = deps.store ?? createLocalStore(config.uploadDir, ids);
  const saveImages = bindSaveImages({ ...deps, store, counter: cluster.counter('uploads') });
  const cleaning = createUploadCleaning({ ...deps, store });
  const results = createTaskResults({ ...deps, store });
  const storeResults = bindStoreResults({ ...deps, store, days: config.taskResultDays });
  return {
    services: {
      saveImages,
      forUpstream: bindForUpstream({ store, saveImages, guard: deps.guard }),
      openUpload: bindOpenUpload(store),
      cleaning,
      results,
    },
    jobs: [
      {
        name: 'clean-uploads',
        interval: () => cleaningInterval,
        scope: 'gateway',
        timeout: cleaningTimeout,
        run: async (signal) => {
          await cleaning.run(signal);
          await results.clean(signal);
          await store.deleteDrafts(clock.now() - draftLife);
        },
      },
      {
        name: 'store-results',
        interval: () => (config.storeTaskResults ? storingInterval : 0),
        scope: 'gateway',
        timeout: storingTimeout,
        run: storeResults,
      },
    ],
  };
}
