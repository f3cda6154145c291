export type {
  ChargeRequest,
  Hold,
  HoldRequest,
  Ledger,
  LedgerVerification,
  NewLog,
  PostingGuard,
  PostingRequest,
} from './ledger.ts';
export { createMemoryLedger, type MemoryLedgerParts } from './memory-ledger.ts';
export { createPostgresLedger, type PostgresLedgerParts } from './postgres-ledger.ts';
