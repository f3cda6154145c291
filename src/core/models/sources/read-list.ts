/** Reads a list of models in any of the public formats (docs/rules/models.md#sources). */

import { isObject, parseJson } from '../../kernel/json.ts';
import { z } from '../../kernel/zod.ts';
import { type ModelRow, type ModelRule, modelRow, modelRule } from '../schema.ts';
import { type Candidate, checked, type FoundModel, list, record } from './found-model.ts';
import { readGenaiPrices } from './genai-prices.ts';
import { readLitellm } from './litellm.ts';
import { readModelsDev } from './models-dev.ts';
import { readOpenRouter } from './openrouter.ts';

export type ListFormat = 'turnpike' | 'litellm' | 'models.dev' | 'genai-prices' | 'openrouter';

export interface ModelList {
  readonly format: ListFormat;
  readonly models: readonly FoundModel[];
  /** Rules of families and rows with their origin, of this program's own format only. */
  readonly rules: readonly ModelRule[];
  readonly rows: readonly ModelRow[];
  /** Times in ISO format: when it was made, and until when it counts. */
  readonly issued?: string | undefined;
  readonly expires?: string | undefined;
}

const time = z.iso.datetime({ offset: true });

/** This program's own format: rules and rows as they are built in. */
const ownList = z.strictObject({
  format: z.literal('turnpike-models'),
  rules: z.array(modelRule).optional(),
  rows: z.array(modelRow).optional(),
  issued: time.optional(),
  expires: time.optional(),
});

function readOwn(value: unknown): ModelList | undefined {
  const { data } = ownList.safeParse(value);
  if (data === undefined) return undefined;
  const { rules = [], rows = [], issued, expires } = data;
  const found = rows.map(({ source: _source, seen: _seen, ...row }) => ({
    server: row.vendor ?? '',
    ...row,
  }));
  return { format: 'turnpike', models: checked(found), rules, rows, issued, expires };
}

/** The format and its entries; undefined: none that is known. */
function entriesOf(
  value: unknown,
  day: string,
): readonly [ListFormat, Iterable<Candidate>] | undefined {
  const servers = Array.isArray(value) ? value : list(record(value).providers);
  if (servers.some((server) => Array.isArray(record(server).models)))
    return ['genai-prices', readGenaiPrices(servers, day)];
  if (!isObject(value)) return undefined;
  const data = list(value.data);
  if (data.some((model) => isObject(record(model).pricing)))
    return ['openrouter', readOpenRouter(data)];
  const entries = Object.values(value).map(record);
  if (entries.some(({ litellm_provider: provider }) => typeof provider === 'string'))
    return ['litellm', readLitellm(value)];
  if (entries.some(({ models }) => isObject(models))) return ['models.dev', readModelsDev(value)];
  return undefined;
}

/**
 * The models of a list with their limits, ends and prices (dollars per million tokens), each of a
 * server once; entries that are malformed are left out. `day` (`2026-11-28`): the one whose prices
 * are wanted. Undefined: the text is no list in a known format.
 */
export function readModelList(text: string, day: string): ModelList | undefined {
  const value = parseJson(text);
  if (record(value).format === 'turnpike-models') return readOwn(value);
  const found = entriesOf(value, day);
  if (found === undefined) return undefined;
  const [format, entries] = found;
  return { format, models: checked(entries), rules: [], rows: [] };
}
