import { type Clock, nowSeconds } from '../kernel/clock.ts';
import type { Logger } from '../kernel/logger.ts';
import type { ServiceModule } from '../runtime/service-module.ts';
import type { LedgerFilter, Listing, PageRequest, Posting, Storage } from '../storage/storage.ts';
import { createDeferredPostings, type DeferredPostings } from './deferred-postings.ts';
import type { Ledger, LedgerVerification } from './ledger.ts';
import { findUnsealed, type LedgerHead, readHead, type SealBreak } from './ledger-head.ts';
import { createSeals, type SealDeps, type SealReport } from './seals.ts';
import { createStatementService, type StatementService } from './statement.ts';
import { sumEverybody } from './statement-sums.ts';
import { type SubjectStorage, type Subjects, subjectsOf } from './subjects.ts';

/** What people may ask the ledger. */
export interface BillingServices extends StatementService {
  /** Recomputes every balance from its postings, and follows their chain. */
  verify(): Promise<LedgerVerification>;
  /** The newest links, for keeping elsewhere. */
  head(): Promise<LedgerHead>;
  /** Where the ledger is not as it was when these were its newest links. */
  checkSeals(seals: readonly LedgerHead[]): Promise<readonly SealBreak[]>;
  /** Where seals go, and how the last ones went. */
  seals(): Promise<readonly SealReport[]>;
  /** Newest first; of one user or of all. */
  postings(filter: LedgerFilter, page: PageRequest): Promise<Listing<Posting>>;
  /** What postings are about; `forAdmins`: with the names of people. */
  subjects(postings: readonly Posting[], forAdmins: boolean): Promise<Subjects>;
  readonly deferred: DeferredPostings;
  readonly queue: Ledger['queue'];
}

export interface BillingModuleDeps {
  readonly storage: SubjectStorage &
    Pick<Storage, 'ledger' | 'chains' | 'deferredPostings' | 'statements' | 'quotaData'>;
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly options: SealDeps['options'];
  readonly sealFile: SealDeps['sealFile'];
  readonly sendSigned: SealDeps['sendSigned'];
}

/** Seconds between two looks for new links, and what one may take. */
const headInterval = 10;
/** Seconds between two runs. */
const finishInterval = 60;
/** Seconds between two runs: what a statement has to sum itself, and what one run may take. */
const sumsInterval = 60;
const sumsTimeout = 300;

/** Resolves when the postings that an earlier process left are posted. */
export async function createBillingModule(
  deps: BillingModuleDeps,
): Promise<ServiceModule<BillingServices>> {
  const { storage, ledger, clock } = deps;
  const { chains } = storage;
  const seals = createSeals({ ...deps, chains });
  const deferred = createDeferredPostings(deps);
  // The job tries again what cannot be posted: it keeps no gateway from starting.
  await deferred
    .finish()
    .catch((error: unknown) => deps.logger.error({ error }, 'deferred postings are left'));
  return {
    services: {
      verify: () => ledger.verify(),
      head: () => readHead(chains, nowSeconds(clock)),
      checkSeals: (heads) => findUnsealed(chains, heads),
      seals: seals.report,
      postings: (filter, page) => storage.ledger.page(filter, page),
      subjects: (postings, forAdmins) => subjectsOf(storage, postings, forAdmins),
      ...createStatementService({ storage, clock }),
      deferred,
      queue: () => ledger.queue(),
    },
    jobs: [
      {
        name: 'deferred-postings',
        interval: () => finishInterval,
        scope: 'gateway',
        timeout: finishInterval,
        run: (signal) => deferred.finish(signal),
      },
      {
        name: 'statements',
        interval: () => sumsInterval,
        scope: 'gateway',
        timeout: sumsTimeout,
        run: (signal) => sumEverybody(storage, clock, signal),
      },
      {
        name: 'ledger-head',
        interval: () => headInterval,
        // Each process notes it in its own data folder.
        scope: 'process',
        timeout: headInterval,
        run: () => ledger.noteHead(),
      },
      ...seals.jobs,
    ],
  };
}
