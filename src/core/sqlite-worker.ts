/** Entry of the worker threads that own SQLite connections: with the billing rules for postings. */
import { planBatch } from './billing/plan/plan-batch.ts';
import { serveSqliteWorker } from './storage/dialects/sqlite-worker-server.ts';

serveSqliteWorker(planBatch);
