export type { DeferredPostings, OwedPosting } from './deferred-postings.ts';
export type {
  BudgetWindow,
  ChargeRequest,
  Hold,
  HoldRequest,
  Ledger,
  LedgerVerification,
  NewLog,
  PostingRequest,
  RefundRequest,
  TightestWindow,
} from './ledger.ts';
export { windowIds } from './ledger.ts';
export { createMemoryLedger, type MemoryLedgerDeps } from './memory-ledger.ts';
export { createNotedHead, notedHeadPath } from './noted-head.ts';
export { planBatch } from './plan/plan-batch.ts';
export { createPostgresLedger, type PostgresLedgerDeps } from './postgres-ledger.ts';
export { type ChargeRecovery, recoverCharges } from './recover-charges.ts';
