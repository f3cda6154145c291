/**
 * Channels with several keys (docs/rules/routing.md#key-lines): how keys are stored, named and
 * distinguished.
 */
import { createHash } from 'node:crypto';
import { parseJson } from '../kernel/json.ts';

/** `setting.multi_key_mode`: a random key for each request, or round robin. */
export const keyModes = ['random', 'polling'] as const;
export type KeyMode = (typeof keyModes)[number];

/**
 * Undefined: the setting has no mode, so each key entered for a new channel creates a channel
 * (docs/rules/routing.md#key-modes).
 */
export function readKeyMode(setting: Readonly<Record<string, unknown>>): KeyMode | undefined {
  return keyModes.find((mode) => mode === setting['multi_key_mode']);
}

/**
 * The keys in a channel's key field, one per line. Where a key is a JSON document (`json`), the
 * field contains one key or an array of keys (docs/rules/routing.md#key-lines).
 */
export function listKeys(text: string, json: boolean): readonly string[] {
  if (!json) return text.split('\n').flatMap((line) => line.trim() || []);
  const documents = text.trimStart().startsWith('[') ? parseJson(text) : undefined;
  return Array.isArray(documents) ? documents.map((one) => JSON.stringify(one)) : [text.trim()];
}

/** Twelve hex digits that identify a secret (or what it is used with) without revealing it. */
export function fingerprint(...texts: readonly string[]): string {
  return createHash('sha256').update(texts.join('\n')).digest('hex').slice(0, 12);
}
