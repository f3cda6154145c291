/**
 * Authenticator apps and passkeys of New API, for users that this run imports
 * (docs/rules/import.md#second-factors).
 */
import { setImmediate } from 'node:timers/promises';
import { AppError } from '../kernel/errors.ts';
import { parseJson } from '../kernel/json.ts';
import type { ImportedRow, Storage } from '../storage/storage.ts';
import { toDeletedAt, toFlag, toInteger, toTrimmed } from './convert.ts';
import { Notes } from './notes.ts';
import type { TableReport } from './report.ts';
import type { ImportSource, SourceRow } from './source/source.ts';

export interface FactorRun {
  readonly source: ImportSource;
  /** Null: nothing is written. */
  readonly storage: Storage | null;
  readonly batch: number;
  /** Unix seconds. */
  readonly now: number;
  /** The host that passkeys were made for; '' where it is unknown. */
  readonly host: string;
  readonly signal: AbortSignal;
  readonly hasUser: (id: number) => boolean;
  /** Users that are there already keep the factors that they have here. */
  readonly isNewUser: (id: number) => boolean;
}

type Convert = (row: SourceRow) => ImportedRow | 'factor_inactive' | 'factor_unusable';

export const importTotpSecrets = (run: FactorRun): Promise<TableReport> =>
  importFactors(run, 'two_fas', 'totp_secrets', (row) => {
    if (toFlag(row['is_enabled']) === 0) return 'factor_inactive';
    const secret = toTrimmed(row['secret']).toUpperCase().replace(/[\s=]/g, '');
    if (!/^[A-Z2-7]{16,}$/.test(secret)) return 'factor_unusable';
    const createdAt = toDeletedAt(row['created_at']) || run.now;
    return {
      user_id: toInteger(row['user_id']),
      secret,
      confirmed_at: createdAt,
      last_step: 0,
      created_at: createdAt,
    };
  });

export const importPasskeys = (run: FactorRun): Promise<TableReport> =>
  importFactors(run, 'passkey_credentials', 'passkeys', (row) => {
    const credentialId = toBase64Url(toTrimmed(row['credential_id']));
    const publicKey = toBase64Url(toTrimmed(row['public_key']));
    if (credentialId === '' || publicKey === '' || run.host === '') return 'factor_unusable';
    const transports = parseJson(toTrimmed(row['transports']));
    return {
      user_id: toInteger(row['user_id']),
      credential_id: credentialId,
      public_key: publicKey,
      counter: toInteger(row['sign_count']),
      transports: Array.isArray(transports) ? transports.join(',') : '',
      rp_id: run.host,
      name: 'New API',
      backed_up: toFlag(row['backup_state']),
      created_at: toDeletedAt(row['created_at']) || run.now,
      last_used_at: toDeletedAt(row['last_used_at']) ?? 0,
    };
  });

async function importFactors(
  { source, storage, batch, signal, hasUser, isNewUser }: FactorRun,
  table: string,
  target: 'totp_secrets' | 'passkeys',
  convert: Convert,
): Promise<TableReport> {
  const notes = new Notes();
  const seen = new Set<unknown>();
  let read = 0;
  let carried = 0;
  let alreadyThere = 0;
  for await (const rows of source.rows(table, 'id', batch)) {
    await setImmediate();
    if (signal.aborted) throw new AppError('import_interrupted');
    const kept: ImportedRow[] = [];
    for (const row of rows) {
      const converted = toDeletedAt(row['deleted_at']) === null ? convert(row) : 'factor_inactive';
      if (typeof converted === 'string') notes.add(converted, `user ${toInteger(row['user_id'])}`);
      else if (!hasUser(Number(converted['user_id'])))
        notes.add('owner_missing', `user ${converted['user_id']}`);
      else if (!isNewUser(Number(converted['user_id']))) alreadyThere += 1;
      else {
        // A user has one secret, and a credential one owner.
        const unique = converted['credential_id'] ?? converted['user_id'];
        if (seen.has(unique)) notes.add('factor_unusable', `user ${converted['user_id']}`);
        else kept.push(converted);
        seen.add(unique);
      }
    }
    read += rows.length;
    carried += kept.length;
    await storage?.imports.insert(target, kept);
  }
  return {
    table,
    read,
    carried,
    leftOut: read - carried - alreadyThere,
    alreadyThere,
    notes: notes.list(),
  };
}

function toBase64Url(text: string): string {
  return /^[A-Za-z0-9+/_=-]+$/.test(text) ? Buffer.from(text, 'base64').toString('base64url') : '';
}
