/**
 * Keeps of LiteLLM's list of models what docs/model-lists.md compares: own models of vendors that the
 * catalogue has, their prices, limits and ends.
 *
 *     pip download litellm --no-deps && unzip litellm-*.whl 'litellm/model_prices*'
 *     node scripts/trim-litellm.ts litellm/model_prices_and_context_window_backup.json VERSION DAY
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '../src/core/kernel/json.ts';
import { knownModels } from '../src/core/models/known-models.ts';
import { serverOf } from '../src/core/models/sources/servers.ts';

const kept =
  /_cost|_pricing$|^max_(input|output)_tokens$|^(litellm_provider|mode|deprecation_date|successor_model|supported_modalities|supported_output_modalities|provider_specific_entry)$/;

const [file, version, day] = process.argv.slice(2);
if (file === undefined || version === undefined || !/^\d{4}-\d\d-\d\d$/.test(day ?? '')) {
  console.error('usage: node scripts/trim-litellm.ts FILE VERSION YYYY-MM-DD');
  process.exit(2);
}

const vendors = new Set(knownModels.rows().flatMap(({ vendor }) => vendor ?? []));
const all = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
const models = Object.entries(all).flatMap(([name, row]) => {
  if (!isObject(row) || !vendors.has(serverOf(String(row['litellm_provider'])))) return [];
  // `perplexity/openai/…`: somebody else's model.
  if (name.split('/').length > 2) return [];
  return [[name, Object.fromEntries(Object.entries(row).filter(([field]) => kept.test(field)))]];
});
const target = join(import.meta.dirname, 'generate', 'litellm.json');
const { licence } = JSON.parse(readFileSync(target, 'utf8')) as { licence: string };
// One model on each line, so that a newer list shows as a difference of models.
const lines = models
  .map((model) => model.map((part) => JSON.stringify(part)).join(': '))
  .sort()
  .join(',\n    ');
const head = JSON.stringify({ version, seen: day, licence }, undefined, 2).slice(0, -2);
writeFileSync(target, `${head},\n  "models": {\n    ${lines}\n  }\n}\n`);
console.log(`${models.length} models`);
