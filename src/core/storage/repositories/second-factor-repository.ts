import { Secret } from '../../kernel/secret.ts';
import type { Passkey, SecondFactorRepository } from '../entities/second-factor.ts';
import { defineMapping, flag, integer, text } from '../mapping.ts';
import { type Access, changed } from './access.ts';

const mapping = defineMapping<'passkeys', Passkey>({
  id: integer('id'),
  userId: integer('user_id'),
  credentialId: text('credential_id'),
  publicKey: text('public_key'),
  counter: integer('counter'),
  transports: text('transports'),
  rpId: text('rp_id'),
  name: text('name'),
  backedUp: flag('backed_up'),
  createdAt: integer('created_at'),
  lastUsedAt: integer('last_used_at'),
});

/** What a stored TOTP secret is bound to. */
export const totpContext = (userId: number): string => `totp_secrets:${userId}`;

const tables = ['totp_secrets', 'passkeys', 'recovery_codes'] as const;

export function createSecondFactorRepository(access: Access): SecondFactorRepository {
  return {
    ...commonPart(access),
    ...totpPart(access),
    ...passkeyPart(access),
    ...recoveryPart(access),
  };
}

function commonPart({
  read,
  atomically,
}: Access): Pick<SecondFactorRepository, 'has' | 'deleteByUser'> {
  return {
    async has(userId) {
      const confirmed = read
        .selectFrom('totp_secrets')
        .select('user_id')
        .where('user_id', '=', userId)
        .where('confirmed_at', '>', 0);
      const passkeys = read.selectFrom('passkeys').select('user_id').where('user_id', '=', userId);
      return (await confirmed.unionAll(passkeys).execute()).length > 0;
    },
    deleteByUser: (userId) =>
      atomically(async (database) => {
        for (const table of tables)
          await database.deleteFrom(table).where('user_id', '=', userId).execute();
      }),
  };
}

type TotpPart = Pick<
  SecondFactorRepository,
  'findTotp' | 'putTotp' | 'confirmTotp' | 'takeTotpStep' | 'deleteTotp'
>;

function totpPart({ read, write, vault }: Access): TotpPart {
  return {
    async findTotp(userId) {
      const row = await read
        .selectFrom('totp_secrets')
        .selectAll()
        .where('user_id', '=', userId)
        .executeTakeFirst();
      if (row === undefined) return null;
      return {
        userId,
        secret: new Secret(vault.open(row.secret_enc, totpContext(userId))),
        sealed: row.secret_enc,
        confirmedAt: row.confirmed_at,
        lastStep: row.last_step,
        createdAt: row.created_at,
      };
    },
    async putTotp(userId, secret, createdAt) {
      const columns = {
        secret_enc: vault.seal(secret.reveal(), totpContext(userId)),
        last_step: 0,
        created_at: createdAt,
      };
      const row = await write
        .insertInto('totp_secrets')
        .values({ user_id: userId, confirmed_at: 0, ...columns })
        .onConflict((conflict) =>
          conflict
            .column('user_id')
            .doUpdateSet(columns)
            .where('totp_secrets.confirmed_at', '=', 0),
        )
        .returning('user_id')
        .executeTakeFirst();
      return row !== undefined;
    },
    confirmTotp: async ({ userId, sealed }, step, at) =>
      changed(
        await write
          .updateTable('totp_secrets')
          .set({ confirmed_at: at, last_step: step })
          .where('user_id', '=', userId)
          .where('secret_enc', '=', sealed)
          .where('confirmed_at', '=', 0)
          .executeTakeFirst(),
      ),
    takeTotpStep: async (userId, step) =>
      changed(
        await write
          .updateTable('totp_secrets')
          .set({ last_step: step })
          .where('user_id', '=', userId)
          .where('confirmed_at', '>', 0)
          .where('last_step', '<', step)
          .executeTakeFirst(),
      ),
    deleteTotp: async (userId) =>
      changed(
        await write.deleteFrom('totp_secrets').where('user_id', '=', userId).executeTakeFirst(),
      ),
  };
}

type PasskeyPart = Pick<
  SecondFactorRepository,
  | 'passkeys'
  | 'findPasskey'
  | 'insertPasskey'
  | 'renamePasskey'
  | 'notePasskeyUse'
  | 'deletePasskey'
>;

function passkeyPart({ read, write }: Access): PasskeyPart {
  return {
    async passkeys(userId) {
      const rows = await read
        .selectFrom('passkeys')
        .selectAll()
        .where('user_id', '=', userId)
        .orderBy('id')
        .execute();
      return rows.map(mapping.read);
    },
    async findPasskey(credentialId) {
      const row = await read
        .selectFrom('passkeys')
        .selectAll()
        .where('credential_id', '=', credentialId)
        .executeTakeFirst();
      return row === undefined ? null : mapping.read(row);
    },
    async insertPasskey(passkey) {
      const columns = mapping.write({ ...passkey, lastUsedAt: 0 });
      return (
        await write.insertInto('passkeys').values(columns).returning('id').executeTakeFirstOrThrow()
      ).id;
    },
    renamePasskey: async (userId, id, name) =>
      changed(
        await write
          .updateTable('passkeys')
          .set({ name })
          .where('user_id', '=', userId)
          .where('id', '=', id)
          .executeTakeFirst(),
      ),
    notePasskeyUse: async ({ id, counter: before }, counter, at) =>
      changed(
        await write
          .updateTable('passkeys')
          .set({ counter, last_used_at: at })
          .where('id', '=', id)
          .where('counter', '=', before)
          .executeTakeFirst(),
      ),
    deletePasskey: async (userId, id) =>
      changed(
        await write
          .deleteFrom('passkeys')
          .where('user_id', '=', userId)
          .where('id', '=', id)
          .executeTakeFirst(),
      ),
  };
}

type RecoveryPart = Pick<
  SecondFactorRepository,
  'putRecoveryCodes' | 'countRecoveryCodes' | 'takeRecoveryCode'
>;

function recoveryPart({ read, write, atomically }: Access): RecoveryPart {
  return {
    putRecoveryCodes: (userId, hashes) =>
      atomically(async (database) => {
        await database.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
        const rows = hashes.map((hash) => ({ user_id: userId, code_hash: hash }));
        if (rows.length > 0) await database.insertInto('recovery_codes').values(rows).execute();
      }),
    async countRecoveryCodes(userId) {
      return (
        await read
          .selectFrom('recovery_codes')
          .select('user_id')
          .where('user_id', '=', userId)
          .execute()
      ).length;
    },
    takeRecoveryCode: async (userId, hash) =>
      changed(
        await write
          .deleteFrom('recovery_codes')
          .where('user_id', '=', userId)
          .where('code_hash', '=', hash)
          .executeTakeFirst(),
      ),
  };
}
