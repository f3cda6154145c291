import type { UserIdentity, UserIdentityRepository } from '../entities/user-identity.ts';
import { defineMapping, integer, text } from '../mapping.ts';
import { type Access, changed } from './access.ts';

const mapping = defineMapping<'user_identities', UserIdentity>({
  userId: integer('user_id'),
  provider: text('provider'),
  subject: text('subject'),
  createdAt: integer('created_at'),
});

export function createUserIdentityRepository({ read, write }: Access): UserIdentityRepository {
  return {
    async findUserId(provider, subject) {
      const query = read.selectFrom('user_identities').select('user_id');
      const row = await query
        .where('provider', '=', provider)
        .where('subject', '=', subject)
        .executeTakeFirst();
      return row?.user_id ?? null;
    },
    async listByUsers(userIds) {
      if (userIds.length === 0) return [];
      const query = read.selectFrom('user_identities').selectAll();
      const rows = await query
        .where('user_id', 'in', [...userIds])
        .orderBy('user_id')
        .orderBy('provider')
        .execute();
      return rows.map(mapping.read);
    },
    insert: async (identity) =>
      void (await write.insertInto('user_identities').values(mapping.write(identity)).execute()),
    delete: async (userId, provider) =>
      changed(
        await write
          .deleteFrom('user_identities')
          .where('user_id', '=', userId)
          .where('provider', '=', provider)
          .executeTakeFirst(),
      ),
    deleteByUser: async (userId) =>
      void (await write.deleteFrom('user_identities').where('user_id', '=', userId).execute()),
  };
}
