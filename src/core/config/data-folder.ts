import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  linkSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../kernel/errors.ts';
import { namingFile } from '../kernel/file-problems.ts';
import { parseJson } from '../kernel/json.ts';
import { Secret } from '../kernel/secret.ts';
import { z } from '../kernel/zod.ts';
import { makeFolder } from './make-folder.ts';
import type { Config } from './schema.ts';

/** An opened data folder and the secrets stored in it. */
export interface DataFolder {
  readonly path: string;
  /** Pepper of stored hashes (docs/rules/security.md#key-file). */
  readonly sessionSecret: Secret;
  /**
   * Encrypts keys at rest; to change it, run `rotate-crypto`
   * (docs/rules/security.md#secrets-at-rest).
   */
  readonly cryptoSecret: Secret;
}

const secretFile = z.object({
  session_secret: z.string().min(1),
  crypto_secret: z.string().min(1),
});

/**
 * Creates the folder (mode 0700) if it is missing, and `secret.json` (mode 0600) in it. An existing
 * file is never replaced, because the database is encrypted with it. CRYPTO_SECRET and
 * SESSION_SECRET take precedence over the file. Throws AppError internal_error when the file exists
 * but cannot be read.
 */
export function openDataFolder(
  config: Pick<Config, 'dataDir' | 'sessionSecret' | 'cryptoSecret'>,
): DataFolder {
  makeFolder(config.dataDir);
  const stored = readOrCreateSecrets(secretPath(config.dataDir));
  return {
    path: config.dataDir,
    sessionSecret: new Secret(config.sessionSecret || stored.session_secret),
    cryptoSecret: new Secret(config.cryptoSecret || stored.crypto_secret),
  };
}

/**
 * The secrets of a data folder as {@link openDataFolder} would give them, without creating the key
 * file. Undefined if neither the environment nor the folder has them all. Throws AppError
 * secret_file_damaged.
 */
export function findSecrets(
  config: Pick<Config, 'dataDir' | 'sessionSecret' | 'cryptoSecret'>,
): FoundSecrets | undefined {
  const path = secretPath(config.dataDir);
  const stored = existsSync(path) ? readSecrets(path) : undefined;
  const crypto = config.cryptoSecret || stored?.crypto_secret;
  if (crypto === undefined) return undefined;
  return {
    cryptoSecret: new Secret(crypto),
    sessionSecret: new Secret(config.sessionSecret || (stored?.session_secret ?? '')),
  };
}

export type FoundSecrets = Omit<DataFolder, 'path'>;

export const secretPath = (dataDir: string): string => join(dataDir, 'secret.json');

const newSecret = (): string => randomBytes(32).toString('base64url');

/**
 * The key file's text. A pepper that is not known, as where only CRYPTO_SECRET is set, is replaced
 * by a new one.
 */
export function secretText(secrets: FoundSecrets): string {
  const content = {
    session_secret: secrets.sessionSecret.reveal() || newSecret(),
    crypto_secret: secrets.cryptoSecret.reveal(),
  };
  return `${JSON.stringify(content, null, 2)}\n`;
}

/** The secrets of a key file's text; undefined if it is none. */
export function parseSecrets(text: string): FoundSecrets | undefined {
  const { data } = secretFile.safeParse(parseJson(text));
  return (
    data && {
      sessionSecret: new Secret(data.session_secret),
      cryptoSecret: new Secret(data.crypto_secret),
    }
  );
}

function readOrCreateSecrets(path: string): z.infer<typeof secretFile> {
  if (!existsSync(path)) {
    const created = { session_secret: newSecret(), crypto_secret: newSecret() };
    try {
      namingFile(path, () => createPrivateFile(path, `${JSON.stringify(created, null, 2)}\n`));
      return created;
    } catch (error) {
      // another process was first: read its file
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  return readSecrets(path);
}

function readSecrets(path: string): z.infer<typeof secretFile> {
  const parsed = secretFile.safeParse(
    parseJson(namingFile(path, () => readFileSync(path, 'utf8'))),
  );
  if (!parsed.success) throw new AppError('secret_file_damaged', { path });
  return parsed.data;
}

/** Writes a file atomically that only its owner may read. Replaces an existing one. */
export function writePrivateFile(path: string, content: string): void {
  namingFile(path, () => renameSync(writeDraft(path, content), path));
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

/**
 * Writes the content to a temporary file; a failed write, as on a full disk, leaves none behind.
 */
function writeDraft(path: string, content: string): string {
  const draft = `${path}.draft-${process.pid}`;
  try {
    writeFileSync(draft, content, { mode: 0o600, flush: true });
    chmodSync(draft, 0o600); // an old draft may have had another mode
    return draft;
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
