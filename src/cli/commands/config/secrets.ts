/**
 * Texts of a configuration file: which of them stand for secrets, and what an export writes in
 * their place.
 */
import {
  entryName,
  hiddenText,
  isSecretEntry,
  mapTexts,
} from '../../../core/kernel/secret-texts.ts';
import { UsageError } from '../../base/usage-error.ts';
import type { ConfigDocument } from './document.ts';
import type { Path, Problems } from './problems.ts';
import { isReference, type References } from './references.ts';
import { cleared, kept, valueAt } from './values.ts';

/** Written before a text that would otherwise be read as a reference. */
const literal = 'literal:';
const isSpecial = (text: string) =>
  isReference(text) || text.startsWith(literal) || text === kept || text === cleared;

/**
 * A value as an export writes it: credentials as `secret:keep`, and texts that look like references
 * marked as texts.
 */
export function exportedTexts(value: unknown, at: Path, isPublic = false): unknown {
  return mapTexts(value, (text, path) => {
    // Administrators below root are not given it, so they cannot export it either.
    if (text === hiddenText) return kept;
    if (!isPublic && isSecretEntry(entryName([...at, ...path]), text)) return kept;
    return isSpecial(text) ? literal + text : text;
  });
}

/** The value with references read, and with the site's own texts in place of `secret:keep`. */
export function resolvedTexts(
  value: unknown,
  live: unknown,
  { references, problems }: { readonly references: References; readonly problems: Problems },
  at: Path,
): unknown {
  return mapTexts(value, (text, path) => {
    const place = [...at, ...path];
    if (isReference(text)) return references.read(text, place);
    if (text.startsWith(literal)) return text.slice(literal.length);
    if (text === cleared) return '';
    if (text !== kept) return text;
    const own = valueAt(live, path);
    if (typeof own === 'string' && own !== '') return own;
    problems.add(place, secretTexts.nothingKept);
    return '';
  });
}

/**
 * The document with `env:NAME` in place of each `secret:keep`, and the names in order: what an
 * export for another site needs. Throws UsageError where a text of the site begins like the names.
 */
export function namedSecrets(document: ConfigDocument): {
  readonly document: ConfigDocument;
  readonly names: readonly string[];
} {
  const names = new Set<string>();
  const named = mapTexts(document, (text, path) => {
    if (text !== kept) return text;
    const base = variableName(path);
    let name = base;
    for (let count = 2; names.has(name); count++) name = `${base}_${count}`;
    names.add(name);
    return `env:${name}`;
  });
  if (typeof named !== 'object') throw new UsageError(secretTexts.nothingKept);
  return { document: named as ConfigDocument, names: [...names] };
}

/**
 * `options.SMTPToken` → `SMTP_TOKEN`, `channels.Main.setting.proxy` → `CHANNEL_MAIN_SETTING_PROXY`.
 */
function variableName([section = '', ...path]: Path): string {
  const words = section === 'options' ? path : [section.replace(/s$/, ''), ...path];
  const name = words
    .join('_')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .toUpperCase();
  return /^\d/.test(name) || name === '' ? `SECRET_${name}` : name;
}

export const secretTexts = {
  nothingKept: {
    en: 'there is no secret to keep on this site; name one with env:NAME or file:PATH',
    zh: '本站尚无可保留的机密，请用 env:变量名 或 file:路径 指定',
  },
  plain: {
    en: 'is a secret: write env:NAME, file:PATH, secret:keep or secret:none',
    zh: '是机密：请写 env:变量名、file:路径、secret:keep 或 secret:none',
  },
} as const;
