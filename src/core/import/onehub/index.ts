/** A site of one-hub (docs/rules/import.md#one-hub): One API's tables, and what it has otherwise. */
import { coveredTables } from '../mapping/index.ts';
import { redemptionsMapping } from '../mapping/redemptions.ts';
import { carryOneApi } from '../one-api-site.ts';
import type { Loss } from '../report.ts';
import type { CarriedSite, Run } from '../run-context.ts';
import { channelsOfOneHub } from './channels.ts';
import { carryGroups, limitGroups } from './groups.ts';
import { logsOfOneHub } from './logs.ts';
import { readOldSite } from './old-site.ts';
import { optionsOfOneHub, unusedOptions } from './options.ts';
import { ordersFrom } from './orders.ts';
import { carryPrices } from './prices.ts';
import { drawingsOfOneHub, tasksOfOneHub } from './tasks.ts';
import { tokensFrom } from './tokens.ts';
import { usersOfOneHub } from './users.ts';

/** Tables that are read, or that nothing is lost without: not reported as left out. */
export const coveredOneHub: ReadonlySet<string> = new Set([
  ...coveredTables,
  'prices',
  'user_groups',
  'orders',
  // Which of its migrations were run, and sums of the log by day and month.
  'migrations',
  'statistics',
  'statistics_months',
  'statistics_month_generated_histories',
]);

/** Tables without a counterpart whose rows matter to customers. */
export const lossesOfOneHub: ReadonlyMap<string, Loss> = new Map([
  ['webauthn_credentials', 'passkeys'],
]);

export async function carryOneHub(run: Run): Promise<CarriedSite> {
  const { storage } = run;
  const site = await readOldSite(run);
  const set = new Set((await storage?.options.list())?.map(({ key }) => key));
  const groups = carryGroups(site, set);
  const prices = carryPrices(site, set);
  const carried = await carryOneApi(run, {
    mappings: [
      usersOfOneHub,
      channelsOfOneHub,
      tokensFrom(site),
      redemptionsMapping,
      ordersFrom(site),
      drawingsOfOneHub,
      tasksOfOneHub,
      logsOfOneHub,
    ],
    options: optionsOfOneHub(site.options),
    derived: [...groups.options, ...prices.options],
    unused: unusedOptions,
  });
  if (storage !== null && groups.report.carried > 0)
    await limitGroups(site, storage, Math.floor(run.clock.now() / 1000));
  return { ...carried, reports: [...carried.reports, groups.report, prices.report] };
}
