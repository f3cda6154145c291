/**
 * Keeps the newest links of the ledger where nobody who changes the database can change them
 * (docs/rules/ledger.md#seals).
 */
import { type Clock, nowSeconds } from '../kernel/clock.ts';
import type { BackgroundJob } from '../runtime/background-job.ts';
import type { OptionStore } from '../site/option-store.ts';
import { appendLine } from '../storage/journal/small-file.ts';
import type { SealState, Storage } from '../storage/storage.ts';
import { readHead } from './ledger-head.ts';

export interface SealDeps {
  readonly chains: Storage['chains'];
  readonly options: Pick<OptionStore, 'get'>;
  /** '': none. */
  readonly sealFile: string;
  readonly sendSigned: (
    body: string,
    target: { readonly url: string; readonly secret: string },
    signal: AbortSignal,
  ) => Promise<void>;
  readonly clock: Clock;
}

/** A place that seals go to, as it stands; without a state nothing was sent yet. */
export interface SealReport {
  readonly target: SealTarget;
  readonly state: SealState | undefined;
}

type SealTarget = 'webhook' | 'file';

/**
 * Seconds between two seals, between two looks whether one is due or has failed, and that one run
 * may take.
 */
export const sealInterval = 3600;
const lookInterval = 60;
const sealTimeout = 50;

const never: SealState = { sealedAt: 0, postingId: 0, triedAt: 0, error: '' };

export function createSeals({ chains, options, sealFile, sendSigned, clock }: SealDeps) {
  const isSet = {
    webhook: () => options.get('ledger.seal_url') !== '',
    file: () => sealFile !== '',
  };
  /**
   * When this process last wrote to its own file: the state in the database is that of all
   * processes.
   */
  let filedAt = 0;

  const deliver = {
    webhook: (line: string, signal: AbortSignal) => {
      const target = {
        url: options.get('ledger.seal_url'),
        secret: options.get('ledger.seal_secret'),
      };
      return sendSigned(line, target, signal);
    },
    file: async (line: string) => {
      await appendLine(sealFile, line);
      filedAt = nowSeconds(clock);
    },
  };

  const seal = async (target: SealTarget, signal: AbortSignal): Promise<void> => {
    const before = (await chains.seal(target)) ?? never;
    const at = nowSeconds(clock);
    const last = target === 'file' ? filedAt : before.sealedAt;
    // A time to come is of a clock that was ahead.
    if (last <= at && at - last < sealInterval) return;
    const head = await readHead(chains, at);
    try {
      await deliver[target](JSON.stringify({ type: 'ledger_seal', ...head }), signal);
    } catch (error) {
      await chains.noteSeal(target, {
        ...before,
        triedAt: at,
        error: error instanceof Error ? error.message : String(error),
      });
      throw error;
    }
    await chains.noteSeal(target, {
      sealedAt: at,
      postingId: head.ledger.id,
      triedAt: at,
      error: '',
    });
  };

  const jobOf = (target: SealTarget, scope: BackgroundJob['scope']): BackgroundJob => ({
    name: `ledger-seal-${target}`,
    interval: () => (isSet[target]() ? lookInterval : 0),
    scope,
    timeout: sealTimeout,
    run: (signal) => seal(target, signal),
  });

  return {
    jobs: [jobOf('webhook', 'gateway'), jobOf('file', 'process')],
    /** The places that are set. */
    report: (): Promise<readonly SealReport[]> => {
      const targets = (['webhook', 'file'] as const).filter((target) => isSet[target]());
      return Promise.all(
        targets.map(async (target) => ({ target, state: await chains.seal(target) })),
      );
    },
  };
}
