/** What a configuration file says of a channel's key and of credentials in its settings. */
import { isObject } from '../../../core/kernel/json.ts';
import { UsageError } from '../../base/usage-error.ts';
import { isReference, type References } from './references.ts';
import { cleared, kept, mapTexts, valueAt } from './values.ts';

type Entry = Readonly<Record<string, unknown>>;

/** The entry with references read, and with the site's own texts in place of `secret:keep`. Throws UsageError where there is none. */
export function resolveSecrets(entry: Entry, live: Entry | undefined, references: References, at: string): Entry {
  const resolved = mapTexts(entry, (text, path) => {
    const place = `${at}.${path.join('.')}`;
    if (isReference(text)) return references.read(text, place);
    if (text !== kept) return text;
    const own = valueAt(live, path);
    if (typeof own !== 'string') throw new UsageError(texts.nothingKept, { at: place });
    return own;
  });
  return isObject(resolved) ? resolved : {};
}

interface KeyPlace {
  readonly at: string;
  readonly setting: unknown;
  readonly isNew: boolean;
  /** Whether a key that the channel has is written again. */
  readonly again: boolean;
}

/** The key to send; undefined: the channel keeps its own. Throws UsageError for a key in plain text. */
export function channelKey(value: unknown, { at, setting, isNew, again }: KeyPlace, references: References): string | undefined {
  if (value === undefined) return undefined;
  if (value === kept) {
    if (isNew) throw new UsageError(texts.nothingKept, { at: `${at}.key` });
    return undefined;
  }
  if (value === cleared) return isNew ? '' : undefined;
  if (typeof value !== 'string' || !isReference(value)) throw new UsageError(texts.plain, { at: `${at}.key` });
  if (!isNew && !again) return undefined;
  const key = references.read(value, `${at}.key`);
  const lines = key.split('\n').filter((line) => line.trim() !== '');
  const isOneChannel = key.trim().startsWith('{') || (isObject(setting) && setting['multi_key_mode'] !== undefined);
  if (lines.length > 1 && !isOneChannel) throw new UsageError(texts.lines, { at });
  return key;
}

const texts = {
  nothingKept: {
    en: '{at}: there is no secret to keep on this site; name one with env:NAME or file:PATH',
    zh: '{at}：本站尚无可保留的机密，请用 env:变量名 或 file:路径 指定',
  },
  plain: {
    en: '{at} is a secret: write env:NAME, file:PATH, secret:keep or secret:none',
    zh: '{at} 是机密：请写 env:变量名、file:路径、secret:keep 或 secret:none',
  },
  lines: {
    en: '{at}: several keys need `setting: {multi_key_mode: random}` (or polling)',
    zh: '{at}：多个密钥需要 `setting: {multi_key_mode: random}`（或 polling）',
  },
} as const;
