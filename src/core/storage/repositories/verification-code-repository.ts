import type { VerificationCode, VerificationCodeRepository } from '../entities/session.ts';
import { defineMapping, integer, text } from '../mapping.ts';
import { type Access, changed, changes } from './access.ts';

const mapping = defineMapping<'verification_codes', VerificationCode>({
  purpose: text('purpose'),
  subjectHash: text('subject_hash'),
  codeHash: text('code_hash'),
  tries: integer('tries'),
  expiresAt: integer('expires_at'),
  payload: text('payload'),
});

export function createVerificationCodeRepository({
  read,
  write,
  vault,
}: Access): VerificationCodeRepository {
  return {
    hash: (text) => vault.hash(text),
    async put(code) {
      const columns = mapping.write({ ...code, tries: 0 });
      await write
        .insertInto('verification_codes')
        .values(columns)
        .onConflict((conflict) =>
          conflict.columns(['purpose', 'subject_hash']).doUpdateSet(columns),
        )
        .execute();
    },
    async find(purpose, subjectHash) {
      const row = await read
        .selectFrom('verification_codes')
        .selectAll()
        .where('purpose', '=', purpose)
        .where('subject_hash', '=', subjectHash)
        .executeTakeFirst();
      return row === undefined ? null : mapping.read(row);
    },
    async countTry(purpose, subjectHash) {
      const row = await write
        .updateTable('verification_codes')
        .set((set) => ({ tries: set('tries', '+', 1) }))
        .where('purpose', '=', purpose)
        .where('subject_hash', '=', subjectHash)
        .returningAll()
        .executeTakeFirst();
      return row === undefined ? null : mapping.read(row);
    },
    async consume(purpose, subjectHash, codeHash) {
      return changed(
        await write
          .deleteFrom('verification_codes')
          .where('purpose', '=', purpose)
          .where('subject_hash', '=', subjectHash)
          .where('code_hash', '=', codeHash)
          .executeTakeFirst(),
      );
    },
    purge: async (now) =>
      changes(
        await write
          .deleteFrom('verification_codes')
          .where('expires_at', '<', now)
          .executeTakeFirst(),
      ),
  };
}
