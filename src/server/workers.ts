/**
 * `--workers N`: several gateway processes behind one port (docs/operate.md#workers). This process
 * owns the data folder and the port and serves nothing itself: it hands out connections, replaces a
 * worker that has died, and renews them one after another.
 */
import cluster, { type Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import { gatewayDataOf, removeGatewayFile, writeGatewayFile } from '../core/config/gateway-file.ts';
import type { Config } from '../core/config/schema.ts';
import { systemIds } from '../core/config/system-ids.ts';
import { AppError } from '../core/kernel/errors.ts';
import { type Logger, partOf } from '../core/kernel/logger.ts';
import { Secret } from '../core/kernel/secret.ts';
import { openSite } from '../core/maintenance/open-site.ts';
import type { Gateway, Place } from './start.ts';

/** To a worker: first where it stands, later how it ends. */
type Order =
  | {
      readonly order: 'start';
      readonly number: number;
      readonly operatorKey: string;
      readonly setupCode?: string | undefined;
    }
  | { readonly order: 'retire' | 'stop' };

/** From a worker that listens. */
type Ready = Pick<Gateway, 'url' | 'separate' | 'setupCode'>;

/** From a worker that is to stop and is empty: nobody replaces it. */
interface Leaving {
  readonly leaves: true;
}

/** The group of processes, as one gateway. */
export interface Workers extends Gateway {
  /**
   * Replaces each worker by a new one, which listens before the old one retires: no request is
   * lost. Stops at the first that does not start, so that the old ones serve on.
   */
  renew(): Promise<void>;
}

/** The first worker has ended before it listened, and has said why. */
export class WorkerFailed extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`a worker ended with exit code ${exitCode}`);
    this.exitCode = exitCode;
  }
}

/** Set in the environment of workers: other programs use node:cluster, too. */
const mark = 'TURNPIKE_WORKER';
/** Milliseconds until a worker that has died is replaced; doubled with each death up to the last. */
const firstPause = 500;
const lastPause = 30_000;
/** Milliseconds that a worker may take to listen, once the first one has migrated the database. */
const startLimit = 120_000;
/** Milliseconds after which a worker counts as healthy. */
const healthyAfter = 60_000;

/**
 * Starts them. Rejects with AppError workers_need_postgres and what `openSite` throws, and with
 * {@link WorkerFailed} when the first one does not start.
 */
