import { argon2, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { AppError } from '../kernel/errors.ts';
import type { Ids } from '../kernel/ids.ts';
import { Secret } from '../kernel/secret.ts';

/**
 * Runs computations one after the other. Each occupies a thread of Node's pool, which files, names
 * and compression use too, so a flood of sign-ins must not take them all
 * (docs/rules/accounts.md#hashing-queue).
 */
interface HashingQueue {
  /** Throws AppError sign_in_busy if too many are waiting. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Throws AppError sign_in_busy if {@link run} would. */
  checkRoom(): void;
}

export function createHashingQueue(mostWaiting: number): HashingQueue {
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  const checkRoom = (): void => {
    if (waiting >= mostWaiting) throw new AppError('sign_in_busy', { seconds: 1 });
  };
  return {
    checkRoom,
    run: async (work) => {
      checkRoom();
      waiting += 1;
      const result = last.then(work).finally(() => {
        waiting -= 1;
      });
      last = result.catch(() => undefined);
      return result;
    },
  };
}

/** Node runs the source itself; a build puts the worker beside the bundle. */
const ownWorker = new URL(
  import.meta.url.endsWith('.ts') ? './bcrypt-worker.ts' : './bcrypt-worker.js',
  import.meta.url,
);

/**
 * Compares in a thread of its own, because bcrypt is written in JavaScript and would block
 * everything else. Only imported accounts have such hashes, until their first sign-in. A malformed
 * hash matches nothing.
 */
function compareBcrypt(password: string, hash: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(ownWorker, { workerData: { password, hash } });
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('the bcrypt thread ended without a result')));
  });
}

/** Passwords are kept as argon2id in PHC text (docs/rules/accounts.md#passwords). Memory in KiB. */
interface Cost {
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
}
const cost: Cost = { memory: 19_456, passes: 2, parallelism: 1 };
const tagLength = 32;
const saltBytes = 16;

const derive = promisify(argon2);

/** Passwords of one process: some 25 ms each, so the last of the queue waits about a second. */
const hashing = createHashingQueue(50);

/** Throws AppError sign_in_busy if a password could not be checked now. */
export const checkHashingRoom = (): void => hashing.checkRoom();

export interface PasswordCheck {
  readonly matches: boolean;
  /** The password matches, but its hash is bcrypt (imported) or has another cost: hash it again. */
  readonly outdated: boolean;
}

export async function hashPassword(password: string, ids: Pick<Ids, 'hex'>): Promise<Secret> {
  const salt = Buffer.from(ids.hex(saltBytes), 'hex');
  const tag = await run(password, salt, cost, tagLength);
  return new Secret(
    `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${base64(salt)}$${base64(tag)}`,
  );
}

/**
 * What a new password changes: the system access token ends with the old one
 * (docs/rules/accounts.md#system-access-token).
 */
export async function passwordChange(password: string, ids: Pick<Ids, 'hex'>) {
  return { passwordHash: await hashPassword(password, ids), accessTokenHash: null };
}

const phc =
  /^\$argon2id\$v=19\$m=(\d{1,8}),t=(\d{1,3}),p=(\d{1,3})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** An empty or malformed hash matches no password. */
export async function verifyPassword(password: string, hash: string): Promise<PasswordCheck> {
  if (/^\$2[aby]\$/.test(hash)) {
    const matches = await hashing.run(() => compareBcrypt(password, hash));
    return { matches, outdated: matches };
  }
  const [, memory, passes, parallelism, salt, tag] = phc.exec(hash) ?? [];
  if (salt === undefined || tag === undefined) return { matches: false, outdated: false };
  const used: Cost = {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
  };
  const expected = Buffer.from(tag, 'base64');
  const matches = timingSafeEqual(
    await run(password, Buffer.from(salt, 'base64'), used, expected.length),
    expected,
  );
  return {
    matches,
    outdated: matches && (used.memory !== cost.memory || used.passes !== cost.passes),
  };
}

/** Takes as long as a real check, so that timing does not reveal whether a user name exists. */
export async function verifyNothing(password: string): Promise<void> {
  await run(password, Buffer.alloc(saltBytes), cost, tagLength);
}

async function run(
  password: string,
  nonce: Buffer,
  { memory, passes, parallelism }: Cost,
  length: number,
): Promise<Buffer> {
  return hashing.run(() =>
    derive('argon2id', {
      message: password,
      nonce,
      memory,
      passes,
      parallelism,
      tagLength: length,
    }),
  );
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
