import type { Clock } from '../kernel/clock.ts';
import type { ServiceModule } from '../runtime/service-module.ts';
import type { Listing, PageRequest, Posting, Storage } from '../storage/storage.ts';
import type { Ledger, LedgerVerification } from './ledger.ts';
import { createStatementService, type StatementService } from './statement.ts';
import { sumEverybody } from './statement-sums.ts';

/** What people may ask the ledger. */
export interface BillingServices extends StatementService {
  /** Recomputes every balance from its postings. */
  verify(): Promise<LedgerVerification>;
  /** Newest first; of one user or of all. */
  postings(filter: { readonly userId?: number }, page: PageRequest): Promise<Listing<Posting>>;
}

export interface BillingModuleDeps {
  readonly storage: Pick<Storage, 'ledger' | 'statements' | 'quotaData'>;
  readonly ledger: Ledger;
  readonly clock: Clock;
}

/** Seconds between two runs: what a statement has to sum itself, and what one run may take. */
const sumsInterval = 60;
const sumsTimeout = 300;

export function createBillingModule({ storage, ledger, clock }: BillingModuleDeps): ServiceModule<BillingServices> {
  return {
    services: {
      verify: () => ledger.verify(),
      postings: (filter, page) => storage.ledger.page(filter, page),
      ...createStatementService({ storage, clock }),
    },
    jobs: [
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
