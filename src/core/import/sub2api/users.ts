import { userFields } from '../../entities/user.ts';
import { roles } from '../../vocabulary/roles.ts';
import { userStatuses } from '../../vocabulary/statuses.ts';
import type { DraftRow, TableMapping } from '../mapping/mapping.ts';
import { usersMapping } from '../mapping/users.ts';
import type { OldSite } from './old-site.ts';

const longestName = userFields.username.limits.max;
const nameRule = userFields.username.limits.pattern;

/** People sign in by email there; the name before the @ becomes their user name. */
function nameOf(id: number, username: string, email: string): string {
  const isName = (text: string) => text !== '' && text.length <= longestName && nameRule.test(text);
  const local = email.replace(/@.*$/, '').slice(0, longestName - 3);
  return [username, local].find(isName) ?? `user_${id}`;
}

export const usersFrom = (site: OldSite): TableMapping => ({
  ...usersMapping,
  columns: {
    id: { as: 'integer' },
    username: { as: 'trimmed' },
    password: { from: 'password_hash', as: 'trimmed' },
    role: { as: 'trimmed' },
    status: { as: 'trimmed' },
    email: { as: 'trimmed' },
    quota: { from: 'balance', as: 'money' },
    created_at: { as: 'instant' },
    deleted_at: { as: 'deleted' },
  },
  // Which groups somebody may use follows from the keys; the rest is of the old program's own work.
  alsoRead: [
    'updated_at',
    'last_login_at',
    'last_active_at',
    'signup_source',
    'token_version',
    'total_recharged',
    'totp_enabled',
    'totp_enabled_at',
    'totp_secret_encrypted',
  ],
  figures: ['quota'],
  refine(context, notes) {
    const finish = usersMapping.refine?.(context, notes);
    return (draft, source) => {
      const id = Number(draft['id']);
      const given = String(draft['username']);
      const email = String(draft['email']).toLowerCase();
      const username = nameOf(id, given, email);
      const named = `${id} ${username}`;
      const isDeleted = draft['deleted_at'] !== null;
      if (source['totp_enabled'] === true) notes.add('factor_unusable', named);
      const identities = site.identities.get(id) ?? {};
      for (const name of Object.keys(identities))
        if (name.startsWith('other ')) notes.add('identity_dropped', `${named} ${name.slice(6)}`);
      const used = site.usage.byUser.get(id);
      const row: DraftRow = {
        ...draft,
        username,
        display_name: [...given].slice(0, 20).join(''),
        role: roleOf(site, id, String(draft['role'])),
        status: draft['status'] === 'active' ? userStatuses.active : userStatuses.banned,
        // Addresses of people who deleted their account may be somebody's again; those of people
        // who came by another site's account are made up.
        email: isDeleted || email.endsWith('.invalid') ? '' : email,
        group: site.homes.get(id) ?? 'default',
        used_quota: used?.quota ?? 0,
        request_count: used?.count ?? 0,
        aff_code: '',
        aff_count: 0,
        aff_quota: 0,
        aff_history: 0,
        inviter_id: 0,
        setting: '',
      };
      const mapped = finish?.(row, identities) ?? null;
      if (mapped !== null) site.usernames.set(id, String(mapped.row['username']));
      return mapped;
    };
  },
});

/** The first of the administrators is the root user: there is none there. */
function roleOf({ firstAdmin }: OldSite, id: number, role: string): number {
  if (role !== 'admin') return roles.user;
  return id === firstAdmin ? roles.root : roles.admin;
}
