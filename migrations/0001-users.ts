import {
  empty,
  initially,
  required,
  type Step,
  uniqueIndexName,
  zero,
} from '../src/core/storage/columns.ts';

const identities = ['github_id', 'oidc_id', 'wechat_id', 'telegram_id', 'linux_do_id'];

export const users: Step = async (schema, kinds) => {
  await kinds
    .id(schema.createTable('users'))
    .addColumn('username', 'text', required)
    .addColumn('username_normalized', 'text', required)
    .addColumn('password', 'text', required)
    .addColumn('display_name', 'text', empty)
    .addColumn('nickname', 'text', empty)
    .addColumn('portrait', 'text', empty)
    .addColumn('role', 'integer', initially(1))
    .addColumn('status', 'integer', initially(1))
    .addColumn('email', 'text', empty)
    .addColumn('email_verified', 'integer', zero)
    .addColumn('phone', 'text')
    .addColumn('phone_verified_at', 'bigint', zero)
    .addColumn('github_id', 'text', empty)
    .addColumn('oidc_id', 'text', empty)
    .addColumn('wechat_id', 'text', empty)
    .addColumn('telegram_id', 'text', empty)
    .addColumn('linux_do_id', 'text', empty)
    .addColumn('access_token_hash', 'text')
    .addColumn('quota', 'bigint', zero)
    .addColumn('used_quota', 'bigint', zero)
    .addColumn('request_count', 'bigint', zero)
    .addColumn('held', 'bigint', zero)
    .addColumn('group', 'text', initially('default'))
    .addColumn('aff_code', 'text')
    .addColumn('aff_count', 'bigint', zero)
    .addColumn('aff_quota', 'bigint', zero)
    .addColumn('aff_history', 'bigint', zero)
    .addColumn('inviter_id', 'bigint', zero)
    .addColumn('setting', 'text', empty)
    .addColumn('created_at', 'bigint', zero)
    .addColumn('deleted_at', 'bigint')
    .execute();
  const unique = (column: string) =>
    schema.createIndex(uniqueIndexName('users', column)).on('users').unique().column(column);
  for (const column of ['username_normalized', 'phone', 'access_token_hash', 'aff_code'])
    await unique(column).execute();
  await unique('email').where('email', '!=', '').where('email_verified', '=', 1).execute();
  for (const column of identities) await unique(column).where(column, '!=', '').execute();
};
