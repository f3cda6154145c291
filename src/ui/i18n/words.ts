/**
 * The shared word for a number of the wire; a number this console does not know reads "unknown".
 */
import { type StatusGroup, toneOf } from '../../core/vocabulary/status-tones.ts';
import type { TextKey } from './index.ts';

export function wordKey(group: StatusGroup, value: number): TextKey {
  if (toneOf(group, value) !== undefined) return `${group}.${value}` as TextKey;
  return group === 'role' ? 'role.unknown' : 'logType.0';
}