export async function startWorkers(config: Config, log: Logger): Promise<Workers> {
  const logger = partOf(log, 'server');
  if (config.databaseUrl === '' || config.redisUrl === '')
    throw new AppError('workers_need_postgres');
  const { lock } = await openSite(config, { migrates: true });
  const operatorKey = new Secret(systemIds.base64url(32));
  const running = new Map<number, Worker>();
  /** All workers were to stop, and have. */
  const lastLeft = Promise.withResolvers<void>();
  /**
   * Those that end on request: nobody replaces them. Node's own mark, `exitedAfterDisconnect`, would
   * keep one that is just starting from ever listening, and so from ending.
   */
  const leaving = new WeakSet<Worker>();
  const stopping = new AbortController();
  let isServing = false;
  let setupCode: string | undefined;

  const freeNumber = (): number => {
    let number = 1;
    while (running.has(number)) number += 1;
    return number;
  };

  /** Resolves when it listens. */
  const start = (deaths = 0): Promise<Ready> =>
    new Promise((resolve, reject) => {
      const number = freeNumber();
      const startedAt = Date.now();
      const worker = cluster.fork({ [mark]: '1' });
      running.set(number, worker);
      let isReady = false;
      let leaves = false;
      const late = setTimeout(
        () => isServing && worker.process.kill('SIGKILL'),
        startLimit,
      ).unref();
      const forget = (code: number): void => {
        clearTimeout(late);
        if (running.get(number) === worker) running.delete(number);
        reject(new WorkerFailed(code));
      };
      worker.once('message', (ready: Ready) => {
        clearTimeout(late);
        isReady = true;
        resolve(ready);
      });
      worker.on('message', (message: Ready | Leaving) => {
        if (!('leaves' in message)) return;
        leaves = true;
        leaving.add(worker);
      });
      worker.on('error', (error) => {
        // A message to a worker that is just dying.
        if (worker.process.pid !== undefined)
          return logger.warn({ error, number }, 'a worker was not reached');
        // There is no process, so that no exit follows: no descriptor is free, or node is gone.
        logger.error({ error, number }, 'a worker could not be started');
        forget(1);
      });
      worker.once('exit', (code, signal) => {
        forget(code || 1);
        if (leaves && running.size === 0) lastLeft.resolve();
        if (!isReady || stopping.signal.aborted || leaving.has(worker)) return;
        logger.error({ number, code, signal }, 'a worker has died and is replaced');
        const isHealthy = Date.now() - startedAt > healthyAfter;
        void replace(isHealthy ? 0 : deaths);
      });
      if (worker.process.pid === undefined) return;
      const order: Order = {
        order: 'start',
        number,
        operatorKey: operatorKey.reveal(),
        setupCode,
      };
      worker.send(order);
    });

  /** Tries again until one listens. Never rejects. */
  const replace = async (deaths: number): Promise<void> => {
    for (let tries = deaths; !stopping.signal.aborted; tries += 1) {
      // It keeps this process alive, also where no worker is left.
      const pause = Math.min(lastPause, firstPause * 2 ** tries);
      await sleep(pause, undefined, stopping).catch(() => undefined);
      if (stopping.signal.aborted) return;
      const error = await start(tries + 1).then(
        () => undefined,
        (failure: unknown) => failure,
      );
      if (error === undefined) return;
      logger.error({ error }, 'a worker did not start; it is tried again');
    }
  };

  const ended = (worker: Worker): Promise<void> =>
    worker.isDead() ? Promise.resolve() : new Promise((resolve) => worker.once('exit', resolve));

  const send = (worker: Worker, order: 'retire' | 'stop'): Promise<void> => {
    const end = ended(worker);
    leaving.add(worker);
    if (worker.isConnected()) worker.send({ order } satisfies Order);
    return end;
  };

  const renewAll = async (): Promise<void> => {
    for (const worker of [...running.values()]) {
      if (stopping.signal.aborted) return;
      try {
        await start();
      } catch (error) {
        logger.error({ error }, 'a new worker did not start; the old ones serve on');
        return;
      }
      await send(worker, 'retire');
    }
    logger.info({ count: running.size }, 'all workers were renewed');
  };

  const first = await start().catch((error: unknown) => {
    lock.abandon();
    throw error;
  });
  ({ setupCode } = first);
  isServing = true;
  const { url } = first;
  writeGatewayFile(config.dataDir, {
    url,
    pid: process.pid,
    key: operatorKey,
    data: gatewayDataOf(config),
  });
  const others = Array.from({ length: config.workers - 1 }, () => start());
  for (const result of await Promise.allSettled(others))
    if (result.status === 'rejected') void replace(0);

  let renewing: Promise<void> = Promise.resolve();
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    stopping.abort();
    removeGatewayFile(config.dataDir);
    await Promise.all([...running.values()].map((worker) => send(worker, 'stop')));
    lock.release();
  };
  return {
    url,
    dataDir: config.dataDir,
    separate: first.separate,
    setupCode,
    died: new Promise(() => undefined),
    stopped: lastLeft.promise,
    leave: async () => undefined, // each worker does it
    renew: () => {
      renewing = renewing.then(renewAll);
      return renewing;
    },
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}

export interface WorkerRole {
  readonly place: Place;
  /** Says that this one listens. */
  ready(gateway: Gateway): void;
  /** Says that it ends on request. */
  leaving(): void;
  /** It is to retire. */
  readonly retired: Promise<void>;
  /** It is to stop, also while it retires. */
  readonly stopped: Promise<void>;
  /** Lets the process end: after its gateway has closed. */
  leave(): void;
}

/** What this process does as a worker; undefined: it is none. */
export async function findWorkerRole(): Promise<WorkerRole | undefined> {
  const { worker } = cluster;
  if (worker === undefined || process.env[mark] === undefined) return undefined;
  const first = Promise.withResolvers<Extract<Order, { order: 'start' }>>();
  const ends = { retire: Promise.withResolvers<void>(), stop: Promise.withResolvers<void>() };
  worker.on('message', (message: Order) => {
    if (message.order === 'start') first.resolve(message);
    else ends[message.order].resolve();
  });
  const { number, operatorKey, setupCode } = await first.promise;
  return {
    place: { number, operatorKey: new Secret(operatorKey), setupCode },
    ready: ({ url, separate, setupCode: shown }) =>
      worker.send({ url, separate, setupCode: shown } satisfies Ready),
    leaving: () => void worker.send({ leaves: true } satisfies Leaving),
    retired: ends.retire.promise,
    stopped: ends.stop.promise,
    leave: () => {
      worker.exitedAfterDisconnect = true;
      process.disconnect();
    },
  };
}
