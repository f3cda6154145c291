/**
 * What a channel's upstream charges, as the operator names it
 * (docs/rules/channels.md#channel-cost): `{"ratio": 0.3, "base": "list", "rate": 7.3, "models":
 * {"gpt-4o": {"input": 2.5, "output": 10}}}`.
 */
import { type Decimal, decimal, one } from '../../kernel/decimal.ts';
import type { JsonValue } from '../../kernel/json.ts';
import { invalidRule, RuleReader, readOr, readRules } from './rule-reader.ts';

/**
 * What has a price: tokens (per million), calls and images (each), searches by the upstream (per
 * thousand).
 */
const costKinds = [
  'input',
  'output',
  'cached',
  'cache_write',
  'cache_write_1h',
  'image',
  'audio_input',
  'audio_output',
  'web_search',
  'call',
] as const;
type CostKind = (typeof costKinds)[number];
/** In the upstream's currency. At least one is there. */
export type CostPrices = { readonly [Kind in CostKind]?: Decimal };

const costBases = ['site', 'list'] as const;

export interface ChannelCost {
  /**
   * The share of the base price that the upstream charges. Absent: only `models` have a known cost.
   */
  readonly ratio: Decimal | undefined;
  /**
   * `site`: this site's prices before the group ratio. `list`: the vendors' list prices, which the
   * program knows.
   */
  readonly base: (typeof costBases)[number];
  /** How much of the upstream's currency one currency unit of the site is worth; positive. */
  readonly rate: Decimal;
  /** By the name sent upstream, or by the requested one. They go before the ratio. */
  readonly models: ReadonlyMap<string, CostPrices>;
}

const field = 'cost';
/** No price is that high: a larger figure is a slip. */
const mostPrice = 1e9;

/** A number, or its text; not negative. */
function readAmount(rule: RuleReader, name: string): Decimal | undefined {
  const value = rule.value(name);
  if (value === undefined || value === null || value === '') return undefined;
  const isText = typeof value === 'string' && /^\d+(\.\d+)?$/.test(value.trim());
  const number = isText ? Number(value) : value;
  if (typeof number !== 'number' || !(number >= 0 && number <= mostPrice))
    throw invalidRule(rule.at(name), 'rule.amount');
  return decimal(isText ? value : number);
}

function readPrices(raw: JsonValue, at: string): CostPrices {
  const rule = new RuleReader(raw, at);
  refuseOthers(raw, costKinds, at);
  const entries = costKinds
    .map((kind) => [kind, readAmount(rule, kind)] as const)
    .filter(([, price]) => price !== undefined);
  if (entries.length === 0) throw invalidRule(at, 'rule.missing');
  return Object.fromEntries(entries);
}

/** A misspelt name must not read as a price of zero. */
function refuseOthers(raw: unknown, known: readonly string[], at: string): void {
  const other = Object.keys(raw as object).find((name) => !known.includes(name));
  if (other !== undefined) throw invalidRule(`${at}.${other}`, 'rule.unknown');
}

function readCost(text: string): ChannelCost | undefined {
  const raw = readRules(text, field);
  if (Object.keys(raw).length === 0) return undefined;
  refuseOthers(raw, ['ratio', 'base', 'rate', 'models'], field);
  const rule = new RuleReader(raw, field);
  const named = rule.text('base') || 'site';
  const base = costBases.find((name) => name === named);
  if (base === undefined) throw invalidRule(rule.at('base'), 'rule.choice');
  const rate = readAmount(rule, 'rate') ?? one;
  if (rate.digits === 0n) throw invalidRule(rule.at('rate'), 'rule.amount');
  const ratio = readAmount(rule, 'ratio');
  const listed = rule.value('models') ?? {};
  const models = new RuleReader(listed, rule.at('models'));
  const prices = Object.entries(listed as object).map(
    ([model, entry]) => [model, readPrices(entry as JsonValue, models.at(model))] as const,
  );
  if (ratio === undefined && prices.length === 0)
    throw invalidRule(rule.at('ratio'), 'rule.missing');
  return { ratio, base, rate, models: new Map(prices) };
}

/** Throws AppError json_object_required, channel_rule_invalid. */
export function checkChannelCost(text: string): void {
  readCost(text);
}

/**
 * Undefined: the channel does not name its cost. An invalid one, which an import may contain,
 * counts as unknown.
 */
export function readChannelCost(text: string): ChannelCost | undefined {
  return readOr(() => readCost(text), undefined);
}
