/** Entry of the worker threads that own SQLite connections: the database with the rules of money. */
import { planBatch } from './billing/plan/plan-batch.ts';
import { serveSqliteWorker } from './storage/dialects/sqlite-worker-server.ts';

serveSqliteWorker(planBatch);
