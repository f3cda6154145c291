/** A check of the doctor: what it looks at, and what it says of what it finds. */
import type { CatalogServices } from '../catalog/module.ts';
import type { Config } from '../config/schema.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Text } from '../kernel/text.ts';
import type { OptionStore } from '../site/option-store.ts';
import type { Storage } from '../storage/storage.ts';

export interface DoctorDeps {
  readonly config: Pick<Config, 'dataDir'>;
  readonly databaseType: 'sqlite' | 'postgres';
  readonly storage: Pick<Storage, 'diagnosis' | 'channels' | 'tokens' | 'setups'>;
  readonly options: Pick<OptionStore, 'get' | 'values'>;
  readonly catalog: Pick<CatalogServices, 'listPricing' | 'groupNames'>;
  readonly clock: Clock;
  readonly isCircuitOpen: (channelId: number) => boolean;
  /** The books: differences, and holds that belong to no request. */
  readonly verifyLedger: () => Promise<{ readonly drifts: readonly unknown[]; readonly staleHolds: number }>;
  /** Sends a GET request; at most five seconds. */
  readonly fetch: (
    url: string,
  ) => Promise<{ readonly ok: boolean; readonly status: number; readonly date: string | null; readonly text: string }>;
}

export type Level = 'ok' | 'warning' | 'problem';

/** One thing that was found: what it is, and the sentence that mends it. */
export interface Finding {
  readonly level: Exclude<Level, 'ok'>;
  readonly message: Text;
  readonly mend: Text;
}

export interface Check {
  readonly id: string;
  /** What it looks at. */
  readonly title: Text;
  /** What is wrong; none: nothing. A thrown error is a problem, too. */
  run(deps: DoctorDeps): Promise<readonly Finding[]>;
}

/** At most this many names stand in a message. */
const shownNames = 8;
export function nameList(names: readonly string[]): string {
  return names.length <= shownNames ? names.join(', ') : `${names.slice(0, shownNames).join(', ')}, … (${names.length})`;
}

export const warning = (message: Text, mend: Text): Finding => ({ level: 'warning', message, mend });
export const problem = (message: Text, mend: Text): Finding => ({ level: 'problem', message, mend });
