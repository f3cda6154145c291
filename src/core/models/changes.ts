/** What a list of models says that the catalogue does not (docs/rules/models.md#sync-changes). */
import { isPast, type KnownModel, type ModelCatalogue } from './catalogue.ts';
import type { ListPrice, ModelFacts, ModelRow } from './schema.ts';
import type { FoundModel } from './sources/found-model.ts';

/**
 * `new`: no row has the name; `price`: it costs something else; `end`: its last day is known or is
 * another; `facts`: limits, efforts and the like.
 */
export type ModelChangeKind = 'new' | 'price' | 'end' | 'facts';

export interface ModelChange {
  readonly model: string;
  readonly vendor: string;
  readonly kind: ModelChangeKind;
  /** What the catalogue has; a new model has nothing. */
  readonly from: Readonly<Record<string, unknown>>;
  readonly to: Readonly<Record<string, unknown>>;
}

/** Where a list comes from, and whether it is the vendor's word or a signed catalogue's. */
export interface ListOrigin {
  readonly source: string;
  /** The day (`2026-11-28`) on which it was read. */
  readonly seen: string;
  /** Its facts replace known ones; other lists only add what is not known yet. */
  readonly isAuthority: boolean;
}

/** The changes of one model, and the row that they make. */
export interface ModelUpdate {
  readonly changes: readonly ModelChange[];
  /** With everything but another price. */
  readonly row: ModelRow;
  /** With another price, too. Undefined: the price stays. */
  readonly repriced: ModelRow | undefined;
}

const factNames = ['inputTokens', 'outputTokens', 'reads', 'writes', 'thinking', 'efforts'];

/** Differences below this are of rounding. */
const tolerance = 1e-5;

function isSame(a: unknown, b: unknown): boolean {
  if (typeof a === 'number' && typeof b === 'number')
    return Math.abs(a - b) <= tolerance * Math.max(Math.abs(a), Math.abs(b));
  if (Array.isArray(a) && Array.isArray(b)) {
    const sorted = (list: readonly unknown[]) =>
      list.every((entry) => typeof entry === 'string') ? [...list].sort() : list;
    const left = sorted(a);
    const right = sorted(b);
    return left.length === right.length && left.every((entry, at) => isSame(entry, right[at]));
  }
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  return Object.keys({ ...a, ...b }).every((key) =>
    isSame((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]),
  );
}

type Fields = Readonly<Record<string, unknown>>;

/** The fields of `to` in which `from` differs. */
function differing(from: Fields, to: Fields): { readonly from: Fields; readonly to: Fields } {
  const names = Object.keys(to).filter((name) => !isSame(from[name], to[name]));
  const pick = (fields: Fields) =>
    Object.fromEntries(names.filter((name) => name in fields).map((name) => [name, fields[name]]));
  return { from: pick(from), to: pick(to) };
}

/** Tiers that a list does not have stay. */
function mergedPrice(before: ListPrice | undefined, found: ListPrice): ListPrice {
  const factors = { ...before?.factors, ...found.factors };
  const cacheFactors = { ...before?.cacheFactors, ...found.cacheFactors };
  return {
    ...before,
    ...found,
    ...(Object.keys(factors).length > 0 ? { factors } : {}),
    ...(Object.keys(cacheFactors).length > 0 ? { cacheFactors } : {}),
  };
}

function factsOf(found: FoundModel): Fields {
  const facts = Object.fromEntries(
    Object.entries(found).filter(([name]) => factNames.includes(name)),
  );
  return found.takes === undefined ? facts : { ...facts, takes: found.takes };
}

/** The facts of a list that count beside those that are known. */
function learnedFacts(found: FoundModel, known: ModelFacts, isAuthority: boolean): Fields {
  const facts: Fields = {
    ...factsOf(found),
    ...(found.takes && { takes: { ...known.takes, ...found.takes } }),
  };
  if (isAuthority) return facts;
  const entries = Object.entries(facts).filter(
    ([name]) => known[name as keyof ModelFacts] === undefined,
  );
  return Object.fromEntries(entries);
}

