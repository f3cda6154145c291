import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/logger.ts';
import type { ServiceModule } from '../runtime/service-module.ts';
import type { Listing, PageRequest, Posting, Storage } from '../storage/storage.ts';
import { createDeferredPostings, type DeferredPostings } from './deferred-postings.ts';
import type { Ledger, LedgerVerification } from './ledger.ts';
import { createStatementService, type StatementService } from './statement.ts';
import { sumEverybody } from './statement-sums.ts';

/** What people may ask the ledger. */
export interface BillingServices extends StatementService {
  /** Recomputes every balance from its postings. */
  verify(): Promise<LedgerVerification>;
  /** Newest first; of one user or of all. */
  postings(filter: { readonly userId?: number }, page: PageRequest): Promise<Listing<Posting>>;
  readonly deferred: DeferredPostings;
  readonly queue: Ledger['queue'];
}

export interface BillingModuleDeps {
  readonly storage: Pick<Storage, 'ledger' | 'deferredPostings' | 'statements' | 'quotaData'>;
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Seconds between two runs. */
const finishInterval = 60;
/** Seconds between two runs: what a statement has to sum itself, and what one run may take. */
const sumsInterval = 60;
const sumsTimeout = 300;

/** Resolves when the postings that an earlier process left are posted. */
export async function createBillingModule(deps: BillingModuleDeps): Promise<ServiceModule<BillingServices>> {
  const { storage, ledger, clock } = deps;
  const deferred = createDeferredPostings(deps);
  await deferred.finish();
  return {
    services: {
      verify: () => ledger.verify(),
      postings: (filter, page) => storage.ledger.page(filter, page),
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
    ],
  };
}
