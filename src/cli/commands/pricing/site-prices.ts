/** The prices of a site as its gateway calculates them, for commands. */
import { api } from '../../../core/contract/index.ts';
import { type Decimal, decimal } from '../../../core/kernel/decimal.ts';
import { AppError } from '../../../core/kernel/errors.ts';
import { readAdditions } from '../../../core/models/added.ts';
import { knownModels } from '../../../core/models/known-models.ts';
import { type OptionKey, type OptionValue, parseOption } from '../../../core/options/index.ts';
import { withAddedPrices } from '../../../core/pricing/added-prices.ts';
import { catalogueDetails } from '../../../core/pricing/catalogue-details.ts';
import { groupRatioFor } from '../../../core/pricing/find-price.ts';
import {
  buildPriceTables,
  type PriceTables,
  readPriceOptions,
} from '../../../core/pricing/tables.ts';
import { buildVideoRatios, type VideoRatioTable } from '../../../core/pricing/video-ratios.ts';
import type { Flag } from '../../base/flags.ts';
import type { Context } from '../../command/command.ts';

export interface SitePrices {
  readonly tables: PriceTables;
  readonly videoRatios: VideoRatioTable;
  readonly quotaPerUnit: Decimal;
  readonly selfUse: boolean;
}

/** Reads the site's options. */
export async function loadPrices(context: Context): Promise<SitePrices> {
  const rows = new Map(
    (await context.call(api.option.list, {})).map((row) => [row.key, row.value]),
  );
  const read = <K extends OptionKey>(key: K): OptionValue<K> => {
    const text = rows.get(key);
    if (text === undefined) throw new AppError('option_unknown', { key });
    return parseOption(key, text);
  };
  // The gateway's process knows this already; a command of its own does not.
  knownModels.replaceAdded(readAdditions(read('model_sync.learned')));
  const options = readPriceOptions(read);
  const tables = buildPriceTables(
    withAddedPrices(options, knownModels, {
      margin: read('model_sync.margin'),
      quotaPerUnit: read('QuotaPerUnit'),
    }),
    catalogueDetails,
  );
  return {
    tables,
    videoRatios: buildVideoRatios(read('VideoRatios')),
    quotaPerUnit: decimal(read('QuotaPerUnit')),
    selfUse: read('SelfUseModeEnabled'),
  };
}

/**
 * What a user of a group pays in another. Throws AppError group_unknown, where requests fail, too.
 */
export function ratioIn(group: string, { tables }: SitePrices, userGroup = group): Decimal {
  if (!tables.groupRatio.has(group)) throw new AppError('group_unknown', { group });
  return groupRatioFor(userGroup, group, tables);
}

export const groupFlag: Flag = {
  name: 'group',
  kind: 'text',
  summary: { en: 'Group (default: default)', zh: '分组（默认 default）' },
};