/** The row of this very model: a snapshot's name finds that of its model, which is another one. */
function ownRow({ row }: KnownModel, name: string): ModelRow | undefined {
  const names = row === undefined ? [] : [row.name, ...(row.aliases ?? [])];
  return names.some((one) => one.toLowerCase() === name.toLowerCase()) ? row : undefined;
}

function newModel(found: FoundModel, { source, seen }: ListOrigin): ModelUpdate {
  const { server, ...rest } = found;
  const row = { ...rest, vendor: found.vendor ?? server, source, seen };
  const { name, vendor, ...said } = row;
  const { source: _source, seen: _seen, ...to } = said;
  return {
    changes: [{ model: name, vendor, kind: 'new', from: {}, to }],
    row,
    repriced: undefined,
  };
}

/** A first price replaces none, so nobody has to approve it. */
function priceUpdate(row: ModelRow, found: FoundModel, { cachedAudio }: ModelFacts, today: string) {
  if (found.price === undefined || isPast(row.ends, today)) return undefined;
  // A list may have it before the day: it is known, and holds from then on.
  const next = row.nextPrice && differing(row.nextPrice.price, found.price);
  if (next !== undefined && Object.keys(next.to).length === 0) return undefined;
  const price = mergedPrice(row.price, found.price);
  // What a fact of the model says already is nothing else.
  const { audioInput } = row.price ?? {};
  const implied =
    cachedAudio === undefined || audioInput === undefined
      ? {}
      : { audioCacheRead: audioInput * cachedAudio };
  const change = differing({ ...implied, ...row.price }, price);
  return Object.keys(change.to).length === 0 ? undefined : { price, change };
}

function endUpdate(row: ModelRow, found: FoundModel) {
  const { ends, server } = found;
  if (ends === undefined) return undefined;
  const isVendor = row.vendor === undefined || row.vendor === server;
  const before = row.endsAt?.[server] ?? (isVendor ? row.ends : undefined);
  if (before === ends) return undefined;
  const fields = isVendor ? { ends } : { endsAt: { ...row.endsAt, [server]: ends } };
  const successor = row.successor ?? found.successor;
  return {
    fields: { ...fields, ...(successor === undefined ? {} : { successor }) },
    change: { from: before === undefined ? {} : { ends: before }, to: { ends } },
  };
}

/**
 * What a list says of one model, against what the catalogue knows. `today`: `2026-11-28`. Undefined:
 * nothing new, or nothing that matters any more.
 */
export function updateOf(
  found: FoundModel,
  catalogue: ModelCatalogue,
  origin: ListOrigin,
  today: string,
): ModelUpdate | undefined {
  const known = catalogue.find(found.name);
  const row = ownRow(known, found.name);
  if (row === undefined) {
    const isOld = known.row !== undefined || isPast(found.ends, today);
    return isOld ? undefined : newModel(found, origin);
  }
  const changes: ModelChange[] = [];
  const note = (kind: ModelChangeKind, { from, to }: { from: Fields; to: Fields }) =>
    void changes.push({ model: row.name, vendor: found.server, kind, from, to });
  const end = endUpdate(row, found);
  if (end !== undefined) note('end', end.change);
  const isVendor = row.vendor === undefined || row.vendor === found.server;
  const learned = isVendor ? learnedFacts(found, known.facts, origin.isAuthority) : {};
  const facts = differing(known.facts, learned);
  if (Object.keys(facts.to).length > 0) note('facts', facts);
  const price = isVendor ? priceUpdate(row, found, known.facts, today) : undefined;
  if (price !== undefined) note('price', price.change);
  if (changes.length === 0) return undefined;
  const { source } = origin;
  // Never older than what it replaces, whatever the clock says.
  const seen = origin.seen < row.seen ? row.seen : origin.seen;
  const updated = { ...row, ...end?.fields, ...facts.to, source, seen };
  const repriced = price === undefined ? undefined : { ...updated, price: price.price };
  return row.price === undefined && repriced !== undefined
    ? { changes, row: repriced, repriced: undefined }
    : { changes, row: updated, repriced };
}
