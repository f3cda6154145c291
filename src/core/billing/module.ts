import type { ServiceModule } from '../runtime/service-module.ts';
import type { Listing, PageRequest, Posting, Storage } from '../storage/storage.ts';
import type { Ledger, LedgerVerification } from './ledger.ts';

/** What people may ask the ledger. */
export interface BillingServices {
  /** Recomputes every balance from its postings. */
  verify(): Promise<LedgerVerification>;
  /** Newest first; of one user or of all. */
  postings(filter: { readonly userId?: number }, page: PageRequest): Promise<Listing<Posting>>;
}

export interface BillingModuleDeps {
  readonly storage: Pick<Storage, 'ledger'>;
  readonly ledger: Ledger;
}

export function createBillingModule({ storage, ledger }: BillingModuleDeps): ServiceModule<BillingServices> {
  return {
    services: {
      verify: () => ledger.verify(),
      postings: (filter, page) => storage.ledger.page(filter, page),
    },
  };
}
