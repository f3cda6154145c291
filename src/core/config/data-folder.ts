import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { AppError } from '../kernel/errors.ts';
import { parseJson } from '../kernel/json.ts';
import { Secret } from '../kernel/secret.ts';
import type { Config } from './schema.ts';

/** What every process that works on a data folder shares. */
export interface DataFolder {
  readonly path: string;
  /** Peppers what is stored hashed (spec, accounts-and-payments 1.3). */
  readonly sessionSecret: Secret;
  /** Encrypts keys at rest; changing it needs `rotate-crypto` (spec, accounts-and-payments 13.4). */
  readonly cryptoSecret: Secret;
}

const secretFile = z.object({ session_secret: z.string().min(1), crypto_secret: z.string().min(1) });

/**
 * Makes the folder (mode 0700) where it is missing, and in it `secret.json` (mode 0600), once: it is never made anew
 * silently, because it protects what the database holds. CRYPTO_SECRET and SESSION_SECRET win over the file. Throws
 * AppError internal_error when the file is there and cannot be read.
 */
export function openDataFolder(config: Pick<Config, 'dataDir' | 'sessionSecret' | 'cryptoSecret'>): DataFolder {
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  const stored = readOrMakeSecrets(join(config.dataDir, 'secret.json'));
  return {
    path: config.dataDir,
    sessionSecret: new Secret(config.sessionSecret || stored.session_secret),
    cryptoSecret: new Secret(config.cryptoSecret || stored.crypto_secret),
  };
}

function readOrMakeSecrets(path: string): z.infer<typeof secretFile> {
  if (!existsSync(path)) {
    const made = { session_secret: randomBytes(32).toString('base64url'), crypto_secret: randomBytes(32).toString('base64url') };
    try {
      createPrivateFile(path, `${JSON.stringify(made, null, 2)}\n`);
      return made;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error; // another process was first: read its file
    }
  }
  const parsed = secretFile.safeParse(parseJson(readFileSync(path, 'utf8')));
  if (!parsed.success) throw new AppError('secret_file_damaged', { path });
  return parsed.data;
}

/** Writes a file that only its owner may read, whole or not at all. Replaces an existing one. */
export function writePrivateFile(path: string, content: string): void {
  renameSync(writeDraft(path, content), path);
}

/** Like {@link writePrivateFile}, but throws EEXIST when the file exists. */
function createPrivateFile(path: string, content: string): void {
  const draft = writeDraft(path, content);
  try {
    linkSync(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** A full disk leaves no half-written draft behind. */
function writeDraft(path: string, content: string): string {
  const draft = `${path}.${process.pid}`;
  try {
    writeFileSync(draft, content, { mode: 0o600 });
    chmodSync(draft, 0o600); // an old draft may have had another mode
    return draft;
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
