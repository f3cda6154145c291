/**
 * Error statuses as callers see them, such as `{"429": "503", "400": 500}`. Neither side may be 200
 * (docs/rules/channel-rules.md#status-code-mapping).
 */
import type { JsonValue } from '../../kernel/json.ts';
import { invalidRule, readOr, readRules } from './rule-reader.ts';

const field = 'status_code_mapping';

function readEntry(from: string, to: JsonValue): readonly [number, number] | undefined {
  const status = Number(from);
  const mapped = typeof to === 'string' && /^\d+$/.test(to.trim()) ? Number(to) : to;
  if (!Number.isInteger(status) || status < 300 || status > 599) return undefined;
  if (typeof mapped !== 'number' || !Number.isInteger(mapped) || mapped < 400 || mapped > 599)
    return undefined;
  return [status, mapped];
}

/** Throws AppError json_object_required, channel_rule_invalid. */
export function checkStatusCodeMapping(text: string): void {
  for (const [from, to] of Object.entries(readRules(text, field))) {
    if (readEntry(from, to) === undefined)
      throw invalidRule(`${field}.${from}`, 'rule.errorStatus');
  }
}

/** Invalid entries, which are refused on save, count as absent. */
export function readStatusCodeMapping(text: string): ReadonlyMap<number, number> {
  const entries = Object.entries(readOr(() => readRules(text, field), {}));
  return new Map(
    entries.map(([from, to]) => readEntry(from, to)).filter((entry) => entry !== undefined),
  );
}
