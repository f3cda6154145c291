import type { Audit } from '../audit/audit-log.ts';
import type { Cluster } from '../cluster/cluster.ts';
import type { Config } from '../config/schema.ts';
import type { Actor } from '../kernel/actor.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Ids } from '../kernel/ids.ts';
import type { Logger } from '../kernel/logger.ts';
import type { ServiceModule } from '../runtime/service-module.ts';
import type { FileSum, Listing, PageRequest, Storage, Task, Upload } from '../storage/storage.ts';
import type { GuardPolicy } from '../upstream/guard.ts';
import type { ContentReply, ContentRequest } from './content-reply.ts';
import { bindForUpstream, type ForUpstream } from './for-upstream.ts';
import { createForeignFiles, type ForeignFiles } from './foreign/foreign-files.ts';
import { bindFindIcon, type FindIcon, type IconDeps } from './foreign/icons.ts';
import { bindOpenUpload } from './open-upload.ts';
import { bindKeepImages, type ImageOwner, type MadeImage } from './results/keep-images.ts';
import { bindStoreResults } from './results/store-results.ts';
import { createTaskResults, type TaskResults } from './results/task-results.ts';
import { bindSaveImages, type SaveImages } from './save-images.ts';
import { createSignedLinks } from './signed-links.ts';
import type { FileStore } from './store/file-store.ts';
import { createLocalStore } from './store/local-store.ts';
import { uploadPrefix } from './store/paths.ts';
import { createUploadCleaning } from './upload-cleaning.ts';

export interface FilesModuleDeps {
  readonly config: Pick<Config, 'uploadDir' | 'storeTaskResults' | 'taskResultDays'>;
  readonly storage: Storage;
  readonly audit: Audit;
  readonly cluster: Pick<Cluster, 'counter'>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly guard: GuardPolicy;
  /** The address of this site, without a trailing slash. */
  readonly baseUrl: () => string;
  /** Where the upstream has the result of a finished task; '': nowhere. */
  readonly sourceOf: (task: Task) => string;
  readonly isIcon: IconDeps['isIcon'];
  /** Absent: the upload folder. */
  readonly store?: FileStore;
}

export interface FileServices {
  readonly saveImages: SaveImages;
  readonly forUpstream: ForUpstream;
  /** An upload by its path behind `/uploads/`; null if there is none. */
  openUpload(path: string, request: ContentRequest): Promise<ContentReply | null>;
  /** Deletes what has expired and what belongs to deleted users. Returns the number of files. */
  clean(signal?: AbortSignal): Promise<number>;
  /** The same for an administrator, with an entry in the audit log. */
  cleanFor(actor: Actor): Promise<number>;
  /** Uploads of one user or of all, newest first. */
  page(
    userId: number | undefined,
    page: PageRequest,
  ): Promise<Listing<Upload & { readonly url: string }>>;
  usage(): Promise<{ readonly uploads: FileSum; readonly results: FileSum }>;
  /**
   * Deletes the files of a user whose account was deleted. Never rejects: what is left is found by
   * the next clean-up.
   */
  deleteOf(userId: number): Promise<void>;
  readonly results: TaskResults;
  /** Keeps the images of an order under the numbers from 1. Never rejects. */
  keepImages(owner: ImageOwner, images: readonly MadeImage[]): Promise<void>;
  readonly foreign: ForeignFiles;
  readonly findIcon: FindIcon;
}

/** Seconds. */
const cleaningInterval = 3600;
const cleaningTimeout = 600;
const storingInterval = 30;
const storingTimeout = 3600;
/**
 * Milliseconds after the last write until a draft counts as left by a process that died: more than
 * any download may take.
 */
const draftLife = 3_600_000;

/** Uploaded images, and copies of what finished tasks made (docs/rules/files.md). */
export function createFilesModule(deps: FilesModuleDeps): ServiceModule<FileServices> {
  const { config, storage, clock, ids, cluster } = deps;
  const store = deps.store ?? createLocalStore(config.uploadDir, ids);
  const saveImages = bindSaveImages({ ...deps, store, counter: cluster.counter('uploads') });
  const results = createTaskResults({ ...deps, store });
  const cleaning = createUploadCleaning({ ...deps, store, results });
  const clean = async (signal?: AbortSignal, failures?: unknown[]) => {
    await store.deleteDrafts(clock.now() - draftLife);
    return (await cleaning.run(signal, failures)) + (await results.clean(signal, failures));
  };
  const storeResults = bindStoreResults({ ...deps, store, days: config.taskResultDays });
  return {
    services: {
      saveImages,
      forUpstream: bindForUpstream({
        store,
        saveImages,
        discard: cleaning.discard,
        guard: deps.guard,
      }),
      openUpload: bindOpenUpload(store),
      clean,
      cleanFor: async (actor) => {
        const deleted = await clean();
        await deps.audit.record(actor, 'files.clean', '', { deleted });
        return deleted;
      },
      page: async (userId, page) => {
        const { items, total } = await storage.uploads.page(userId, page);
        return {
          items: items.map((upload) => ({ ...upload, url: `${uploadPrefix}${upload.path}` })),
          total,
        };
      },
      usage: async () => ({
        uploads: await storage.uploads.sum(),
        results: await storage.taskResults.sum(),
      }),
      deleteOf: cleaning.deleteOf,
      results,
      keepImages: bindKeepImages({ ...deps, store, days: config.taskResultDays }),
      foreign: createForeignFiles({
        links: createSignedLinks({ sign: storage.sign, clock }),
        guard: deps.guard,
        counter: cluster.counter('foreign files'),
      }),
      findIcon: bindFindIcon(deps),
    },
    jobs: [
      {
        name: 'clean-uploads',
        interval: () => cleaningInterval,
        scope: 'gateway',
        timeout: cleaningTimeout,
        run: async (signal) => {
          const failures: unknown[] = [];
          await clean(signal, failures);
          // Seen where jobs are: the list of jobs, the dashboard, doctor.
          if (failures.length > 0)
            throw new Error(`${failures.length} files could not be deleted, first: ${failures[0]}`);
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
