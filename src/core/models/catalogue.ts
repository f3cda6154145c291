/**
 * What is known of models (docs/rules/models.md): rules by name, and rows of single models above
 * them. A name nobody has seen takes the rules of its family.
 */
import type { Clock } from '../kernel/clock.ts';
import { nextChangeOf, priceClock, rowAt } from './dated-price.ts';
import { generationOf } from './generation.ts';
import type { ModelFacts, ModelRow, ModelRule } from './schema.ts';
import { modelOfSnapshot } from './snapshot.ts';

export interface CatalogueData {
  readonly rules: readonly ModelRule[];
  readonly rows: readonly ModelRow[];
}

/** Everything that is known of one name. */
export interface KnownModel {
  /** The last rule that fits: `gpt-6`; undefined: none does. */
  readonly family: string | undefined;
  /** Undefined: only rules know the name. */
  readonly row: ModelRow | undefined;
  readonly generation: number | undefined;
  readonly facts: ModelFacts;
}

/** A provider, as far as it matters which models it serves. */
export interface ModelServer {
  readonly slug: string;
  /** Vendors of the catalogue whose models it serves; absent: those of its own slug. */
  readonly serves?: readonly string[];
}

/** Cached names: they come from callers, so their number is bounded. */
const rememberedNames = 5000;

function fits(rule: ModelRule, name: string, generation: number | undefined): boolean {
  if (!rule.of.some((start) => name.startsWith(start))) return false;
  if (rule.from !== undefined && (generation === undefined || generation < rule.from)) return false;
  if (rule.below !== undefined && (generation === undefined || generation >= rule.below))
    return false;
  if (rule.has !== undefined && !rule.has.some((part) => name.includes(part))) return false;
  return rule.lacks === undefined || !rule.lacks.some((part) => name.includes(part));
}

function serves({ slug, serves: vendors = [slug] }: ModelServer, { vendor }: ModelRow): boolean {
  return vendor !== undefined && vendors.includes(vendor);
}

/** Whether a model that ends on the first of two days has ended by the second. */
export function isPast(end: string | undefined, day: string): boolean {
  return end !== undefined && end <= day;
}

/** What a rule or a row says of models, without how it is found and where it comes from. */
function factsIn(entry: ModelRule | ModelRow): ModelFacts {
  const {
    family: _family,
    of: _of,
    from: _from,
    below: _below,
    has: _has,
    lacks: _lacks,
    name: _name,
    aliases: _aliases,
    released: _released,
    ends: _ends,
    endsAt: _endsAt,
    successor: _successor,
    description: _description,
    price: _price,
    nextPrice: _nextPrice,
    source: _source,
    seen: _seen,
    ...facts
  } = entry as ModelRule & ModelRow;
  return facts;
}

/** `later` over `earlier`; `takes` feature by feature. */
function overlay(earlier: ModelFacts, later: ModelFacts): ModelFacts {
  const takes = { ...earlier.takes, ...later.takes };
  return { ...earlier, ...later, ...(Object.keys(takes).length > 0 ? { takes } : {}) };
}

export class ModelCatalogue {
  readonly #builtIn: CatalogueData;
  readonly #builtInRows: ReadonlyMap<string, ModelRow>;
  #clock: Pick<Clock, 'now'> = priceClock;
  /** When a price changes next, in milliseconds. */
  #changesAt = 0;
  #given: CatalogueData = { rules: [], rows: [] };
  #added: CatalogueData = { rules: [], rows: [] };
  #repriced: readonly ModelRow[] = [];
  #rules: readonly ModelRule[] = [];
  #rows: ReadonlyMap<string, ModelRow> = new Map();
  #known = new Map<string, KnownModel>();

  constructor(builtIn: CatalogueData) {
    this.#builtIn = builtIn;
    this.#builtInRows = new Map(builtIn.rows.map((row) => [row.name.toLowerCase(), row]));
    this.replaceAdded({ rules: [], rows: [] });
  }

