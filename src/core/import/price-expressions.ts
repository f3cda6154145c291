/**
 * Models that New API prices by an expression (docs/rules/pricing.md#price-expressions) become entries of
 * the price options.
 */
import { decimal } from '../kernel/decimal.ts';
import { isObject, parseJson } from '../kernel/json.ts';
import { defaultOptions, parseOption, takesEntry } from '../options/index.ts';
import { usualUnit } from '../pricing/catalogue-prices.ts';
import { expressionEntries } from '../pricing/gateway-prices.ts';
import { type SourcePrice, sourceTables } from '../pricing/source-entries.ts';
import { atUnit } from '../pricing/source-prices.ts';
import type { StoredOption } from '../storage/storage.ts';
import type { Notes } from './notes.ts';

/** Options that are read here. */
const modes = 'billing_setting.billing_mode';
const expressions = 'billing_setting.billing_expr';
/** Their own, which do not hold for a model but for one of its plugins or paths. */
const special = ['billing_setting.plugin_billing_expr', 'billing_setting.endpoint_billing_expr'];
export const expressionOptions: ReadonlySet<string> = new Set([modes, expressions, ...special]);

const priceKeys = [...sourceTables, 'ModelPriceDetails'] as const;
type PriceKey = (typeof priceKeys)[number];

/**
 * Writes what the expressions of `options` say into `carried`. A model whose expression cannot be
 * read has no price afterwards, because its old ratios are not what it was sold at. `set`: options
 * that the site has already, of which it keeps all.
 */
export function carryExpressions(
  options: ReadonlyMap<string, string>,
  carried: Map<string, StoredOption>,
  set: ReadonlySet<string>,
  notes: Notes,
): void {
  const found = expressionsOf(options);
  const unread = special.flatMap((key) => Object.keys(objectOf(options.get(key))));
  if (found.length > 0 && !priceKeys.some((key) => set.has(key))) {
    const tables = new Map(
      priceKeys.map((key) => [key, new Map(Object.entries(tableOf(key, carried)))] as const),
    );
    const unit = Number(options.get('QuotaPerUnit') ?? usualUnit) || usualUnit;
    for (const [model, expression] of found) {
      for (const table of tables.values()) table.delete(model);
      const price = expressionEntries(expression);
      const entries = typeof price === 'string' ? undefined : entriesOf(price, unit);
      if (entries === undefined || !entries.every(([key, value]) => takesEntry(key, model, value)))
        unread.push(model);
      else for (const [key, value] of entries) tables.get(key)?.set(model, value);
    }
    for (const [key, entries] of tables) {
      const value = JSON.stringify(Object.fromEntries(entries));
      if (value !== JSON.stringify(tableOf(key, carried)))
        carried.set(key, { key, value, hidden: false });
    }
  }
  // All of them in one line: each has to be priced by hand.
  if (unread.length > 0) notes.add('price_expression_unreadable', unread.join(', '), unread.length);
}

function tableOf(
  key: PriceKey,
  carried: ReadonlyMap<string, StoredOption>,
): Readonly<Record<string, unknown>> {
  const value = carried.get(key)?.value;
  return value === undefined ? defaultOptions()[key] : parseOption(key, value);
}

function entriesOf(price: SourcePrice, unit: number): readonly (readonly [PriceKey, unknown])[] {
  const { details, ...prices } = atUnit(price, decimal(unit));
  const entries = sourceTables.flatMap((key) => {
    const value = prices[key];
    return value === undefined ? [] : [[key, value] as const];
  });
  return details === undefined ? entries : [...entries, ['ModelPriceDetails', details] as const];
}

/** Models whose mode says so, with their expression. */
function expressionsOf(options: ReadonlyMap<string, string>): readonly [string, string][] {
  const texts = objectOf(options.get(expressions));
  return Object.entries(objectOf(options.get(modes))).flatMap(([model, mode]) => {
    const text = texts[model];
    return mode === 'tiered_expr' && typeof text === 'string' && text.trim() !== ''
      ? [[model, text] satisfies [string, string]]
      : [];
  });
}

function objectOf(text: string | undefined): Readonly<Record<string, unknown>> {
  const value = parseJson(text ?? '');
  return isObject(value) ? value : {};
}
