/** What an entry of the audit log says of a change (docs/rules/security.md#audit-log). */
import { parseObject } from '../../../core/kernel/json.ts';
import { fullTime } from '../../hooks/use-time-text.ts';

export interface Change {
  /** '': the target itself changed. */
  readonly field: string;
  /** Undefined: the value is not kept, because it may be a secret. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export interface ReadDetail {
  readonly changes: readonly Change[];
  /** Everything else: names, counts. */
  readonly facts: readonly { readonly name: string; readonly value: string }[];
}

/** Times as times, texts as they are, everything else as JSON. */
function show(name: string, value: unknown): string {
  if (typeof value === 'number' && value > 0 && /(Time|At)$/.test(name)) return fullTime(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function readChange(field: string, value: unknown): Change {
  const { from, to } = (typeof value === 'object' ? (value ?? {}) : {}) as {
    from?: unknown;
    to?: unknown;
  };
  return {
    field,
    ...(from !== undefined && { from: show(field, from) }),
    ...(to !== undefined && { to: show(field, to) }),
  };
}

function isChange(value: unknown): value is object {
  return typeof value === 'object' && value !== null && 'from' in value && 'to' in value;
}

/** `detail`: the entry's JSON text; a text that cannot be read has neither changes nor facts. */
export function readDetail(detail: string): ReadDetail {
  const { changes = {}, from, to, ...rest } = parseObject(detail) ?? {};
  const own = from === undefined || to === undefined ? [] : [readChange('', { from, to })];
  const named = Object.entries(rest).filter(([, value]) => isChange(value));
  const fields = typeof changes === 'object' && changes !== null ? Object.entries(changes) : [];
  return {
    changes: [...own, ...[...named, ...fields].map(([field, value]) => readChange(field, value))],
    facts: Object.entries({ ...rest, ...(own.length === 0 && { from, to }) })
      .filter(([, value]) => value !== undefined && !isChange(value))
      .map(([name, value]) => ({ name, value: show(name, value) })),
  };
}
