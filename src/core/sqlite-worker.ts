/** Entry of the worker threads that own SQLite connections: with the billing rules for postings. */
import { parentPort, workerData } from 'node:worker_threads';
import { planBatch } from './billing/plan/plan-batch.ts';
import { serveSqliteWorker } from './storage/dialects/sqlite-worker-server.ts';

if (parentPort === null) throw new Error('the SQLite worker runs as a worker thread only');
serveSqliteWorker(parentPort, workerData, planBatch);
