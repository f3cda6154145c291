/**
 * `node scripts/compare-demo-prices.ts FOLDER`: `turnpike pricing diff` over the demo site, with the
 * default prices of an older version of this program and with those of now, as Markdown. FOLDER has
 * that version's `src`, of before there were list prices (docs/price-comparison.md).
 */
import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { decimal, toNumber } from '../src/core/kernel/decimal.ts';
import type * as Defaults from '../src/core/pricing/defaults.ts';
import type { RatioPrice } from '../src/core/pricing/find-price.ts';
import { formatDecimal } from '../src/core/pricing/format.ts';
import { openDemo } from '../src/demo/demo.ts';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('name the folder of the older version');
const older = async <T>(path: string): Promise<T> =>
  (await import(pathToFileURL(resolve(folder, 'src/core/pricing', path)).href)) as T;

/** What that version's options and its rules by name say together. */
async function olderOptions(): Promise<Readonly<Record<string, object>>> {
  const defaults = await older<typeof Defaults>('defaults.ts');
  const { buildPriceTables } = await older<{ buildPriceTables: (options: object) => object }>(
    'tables.ts',
  );
  const { findPrice } = await older<{
    findPrice: (model: string, tables: object) => RatioPrice | undefined;
  }>('find-price.ts');
  const empty = { GroupRatio: {}, GroupGroupRatio: {}, CreateCacheRatio: {}, AudioRatio: {} };
  const tables = buildPriceTables({
    ...empty,
    AudioCompletionRatio: {},
    ImageRatio: defaults.defaultImageRatio,
    ModelRatio: defaults.defaultModelRatio,
    ModelPrice: defaults.defaultModelPrice,
    CompletionRatio: defaults.defaultCompletionRatio,
    CacheRatio: defaults.defaultCacheRatio,
  });
  const prices = Object.keys(defaults.defaultModelRatio).flatMap((model) => {
    const price = findPrice(model, tables);
    return price?.kind === 'ratio' ? [[model, price] as const] : [];
  });
  const table = (ratio: (price: RatioPrice) => RatioPrice['modelRatio'] | undefined) =>
    Object.fromEntries(
      prices.flatMap(([model, price]) => {
        const value = ratio(price);
        return value === undefined ? [] : [[model, toNumber(value)]];
      }),
    );
  const nothing = { steps: [], factors: {}, peakHours: [], tools: {} };
  return {
    ModelRatio: table(({ modelRatio }) => modelRatio),
    ModelPrice: defaults.defaultModelPrice,
    CompletionRatio: table(({ completionRatio }) => completionRatio),
    CacheRatio: table(({ cacheRatio }) => cacheRatio),
    CreateCacheRatio: table(({ cacheWriteRatio }) => cacheWriteRatio),
    AudioRatio: table(({ audioRatio }) => audioRatio),
    ImageRatio: table(({ imageRatio }) => imageRatio),
    ModelPriceDetails: Object.fromEntries(prices.map(([model]) => [model, nothing])),
  };
}

const { signal } = new AbortController();
const demo = await openDemo({ notice: '', stop: signal, requests: 10, perMinute: 0 });
const turnpike = (...words: readonly string[]): string =>
  execFileSync(
    process.execPath,
    [join(import.meta.dirname, '../bin/turnpike.js'), ...words, '--data-dir', demo.dataDir],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
  );
interface Difference {
  readonly model: string;
  readonly price: string;
  readonly site: number | null;
  readonly list: number;
}

/** A line for each model: what is asked for most, and how many other prices differ. */
function print(title: string): void {
  const { items } = JSON.parse(turnpike('pricing', 'diff', '--json')) as { items: Difference[] };
  const models = Map.groupBy(items, ({ model }) => model);
  console.log(`${title}: ${items.length} prices of ${models.size} models differ.\n`);
  if (items.length === 0) return;
  const main = ['input', 'output', 'cache_read', 'cache_write'];
  const figure = (value: number | null) =>
    value === null ? 'none' : formatDecimal(decimal(value));
  console.log(`| model | ${main.join(' | ')} | others |\n|---|---|---|---|---|---|`);
  for (const [model, differences] of models) {
    const cells = main.map((kind) => {
      const found = differences.find(({ price }) => price === kind);
      return found === undefined ? '' : `${figure(found.site)} → ${figure(found.list)}`;
    });
    const others = differences.filter(({ price }) => !main.includes(price)).length;
    console.log(`| ${[model, ...cells, others || ''].join(' | ')} |`);
  }
  console.log();
}

try {
  for (const [key, value] of Object.entries(await olderOptions()))
    turnpike('options', 'set', key, JSON.stringify(value), '--yes', '--quiet');
  print('Before');
  for (const key of Object.keys(await olderOptions()))
    turnpike('options', 'reset', key, '--yes', '--quiet');
  print('Now');
} finally {
  await demo.close();
}