  /**
   * Sets what stands above the built-in data, in place of what was added before. A row replaces the
   * built-in one of its name as a whole, unless that one was seen later
   * (docs/rules/models.md#added-data).
   */
  replaceAdded(added: CatalogueData): void {
    const current = added.rows.filter(({ name, seen }) => {
      const builtIn = this.#builtInRows.get(name.toLowerCase());
      return builtIn === undefined || builtIn.seen <= seen;
    });
    const now = this.#clock.now();
    const inForce = (rows: readonly ModelRow[]) => rows.map((row) => rowAt(row, now));
    const builtIn = inForce(this.#builtIn.rows);
    const replaced = new Set(current.map(({ name }) => name.toLowerCase()));
    this.#changesAt = nextChangeOf([...this.#builtIn.rows, ...current], now);
    this.#repriced = builtIn.filter(
      (row, at) => row !== this.#builtIn.rows[at] && !replaced.has(row.name.toLowerCase()),
    );
    this.#given = added;
    this.#added = { rules: added.rules, rows: inForce(current) };
    this.#rules = [...this.#builtIn.rules, ...added.rules];
    const rows = new Map<string, ModelRow>();
    for (const row of [...builtIn, ...this.#added.rows])
      for (const name of [row.name, ...(row.aliases ?? [])]) rows.set(name.toLowerCase(), row);
    this.#rows = rows;
    this.#known = new Map();
  }

  /** One of its own with the same data. */
  copy(): ModelCatalogue {
    const copy = new ModelCatalogue(this.#builtIn);
    copy.#given = this.#given;
    copy.followClock(this.#clock);
    return copy;
  }

  /** Another clock than the machine's says which prices hold. */
  followClock(clock: Pick<Clock, 'now'>): void {
    this.#clock = clock;
    this.replaceAdded(this.#given);
  }

  /**
   * What stands above the built-in data. The object is replaced on every change. Reading it brings
   * the prices of the catalogue up to the present moment.
   */
  get added(): CatalogueData {
    if (this.#clock.now() >= this.#changesAt) this.replaceAdded(this.#given);
    return this.#added;
  }

  /** Built-in rows whose price has changed since it was the built-in one, with the one that holds. */
  get repriced(): readonly ModelRow[] {
    return this.#repriced;
  }

  /** Each row once. */
  rows(): readonly ModelRow[] {
    return [...new Set(this.#rows.values())];
  }

  /** In any case of letters, without a vendor before it. Cached. */
  find(model: string): KnownModel {
    const cached = this.#known.get(model);
    if (cached !== undefined) return cached;
    if (this.#known.size >= rememberedNames) this.#known.clear();
    const known = this.#read(model.toLowerCase());
    this.#known.set(model, known);
    return known;
  }

  /**
   * The first day (UTC, `2026-11-30`) on which a provider no longer serves a model
   * (docs/rules/models.md#ends). Undefined: none is known.
   */
  endOf(model: string, server: ModelServer): string | undefined {
    const { row } = this.find(model);
    if (row === undefined) return undefined;
    return row.endsAt?.[server.slug] ?? (serves(server, row) ? row.ends : undefined);
  }

  /** Names of a provider's models that have not ended by this day, in the order of the rows. */
  servedBy(server: ModelServer, day: string): readonly string[] {
    return this.rows()
      .filter((row) => serves(server, row) && !isPast(this.endOf(row.name, server), day))
      .map(({ name }) => name);
  }

  #read(name: string): KnownModel {
    const generation = generationOf(name);
    const rules = this.#rules.filter((rule) => fits(rule, name, generation));
    const row = this.#rowOf(name);
    const facts = [...rules, ...(row === undefined ? [] : [row])].map(factsIn);
    return {
      family: rules.at(-1)?.family,
      row,
      generation,
      facts: facts.reduce(overlay, {}),
    };
  }

  /** That of the name, else that of the model whose dated snapshot it is. */
  #rowOf(name: string): ModelRow | undefined {
    return this.#rows.get(name) ?? this.#rows.get(modelOfSnapshot(name) ?? name);
  }
}
