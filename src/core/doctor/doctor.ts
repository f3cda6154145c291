/** Examines the site: every check, one after the other. Changes nothing. */
import { type Check, type DoctorDeps, type Examined, runChecks } from './check.ts';
import { databaseChecks } from './database-checks.ts';
import { folderChecks } from './folder-checks.ts';
import { ledgerChecks } from './ledger-checks.ts';
import { lossChecks } from './loss-checks.ts';
import { processChecks } from './process-checks.ts';
import { routingChecks } from './routing-checks.ts';
import { siteChecks, upstreamClockCheck } from './site-checks.ts';

export interface Doctor {
  /** `clockChannel`: also compares the clock with that of this channel's upstream. */
  examine(clockChannel?: number): Promise<readonly Examined[]>;
}

const checks: readonly Check[] = [
  ...folderChecks,
  ...databaseChecks,
  ...ledgerChecks,
  ...processChecks,
  ...siteChecks,
  ...routingChecks,
  ...lossChecks,
];

export function createDoctor(deps: DoctorDeps): Doctor {
  return {
    examine: (clockChannel) =>
      runChecks(
        clockChannel === undefined ? checks : [...checks, upstreamClockCheck(clockChannel)],
        deps,
      ),
  };
}
