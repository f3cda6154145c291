/** A check of the doctor: what it looks at, and what it says of what it finds. */
import type { LedgerVerification } from '../billing/index.ts';
import type { BillingServices } from '../billing/module.ts';
import type { CatalogServices } from '../catalog/module.ts';
import type { EndingModel } from '../channels/model-ends.ts';
import type { Config } from '../config/schema.ts';
import { translate } from '../i18n/translate.ts';
import type { Clock } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Text } from '../kernel/text.ts';
import type { LossServices } from '../losses/module.ts';
import type { JobReport } from '../runtime/background-job.ts';
import type { Nodes } from '../runtime/nodes.ts';
import type { OptionStore } from '../site/option-store.ts';
import type { Channel, Storage } from '../storage/storage.ts';

/** What checks need that look at the machine, also where the site cannot be opened. */
export interface FolderDeps {
  readonly config: Config;
  readonly clock: Clock;
}

export interface DoctorDeps extends FolderDeps {
  readonly databaseType: 'sqlite' | 'postgres';
  readonly storage: Pick<Storage, 'diagnosis' | 'channels' | 'tokens' | 'setups'>;
  readonly options: Pick<OptionStore, 'get' | 'values'>;
  readonly catalog: Pick<CatalogServices, 'listPricing' | 'groupNames'>;
  readonly losses: Pick<LossServices, 'list' | 'belowCost'>;
  /** Models of enabled channels that have ended or soon will. */
  readonly endingModels: () => readonly EndingModel[];
  readonly isCircuitOpen: (channelId: number) => boolean;
  /** Whether this process is the gateway, not a command on the stopped folder. */
  readonly isServing: () => boolean;
  /** Files and connections that the process may have open; undefined: unknown. */
  readonly openFileLimit: () => number | undefined;
  readonly redisVersion: (url: string) => Promise<string>;
  /** Background jobs that should have succeeded again by now. */
  readonly lateJobs: () => Promise<readonly JobReport[]>;
  /** The gateways that serve the database. */
  readonly nodes: Nodes['list'];
  /** The address of a channel's upstream; '' if it has none of its own. */
  readonly baseUrlOf: (channel: Channel) => string;
  /** Whether settlements can be written; `failure`: why not. */
  readonly ledgerQueue: () => { readonly stalled: boolean; readonly failure?: AppError };
  /** The books: differences, and holds that belong to no request. */
  readonly verifyLedger: () => Promise<Pick<LedgerVerification, 'drifts' | 'staleHolds' | 'chain'>>;
  /** Where the newest link of the ledger is kept elsewhere. */
  readonly seals: BillingServices['seals'];
  /** Sends a GET request; at most five seconds. */
  readonly fetch: (url: string) => Promise<{
    readonly ok: boolean;
    readonly status: number;
    readonly date: string | null;
    readonly text: string;
  }>;
}

export type Level = 'ok' | 'warning' | 'problem';

/**
 * One thing that was found: what it is, what follows from it, and the command or setting that mends
 * it.
 */
export interface Finding {
  readonly level: Exclude<Level, 'ok'>;
  readonly message: Text;
  readonly why: Text;
  readonly mend: Text;
}

export interface Check<Deps = DoctorDeps> {
  readonly id: string;
  /** What it looks at. */
  readonly title: Text;
  /** ms that it may take; absent: {@link usualLimit}. */
  readonly limit?: number;
  /** What is wrong; none: nothing. A thrown error is a problem, too. Changes nothing. */
  run(deps: Deps): Promise<readonly Finding[]>;
}

/** A line of the report. The other texts are empty where nothing was found. */
export interface Examined {
  readonly id: string;
  readonly title: Text;
  readonly level: Level;
  readonly message: Text;
  readonly why: Text;
  readonly mend: Text;
}

const nothing: Text = { en: '', zh: '' };

/** ms that a check may take; that reads a whole database. */
const usualLimit = 30_000;
export const longLimit = 120_000;

/** Runs checks one after the other, also where one of them does not end. Never rejects. */
export async function runChecks<Deps>(
  checks: readonly Check<Deps>[],
  deps: Deps,
): Promise<readonly Examined[]> {
  const report: Examined[] = [];
  for (const { id, title, run, limit = usualLimit } of checks) {
    const found = await within(limit, run(deps)).catch((error: unknown) => [failed(error)]);
    if (found.length === 0)
      report.push({ id, title, level: 'ok', message: nothing, why: nothing, mend: nothing });
    report.push(...found.map((finding) => ({ id, title, ...finding })));
  }
  return report;
}

async function within<T>(limit: number, work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no reply within ${limit / 1000} s`)), limit);
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** The words of an error, in both languages where it has them. */
export function wordsOf(error: unknown): Text {
  if (error instanceof AppError) {
    const words = (language: 'en' | 'zh') =>
      translate(language, `error.${error.code}`, error.params);
    return { en: words('en'), zh: words('zh') };
  }
  const text = error instanceof Error ? error.message : String(error);
  return { en: text, zh: text };
}

function failed(error: unknown): Finding {
  const cause = wordsOf(error);
  return problem(
    { en: `The check failed: ${cause.en}`, zh: `检查失败：${cause.zh}` },
    { en: 'What it looks at is unknown', zh: '无法得知该项的状态' },
    { en: 'See the process log, and try again', zh: '请查看进程日志后重试' },
  );
}

/** At most this many names stand in a message. */
const shownNames = 8;
export function nameList(names: readonly string[]): string {
  return names.length <= shownNames
    ? names.join(', ')
    : `${names.slice(0, shownNames).join(', ')}, … (${names.length})`;
}

export const warning = (message: Text, why: Text, mend: Text): Finding => ({
  level: 'warning',
  message,
  why,
  mend,
});
export const problem = (message: Text, why: Text, mend: Text): Finding => ({
  level: 'problem',
  message,
  why,
  mend,
});
