/** Several keys in one channel (spec, relay 6 [L]): how they are written, named and told apart. */
import { createHash } from 'node:crypto';
import { parseJson } from '../kernel/json.ts';

/** `setting.multi_key_mode`: drawn anew for each request, or one after the other. */
export const keyModes = ['random', 'polling'] as const;
export type KeyMode = (typeof keyModes)[number];

/** Undefined: the setting names none, and the keys of a new channel make a channel each (spec, console-api 6.3). */
export function readKeyMode(setting: Readonly<Record<string, unknown>>): KeyMode | undefined {
  return keyModes.find((mode) => mode === setting['multi_key_mode']);
}

/**
 * The keys that a channel's key field holds: one per line. Where a key is a JSON document (`json`), the field is one key,
 * or an array of them (spec, providers-international 3, Vertex AI).
 */
export function listKeys(text: string, json: boolean): readonly string[] {
  if (!json) return text.split('\n').flatMap((line) => line.trim() || []);
  const documents = text.trimStart().startsWith('[') ? parseJson(text) : undefined;
  return Array.isArray(documents) ? documents.map((one) => JSON.stringify(one)) : [text.trim()];
}

/** Twelve hex digits that name a secret (or what it is used with) without telling it. */
export function fingerprint(...texts: readonly string[]): string {
  return createHash('sha256').update(texts.join('\n')).digest('hex').slice(0, 12);
}
