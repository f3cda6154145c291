/**
 * Recovery codes: each lets its owner in once, when the authenticator app or the passkey is lost.
 */
import type { Ids } from '../../kernel/ids.ts';
import { hashSecret } from '../sessions.ts';

const count = 10;
const bytes = 10;

/** Codes as they are shown: 80 random bits as four groups of five hexadecimal digits. */
export function newRecoveryCodes(ids: Pick<Ids, 'hex'>): readonly string[] {
  return Array.from({ length: count }, () => ids.hex(bytes).replace(/(.{5})(?!$)/g, '$1-'));
}

/** How a code is stored. Case, spaces and dashes do not matter. */
export function recoveryHash(userId: number, code: string): string {
  return hashSecret(`recovery:${userId}:${code.toLowerCase().replace(/[^a-z0-9]/g, '')}`);
}
