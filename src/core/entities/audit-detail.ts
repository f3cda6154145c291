/** What an entry of the audit log says of a change (docs/rules/security.md#audit-log). */
import { parseObject } from '../kernel/json.ts';
import { type AuditTarget, type AuditTexts, auditValueText } from './audit-values.ts';

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

type Show = (name: string, value: unknown) => string;

function readChange(field: string, value: unknown, show: Show): Change {
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

/** A text that cannot be read has neither changes nor facts. `detail`: JSON object text. */
export function readDetail(
  { detail, ...entry }: AuditTarget & { readonly detail: string },
  texts: AuditTexts,
): ReadDetail {
  const show: Show = (name, value) => auditValueText(entry, name, value, texts);
  const { changes = {}, from, to, ...rest } = parseObject(detail) ?? {};
  const own = from === undefined || to === undefined ? [] : [readChange('', { from, to }, show)];
  const named = Object.entries(rest).filter(([, value]) => isChange(value));
  const fields = typeof changes === 'object' && changes !== null ? Object.entries(changes) : [];
  return {
    changes: [
      ...own,
      ...[...named, ...fields].map(([field, value]) => readChange(field, value, show)),
    ],
    facts: Object.entries({ ...rest, ...(own.length === 0 && { from, to }) })
      .filter(([, value]) => value !== undefined && !isChange(value))
      .map(([name, value]) => ({ name, value: show(name, value) })),
  };
}
