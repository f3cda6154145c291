import type { Loss } from '../report.ts';
import { channelsMapping } from './channels.ts';
import { logsMapping } from './logs.ts';
import type { TableMapping } from './mapping.ts';
import { redemptionsMapping } from './redemptions.ts';
import { midjourneysMapping, tasksMapping } from './tasks.ts';
import { tokensMapping } from './tokens.ts';
import { topUpsMapping } from './top-ups.ts';
import { usersMapping } from './users.ts';

/** In the order in which they are written: users before what belongs to them. */
export const tableMappings: readonly TableMapping[] = [
  usersMapping,
  channelsMapping,
  tokensMapping,
  redemptionsMapping,
  topUpsMapping,
  midjourneysMapping,
  tasksMapping,
  logsMapping,
];

/** Tables that are read otherwise, or that we derive: not reported as left out. */
export const coveredTables: ReadonlySet<string> = new Set([
  ...tableMappings.map(({ source }) => source),
  'options',
  'quota_data',
  'two_fas',
  'passkey_credentials',
  'setups',
  'abilities',
]);

/** Tables without a counterpart whose rows matter to customers. */
export const unreplacedTables: ReadonlyMap<string, Loss> = new Map([
  ['two_fa_backup_codes', 'recovery_codes'],
  ['user_subscriptions', 'subscriptions'],
]);
