import { empty, required, type Step, zero } from '../src/core/storage/columns.ts';

export const verificationCodes: Step = async (schema) => {
  await schema
    .createTable('verification_codes')
    .addColumn('purpose', 'text', required)
    .addColumn('subject_hash', 'text', required)
    .addColumn('code_hash', 'text', required)
    .addColumn('tries', 'integer', zero)
    .addColumn('expires_at', 'bigint', required)
    .addColumn('payload', 'text', empty)
    .addPrimaryKeyConstraint('verification_codes_pkey', ['purpose', 'subject_hash'])
    .execute();
};
