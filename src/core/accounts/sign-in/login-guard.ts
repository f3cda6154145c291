import { createHash } from 'node:crypto';
import type { Cluster } from '../../cluster/cluster.ts';
import { AppError } from '../../kernel/errors.ts';
import { networkOf } from '../../kernel/network.ts';
import type { User } from '../../storage/storage.ts';
import type { KnownDevices } from './known-devices.ts';

/** What is guessed. */
export interface Guessed {
  /**
   * A password; a code of an app, or a recovery code; a code that was mailed or sent to a phone.
   */
  readonly kind: 'password' | 'factor' | 'code';
  /** Whose: each name has counts of its own. */
  readonly name: string;
  /** The account, where there is one. */
  readonly userId?: number | undefined;
}

/** Where an attempt comes from. */
export interface AttemptOrigin {
  /** The client's address; '' inside the process, which is not counted by address. */
  readonly ip: string;
  /** The cookie of {@link KnownDevices}. */
  readonly device?: string | undefined;
  /** The session of the account in which it is made: as good as a known browser. */
  readonly session?: string | undefined;
}

export interface Attempt {
  /** It was right: it counts for nothing, and so do those before it. */
  succeed(): Promise<void>;
}

/**
 * The one limit of guesses at passwords and codes (docs/rules/accounts.md#login-lock), for each
 * door alike. Failures are counted for the account from one address, for the account from
 * everywhere, and for an address over all accounts; in a browser that is known for the account only
 * there, so that nobody can keep its owner out.
 */
export interface LoginGuard {
  /**
   * Counts an attempt before it is checked, so that parallel guesses count too. Throws AppError
   * account_locked.
   */
  begin(guessed: Guessed, from: AttemptOrigin): Promise<Attempt>;
  /** Forgets what was counted from everywhere: there is something else to guess now. */
  forget(guessed: Guessed): Promise<void>;
}

const windowMs = 15 * 60_000;
/** Failures in the window: of an account from one address or in one known browser. */
const perPlace = 10;
/** Of an address over all accounts, so that guesses do not multiply with accounts. */
const perAddress = 50;
/**
 * Of an account from everywhere, which anybody can bring about for a password. For the second
 * factor one must know the password, and six digits bear fewer guesses.
 */
const perAccount = { password: 50, code: 50, factor: 10 } as const;

export interface LoginGuardDeps {
  readonly cluster: Pick<Cluster, 'counter'>;
  readonly devices: Pick<KnownDevices, 'find'>;
}

export function createLoginGuard({ cluster, devices }: LoginGuardDeps): LoginGuard {
  const places = cluster.counter('sign-in.places');
  const accounts = cluster.counter('sign-in.accounts');
  const addresses = cluster.counter('sign-in.addresses');
  const nameOf = ({ kind, name }: Guessed) => `${kind}:${name}`;

  const count = async (counter: typeof places, key: string, limit: number): Promise<void> => {
    const { count: failures, remainingMs } = await counter.increment(key, windowMs);
    if (failures === limit) await counter.extend(key, windowMs);
    if (failures <= limit) return;
    const seconds = Math.max(1, Math.ceil(remainingMs / 1000));
    throw new AppError('account_locked', { minutes: Math.ceil(seconds / 60), seconds });
  };

  const knownPlace = (
    { userId }: Guessed,
    { device, session }: AttemptOrigin,
  ): string | undefined => {
    if (session !== undefined) return `session:${session}`;
    const nonce = userId === undefined ? undefined : devices.find(device, userId);
    return nonce === undefined ? undefined : `device:${nonce}`;
  };

  return {
    begin: async (guessed, from) => {
      const name = nameOf(guessed);
      const known = knownPlace(guessed, from);
      if (known !== undefined) {
        const key = `${name}|${known}`;
        await count(places, key, perPlace);
        return { succeed: async () => void (await places.reset(key)) };
      }
      const network = networkOf(from.ip);
      const place = `${name}|${network}`;
      // In this order: what is refused for its place counts neither for the address nor for the
      // account.
      if (network !== '') {
        await count(places, place, perPlace);
        await count(addresses, network, perAddress);
      }
      await count(accounts, name, perAccount[guessed.kind]);
      return {
        succeed: async () => {
          await places.reset(place);
          await accounts.reset(name);
          if (network !== '') await addresses.decrement(network);
        },
      };
    },
    forget: async (guessed) => {
      await accounts.reset(nameOf(guessed));
    },
  };
}

/** A password of this account. One that replaces it has counts of its own. */
export function passwordOf({ id, passwordHash }: Pick<User, 'id' | 'passwordHash'>): Guessed {
  const mark = createHash('sha256').update(passwordHash.reveal()).digest('hex').slice(0, 16);
  return { kind: 'password', name: `${id}:${mark}`, userId: id };
}
