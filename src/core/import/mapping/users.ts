import { hashSecret } from '../../accounts/sessions.ts';
import { userStatuses } from '../../vocabulary/statuses.ts';
import { toTrimmed } from '../convert.ts';
import type { Notes } from '../notes.ts';
import type { TableMapping } from './mapping.ts';

/** The source's column of each identity, with our provider. */
const identities = {
  github_id: 'github',
  oidc_id: 'oidc',
  wechat_id: 'wechat',
  telegram_id: 'telegram',
  linux_do_id: 'linux_do',
} as const;
/** Identities of providers that we do not have. */
const foreignIdentities = ['lark_id', 'discord_id'] as const;

/** Every hash of a password that logs in here begins so. */
const bcryptHash = /^\$2[abxy]?\$/;

export const usersMapping: TableMapping = {
  source: 'users',
  target: 'users',
  columns: {
    id: { as: 'integer' },
    username: { as: 'trimmed' },
    password: { as: 'trimmed' },
    display_name: { as: 'trimmed' },
    role: { as: 'integer', missing: 1 },
    status: { as: 'integer', missing: 1 },
    email: { as: 'trimmed' },
    quota: { as: 'amount' },
    used_quota: { as: 'amount' },
    request_count: { as: 'integer' },
    group: { as: 'trimmed', missing: 'default' },
    aff_code: { as: 'trimmed' },
    aff_count: { as: 'integer' },
    aff_quota: { as: 'amount' },
    aff_history: { as: 'amount' },
    inviter_id: { as: 'integer' },
    setting: { as: 'json' },
    created_at: { as: 'integer' },
    deleted_at: { as: 'deleted' },
  },
  alsoRead: [...Object.keys(identities), ...foreignIdentities, 'access_token'],
  figures: ['quota', 'used_quota', 'request_count', 'aff_quota', 'aff_history'],
  user: 'id',
  refine(context, notes) {
    const names = new Set<string>();
    const taken = { email: new Set<string>(), code: new Set<string>(), token: new Set<string>(), identity: new Set<string>() };
    return (draft, source) => {
      const id = Number(draft['id']);
      const named = `${id} ${draft['username']}`;
      const username = freeName(String(draft['username']) || `user_${id}`, names);
      if (username !== draft['username']) notes.add('name_suffixed', `${named} → ${username}`);
      if (draft['status'] === userStatuses.deleted) {
        draft['deleted_at'] ??= context.now;
        notes.add('deleted_user', named);
      }
      const isDeleted = draft['deleted_at'] !== null;
      if (!bcryptHash.test(String(draft['password']))) {
        draft['password'] = '';
        notes.add('password_missing', named);
      }
      const email = String(draft['email']).toLowerCase();
      const keepsEmail = email === '' || claim(taken.email, email, 'email_dropped', `${named} ${email}`, notes);
      const code = String(draft['aff_code']);
      const keepsCode = code !== '' && claim(taken.code, code, 'invite_code_dropped', named, notes);
      const token = isDeleted ? '' : toTrimmed(source['access_token']);
      const keepsToken = token !== '' && claim(taken.token, token, 'access_token_dropped', named, notes);
      const subjects = Object.entries(identities).flatMap(([column, provider]) => {
        const subject = toTrimmed(source[column]);
        const isFree =
          subject !== '' && claim(taken.identity, `${provider} ${subject}`, 'identity_dropped', `${named} ${provider}`, notes);
        return isFree ? [{ provider, subject }] : [];
      });
      for (const column of foreignIdentities) {
        if (toTrimmed(source[column]) !== '') notes.add('identity_dropped', `${named} ${column}`);
      }
      return {
        row: {
          ...draft,
          username,
          username_normalized: username.toLowerCase(),
          email: keepsEmail ? email : '',
          email_verified: keepsEmail && email !== '' ? 1 : 0,
          aff_code: keepsCode ? code : null,
          access_token_hash: keepsToken ? hashSecret(token) : null,
          group: String(draft['group']) || 'default',
        },
        others: subjects.map(({ provider, subject }) => ({
          table: 'user_identities',
          row: { user_id: id, provider, subject, created_at: Number(draft['created_at']) },
        })),
      };
    };
  },
};

/** Names are unique ignoring case here: a later user gets `_2`, `_3`, … */
function freeName(name: string, names: Set<string>): string {
  let free = name;
  for (let number = 2; names.has(free.toLowerCase()); number++) free = `${name}_${number}`;
  names.add(free.toLowerCase());
  return free;
}

/** False, with a note, where an older user has it. */
function claim(
  taken: Set<string>,
  value: string,
  reason: 'email_dropped' | 'invite_code_dropped' | 'access_token_dropped' | 'identity_dropped',
  example: string,
  notes: Notes,
): boolean {
  if (taken.has(value)) {
    notes.add(reason, example);
    return false;
  }
  taken.add(value);
  return true;
}
