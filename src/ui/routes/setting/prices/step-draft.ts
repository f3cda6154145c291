/**
 * Steps and tiers of a price while they are typed: prices per million tokens that are kept as factors
 * of the model's own, so that steps follow when those change (docs/rules/pricing.md#price-details).
 */
import {
  compare,
  type Decimal,
  decimal,
  divide,
  multiply,
  one,
  ratioTo,
  toNumber,
  toText,
  zero,
} from '../../../../core/kernel/decimal.ts';
import type { PriceDetailsEntry } from '../../../../core/pricing/details.ts';
import type { TextKey } from '../../../i18n/index.ts';
import { numberProblem, readNumber } from './price-draft.ts';

export const stepKinds = ['input', 'output', 'cacheRead', 'cacheWrite'] as const;
export type StepKind = (typeof stepKinds)[number];
/** Prices per million tokens of the model itself. Absent: not known, or nothing. */
export type BasePrices = Readonly<Partial<Record<StepKind, Decimal>>>;

/** A price as it is typed, or the factor that it was. Neither: that of input. */
export interface StepCell {
  readonly text?: string;
  readonly factor?: number;
}

export interface StepRow {
  readonly key: number;
  readonly above: string;
  readonly cells: Readonly<Record<StepKind, StepCell>>;
}

export interface TierRow {
  readonly key: number;
  readonly name: string;
  readonly factor: string;
}

export interface StepDraft {
  readonly steps: readonly StepRow[];
  readonly tiers: readonly TierRow[];
}

const cell = (factor: number | undefined): StepCell => (factor === undefined ? {} : { factor });

/** `entry`: what holds for the model now, the catalogue's members included. */
export function stepDraftOf({ steps = [], factors = {} }: PriceDetailsEntry): StepDraft {
  return {
    steps: [...steps]
      .sort((a, b) => a.above - b.above)
      .map(({ above, input, output, cacheRead, cacheWrite }, key) => ({
        key,
        above: String(above),
        cells: {
          input: cell(input),
          output: cell(output),
          cacheRead: cell(cacheRead),
          cacheWrite: cell(cacheWrite),
        },
      })),
    tiers: Object.entries(factors).map(([name, factor], key) => ({
      key,
      name,
      factor: toText(decimal(factor)),
    })),
  };
}

const nextKey = (rows: readonly { readonly key: number }[]) =>
  Math.max(-1, ...rows.map(({ key }) => key)) + 1;

export function addStep({ steps, tiers }: StepDraft): StepDraft {
  const empty = { input: {}, output: {}, cacheRead: {}, cacheWrite: {} };
  return { steps: [...steps, { key: nextKey(steps), above: '', cells: empty }], tiers };
}

export function addTier({ steps, tiers }: StepDraft): StepDraft {
  return { steps, tiers: [...tiers, { key: nextKey(tiers), name: '', factor: '' }] };
}

/** Decimal places of prices that are shown. */
const places = 9;

/** What a field shows; '' where nothing is known of it. */
export function shownPrice({ cells }: StepRow, kind: StepKind, base: BasePrices): string {
  const { text, factor } = cells[kind];
  if (text !== undefined) return text;
  return factor === undefined ? '' : priceText(factor, base[kind]);
}

/** What an empty field of cache reads or writes costs: as much more as input does. */
export function usualPrice(row: StepRow, kind: StepKind, base: BasePrices): string {
  if (kind === 'input' || kind === 'output') return '';
  const factor = factorOf(row.cells.input, base.input);
  return factor === undefined ? '' : priceText(factor, base[kind]);
}

function priceText(factor: number, base: Decimal | undefined): string {
  return base === undefined ? '' : toText(divide(multiply(base, decimal(factor)), one, places));
}

function factorOf({ text, factor }: StepCell, base: Decimal | undefined): number | undefined {
  if (text === undefined) return factor;
  const price = readNumber(text);
  if (price === undefined || base === undefined || compare(base, zero) <= 0) return undefined;
  const found = ratioTo(toNumber(price), toNumber(base));
  return found > 0 ? found : undefined;
}

/** By the field: `above 0`, `input 2`, `name 1`, `factor 1`, the numbers being keys. */
export type StepProblems = Readonly<Record<string, TextKey>>;

function cellProblem(
  { text, factor }: StepCell,
  kind: StepKind,
  base: BasePrices,
): TextKey | undefined {
  const isNeeded = kind === 'input' || kind === 'output';
  if (text === undefined)
    return isNeeded && factor === undefined ? 'prices.problem.number' : undefined;
  if (text.trim() === '') return isNeeded ? 'prices.problem.number' : undefined;
  const problem = numberProblem(text);
  if (problem !== undefined) return problem;
  if (readNumber(text)?.digits === 0n) return 'prices.steps.problem.zero';
  return factorOf({ text }, base[kind]) === undefined ? 'prices.problem.needsInput' : undefined;
}

export function stepProblems({ steps, tiers }: StepDraft, base: BasePrices): StepProblems {
  const problems: Record<string, TextKey> = {};
  const note = (field: string, problem: TextKey | undefined) => {
    if (problem !== undefined) problems[field] = problem;
  };
  const starts = new Set<number>();
  for (const { key, above, cells } of steps) {
    const start = /^\d{1,12}$/.test(above.trim()) ? Number(above) : 0;
    note(`above ${key}`, start < 1 || starts.has(start) ? 'prices.steps.problem.above' : undefined);
    starts.add(start);
    for (const kind of stepKinds) note(`${kind} ${key}`, cellProblem(cells[kind], kind, base));
  }
  const names = new Set<string>();
  for (const { key, name, factor } of tiers) {
    const trimmed = name.trim();
    note(
      `name ${key}`,
      trimmed === '' || names.has(trimmed) ? 'prices.steps.problem.tier' : undefined,
    );
    names.add(trimmed);
    const number = readNumber(factor);
    const isPlain = number !== undefined && number.digits > 0n;
    note(`factor ${key}`, numberProblem(factor) ?? (isPlain ? undefined : 'prices.problem.number'));
  }
  return problems;
}

/** The members of an entry that a draft without problems says. */
function membersOf({ steps, tiers }: StepDraft, base: BasePrices) {
  return {
    steps: steps
      .map(({ above, cells }) => {
        const [input = 1, output = 1, cacheRead, cacheWrite] = stepKinds.map((kind) =>
          factorOf(cells[kind], base[kind]),
        );
        return {
          above: Number(above),
          input,
          output,
          ...(cacheRead !== undefined && { cacheRead }),
          ...(cacheWrite !== undefined && { cacheWrite }),
        };
      })
      .sort((a, b) => a.above - b.above),
    factors: Object.fromEntries(
      tiers.map(({ name, factor }) => [name.trim(), Number(factor)] as const),
    ),
  };
}

/**
 * The model's own entry with what was changed; what was not stays the catalogue's. `draft`: without
 * problems; `before`: as it was opened. Undefined: nothing was changed.
 */
export function entryOf(
  draft: StepDraft,
  before: StepDraft,
  own: PriceDetailsEntry | undefined,
  base: BasePrices,
): PriceDetailsEntry | undefined {
  const now = membersOf(draft, base);
  const then = membersOf(before, base);
  const isChanged = (name: 'steps' | 'factors') =>
    JSON.stringify(now[name]) !== JSON.stringify(then[name]);
  if (!isChanged('steps') && !isChanged('factors')) return undefined;
  return {
    ...own,
    ...(isChanged('steps') && { steps: now.steps }),
    ...(isChanged('factors') && { factors: now.factors }),
  };
}
