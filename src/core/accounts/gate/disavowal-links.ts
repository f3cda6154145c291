/**
 * Links by which an owner says that a change of the account was somebody else's
 * (docs/rules/accounts.md#not-me).
 */
import type { Clock } from '../../kernel/clock.ts';
import { nowSeconds } from '../../kernel/clock.ts';
import type { Ids } from '../../kernel/ids.ts';
import { isObject, parseObject } from '../../kernel/json.ts';
import type { Storage, User } from '../../storage/storage.ts';
import type { WayIn } from '../../vocabulary/ways-in.ts';
import type { ChangedWay, Undo } from './changed-way.ts';

export interface Disavowed {
  readonly userId: number;
  /** The verified address to which the link was mailed. */
  readonly address: string;
  readonly way: WayIn;
  readonly removed: boolean;
  readonly undo: Undo | undefined;
}

export interface DisavowalLinks {
  /** The token of a link for the account as it was before the change. */
  make(before: User, way: WayIn, change: Pick<ChangedWay, 'removed' | 'undo'>): Promise<string>;
  /**
   * Uses a token up, in a transaction with what it brings about. With it go all links of this
   * account that were made later: an attacker may have bound an address of their own and got them.
   * Null for one that is unknown, used, expired or went so.
   */
  use(inside: Pick<Storage, 'verificationCodes'>, token: string): Promise<Disavowed | null>;
}

export const disavowalDays = 3;
const seconds = disavowalDays * 24 * 3600;
const purpose = 'not-me';
/** Which links of a user went with one that was used. */
const voidPurpose = 'not-me-void';

export interface DisavowalLinkDeps {
  readonly storage: Pick<Storage, 'verificationCodes'>;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'base64url'>;
}

export function createDisavowalLinks({ storage, clock, ids }: DisavowalLinkDeps): DisavowalLinks {
  const { hash } = storage.verificationCodes;
  const keyOf = (token: string) => hash(`${purpose}:${token}`);
  const voidKeyOf = (userId: number) => hash(`${voidPurpose}:${userId}`);

  const put = (codes: Storage['verificationCodes'], name: string, key: string, payload: object) =>
    codes.put({
      purpose: name,
      subjectHash: key,
      codeHash: key,
      expiresAt: nowSeconds(clock) + seconds,
      payload: JSON.stringify(payload),
    });

  return {
    make: async ({ id, email }, way, { removed = false, undo }) => {
      const token = ids.base64url(32);
      await put(storage.verificationCodes, purpose, keyOf(token), {
        userId: id,
        address: email,
        way,
        removed,
        undo,
        at: clock.now(),
      });
      return token;
    },
    use: async ({ verificationCodes: codes }, token) => {
      const row = await codes.find(purpose, keyOf(token));
      const link =
        row === null || row.expiresAt <= nowSeconds(clock) ? undefined : parseObject(row.payload);
      if (link === undefined) return null;
      const userId = Number(link['userId']);
      const at = Number(link['at']);
      const earlier = parseObject(
        (await codes.find(voidPurpose, voidKeyOf(userId)))?.payload ?? '',
      );
      const from = Number(earlier?.['from'] ?? Number.NaN);
      const until = Number(earlier?.['until'] ?? Number.NaN);
      if (at > from && at <= until) return null;
      if (!(await codes.consume(purpose, keyOf(token), keyOf(token)))) return null;
      const first = Number.isNaN(from) ? at : Math.min(from, at);
      await put(codes, voidPurpose, voidKeyOf(userId), { from: first, until: clock.now() });
      return {
        userId,
        address: String(link['address']),
        way: link['way'] as WayIn,
        removed: link['removed'] === true,
        undo: isObject(link['undo']) ? (link['undo'] as Undo) : undefined,
      };
    },
  };
}
