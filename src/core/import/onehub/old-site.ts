/** What several tables of a one-hub site need of each other, read before any of them is written. */
import { isObject, parseObject } from '../../kernel/json.ts';
import { toDecimal, toDeletedAt, toFlag, toInteger, toTrimmed } from '../convert.ts';
import { readOptions } from '../one-api-site.ts';
import { rowsOf } from '../rows-of.ts';
import type { Run } from '../run-context.ts';

/** A row of `user_groups`. */
export interface OldGroup {
  readonly symbol: string;
  readonly name: string;
  readonly ratio: number;
  /** Requests per minute, of each user in the group. */
  readonly rate: number;
  /** Its users may choose it for their tokens. */
  readonly isPublic: boolean;
  /** Users come into it by what they pay. */
  readonly isPromotion: boolean;
  readonly isEnabled: boolean;
}

/** A row of `prices`. */
export interface OldPrice {
  /** A name, or the beginning of names and `*`. */
  readonly model: string;
  readonly isPerCall: boolean;
  /** The vendor, by its channel type. */
  readonly channelType: number;
  /** Quota of a token; of 1,000 of a call. */
  readonly input: number;
  readonly output: number;
  /** Of some tokens, over those of their side. */
  readonly ratios: Readonly<Record<string, number>>;
}

/** What a channel sells, by the name that is requested: the name that is priced. */
export interface OldOffer {
  readonly channelType: number;
  readonly models: ReadonlyMap<string, string>;
}

export interface OldSite {
  readonly options: ReadonlyMap<string, string>;
  readonly groups: readonly OldGroup[];
  readonly prices: readonly OldPrice[];
  readonly offers: readonly OldOffer[];
  /** The user's group, by user. */
  readonly homes: ReadonlyMap<number, string>;
  /** What payers chose, by payment gateway. */
  readonly gateways: ReadonlyMap<number, string>;
}

/** Prices are read by their names, which may repeat, so pages of them should be few. */
const manyPrices = 10_000;

export async function readOldSite(run: Run): Promise<OldSite> {
  const site = {
    options: await readOptions(run.source, run.batch),
    groups: [] as OldGroup[],
    prices: [] as OldPrice[],
    offers: [] as OldOffer[],
    homes: new Map<number, string>(),
    gateways: new Map<number, string>(),
  };
  for await (const row of rowsOf(run, 'user_groups'))
    site.groups.push({
      symbol: toTrimmed(row['symbol']),
      name: toTrimmed(row['name']),
      ratio: toDecimal(row['ratio'] ?? 1),
      rate: toInteger(row['api_rate'] ?? 600),
      isPublic: toFlag(row['public']) === 1,
      isPromotion: toFlag(row['promotion']) === 1,
      isEnabled: toFlag(row['enable'] ?? true) === 1,
    });
  for await (const row of rowsOf({ ...run, batch: manyPrices }, 'prices', 'model'))
    site.prices.push({
      model: nameHere(toTrimmed(row['model'])),
      isPerCall: toTrimmed(row['type']) === 'times',
      channelType: toInteger(row['channel_type']),
      input: Math.max(0, toDecimal(row['input'])),
      output: Math.max(0, toDecimal(row['output'])),
      ratios: numbersOf(parseObject(toTrimmed(row['extra_ratios']))),
    });
  for await (const row of rowsOf(run, 'channels')) {
    if (toDeletedAt(row['deleted_at']) !== null) continue;
    const mapping = parseObject(toTrimmed(row['model_mapping'])) ?? {};
    const names = listOf(toTrimmed(row['models'])).filter((name) => !isPattern(name));
    const channelType = toInteger(row['type']);
    const models = names.map(
      (name) => [nameHere(name), nameHere(pricedName(name, mapping[name]))] as const,
    );
    site.offers.push({ channelType, models: new Map(models) });
    for (const [name, priced] of models)
      if (isMusic(channelType, name))
        site.offers.push({ channelType, models: new Map([[music, priced]]) });
  }
  for await (const row of rowsOf(run, 'users'))
    site.homes.set(Number(row['id']), toTrimmed(row['group']) || 'default');
  for await (const row of rowsOf(run, 'payments'))
    site.gateways.set(Number(row['id']), toTrimmed(row['type']));
  return site;
}

/** Names, separated by commas. */
export const listOf = (text: string): readonly string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** The beginning of names, and `*` (model/balancer.go, 2026-02-20). */
export const isPattern = (name: string): boolean => name.endsWith('*');

/** The name of a model here: that of an action of drawings differs (relay/midjourney/service.go). */
export const nameHere = (name: string): string => (name === 'mj_swap_face' ? 'swap_face' : name);

/** What Suno's music is called here; there it is the version (relay/task/suno/submit.go). */
export const music = 'suno_music';
const suno = 41;
export const isMusic = (channelType: number, model: string): boolean =>
  channelType === suno && model.startsWith('chirp');

/**
 * What a name is mapped to is priced, unless a `+` stands before it (relay/common.go, 2026-02-20).
 */
function pricedName(name: string, target: unknown): string {
  return typeof target !== 'string' || target === '' || target.startsWith('+') ? name : target;
}

function numbersOf(value: unknown): Readonly<Record<string, number>> {
  if (!isObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, number] => Number.isFinite(entry[1])),
  );
}
