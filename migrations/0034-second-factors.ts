import { empty, required, type Step, zero } from '../src/core/storage/columns.ts';

export const secondFactors: Step = async (schema, kinds) => {
  await schema
    .createTable('totp_secrets')
    .addColumn('user_id', 'bigint', (column) => column.primaryKey())
    .addColumn('secret_enc', 'text', required)
    .addColumn('confirmed_at', 'bigint', zero)
    .addColumn('last_step', 'bigint', zero)
    .addColumn('created_at', 'bigint', required)
    .execute();
  await kinds
    .id(schema.createTable('passkeys'))
    .addColumn('user_id', 'bigint', required)
    .addColumn('credential_id', 'text', required)
    .addColumn('public_key', 'text', required)
    .addColumn('counter', 'bigint', zero)
    .addColumn('transports', 'text', empty)
    .addColumn('rp_id', 'text', required)
    .addColumn('name', 'text', empty)
    .addColumn('backed_up', 'integer', zero)
    .addColumn('created_at', 'bigint', required)
    .addColumn('last_used_at', 'bigint', zero)
    .execute();
  await schema
    .createIndex('passkeys_credential_id_unique')
    .on('passkeys')
    .column('credential_id')
    .unique()
    .execute();
  await schema.createIndex('passkeys_user_id').on('passkeys').column('user_id').execute();
  await schema
    .createTable('recovery_codes')
    .addColumn('user_id', 'bigint', required)
    .addColumn('code_hash', 'text', required)
    .addPrimaryKeyConstraint('recovery_codes_pkey', ['user_id', 'code_hash'])
    .execute();
  await schema.alterTable('sessions').addColumn('confirmed_at', 'bigint', zero).execute();
};
