/** What a search in the audit log finds by the words of its sentences. */
import { type AuditAction, auditActions, type Phrase } from '../vocabulary/audit-actions.ts';
import { auditPhrases } from '../vocabulary/audit-phrases.ts';

export interface FoundActions {
  /** Codes of actions whose sentences have the word. */
  readonly actions: readonly string[];
  /** Actions whose sentences have it where the detail has this text. */
  readonly changed: readonly { readonly action: string; readonly part: string }[];
}

/** `word`: lower case. */
export function auditActionsWith(word: string): FoundActions {
  const codes = Object.keys(auditActions) as AuditAction[];
  const has = ({ en, zh }: Phrase) =>
    [en, zh].some((text) =>
      text
        .replace(/\{\w+\}/g, '')
        .toLowerCase()
        .includes(word),
    );
  const whenOf = (action: AuditAction) => auditPhrases[action] ?? [];
  return {
    actions: codes.filter(
      (action) =>
        has(auditActions[action]) ||
        whenOf(action).some((phrase) => phrase.when === undefined && has(phrase)),
    ),
    changed: codes.flatMap((action) =>
      whenOf(action).flatMap(({ when, ...phrase }) => {
        if (when === undefined || when[0] === 'target' || !has(phrase)) return [];
        return [{ action, part: partOf(when) }];
      }),
    ),
  };
}

/** How the detail has a value: `"to":2` behind its field, or `"role":10`. */
function partOf([name, value]: readonly [string, string | number]): string {
  const json = JSON.stringify(value);
  if (name === 'role') return `"role":${json}`;
  return name === '' ? `"to":${json}` : `"${name}":{"from":%,"to":${json}}`;
}
