import { hashSecret } from '../../accounts/sessions.ts';
import { userStatuses } from '../../vocabulary/statuses.ts';
import { toTrimmed } from '../convert.ts';
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
    role: { as: 'int32', missing: 1 },
    status: { as: 'int32', missing: 1 },
    email: { as: 'trimmed' },
    quota: { as: 'integer' },
    used_quota: { as: 'integer' },
    request_count: { as: 'integer' },
    group: { as: 'trimmed', missing: 'default' },
    aff_code: { as: 'trimmed' },
    aff_count: { as: 'integer' },
    aff_quota: { as: 'integer' },
    aff_history: { as: 'integer' },
    inviter_id: { as: 'integer' },
    setting: { as: 'json' },
    created_at: { as: 'integer' },
    deleted_at: { as: 'deleted' },
  },
  alsoRead: [...Object.keys(identities), ...foreignIdentities, 'access_token'],
  same: ['username_normalized', 'email', 'password', 'aff_code', 'access_token_hash'],
  sameByAny: true,
  figures: ['quota', 'used_quota', 'request_count', 'aff_quota', 'aff_history'],
  user: 'id',
  refine(context, notes) {
    const { holders } = context;
    const names = new Map(holders.usernames);
    const taken = {
      email: new Map(holders.emails),
      code: new Map(holders.inviteCodes),
      token: new Map(holders.accessTokenHashes),
      identity: new Map(holders.identities),
    };
    return (draft, source) => {
      const id = Number(draft['id']);
      const named = `${id} ${draft['username']}`;
      const username = freeName(String(draft['username']) || `user_${id}`, id, names);
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
      const keepsEmail =
        email === '' ||
        claim(taken.email, email, id, () => notes.add('email_dropped', `${named} ${email}`));
      const code = String(draft['aff_code']);
      const keepsCode =
        code !== '' && claim(taken.code, code, id, () => notes.add('invite_code_dropped', named));
      const token = isDeleted ? '' : toTrimmed(source['access_token']);
      const tokenHash = token === '' ? null : hashSecret(token);
      const keepsToken =
        tokenHash !== null &&
        claim(taken.token, tokenHash, id, () => notes.add('access_token_dropped', named));
      const subjects = Object.entries(identities).flatMap(([column, provider]) => {
        const subject = toTrimmed(source[column]);
        const isFree =
          subject !== '' &&
          claim(taken.identity, `${provider} ${subject}`, id, () =>
            notes.add('identity_dropped', `${named} ${provider}`),
          );
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
          access_token_hash: keepsToken ? tokenHash : null,
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
function freeName(name: string, id: number, names: Map<string, number>): string {
  const isOthers = (text: string) => ![undefined, id].includes(names.get(text.toLowerCase()));
  let free = name;
  for (let number = 2; isOthers(free); number++) free = `${name}_${number}`;
  names.set(free.toLowerCase(), id);
  return free;
}

/** False, and refused, where another user has it. */
function claim(
  taken: Map<string, number>,
  value: string,
  id: number,
  refused: () => void,
): boolean {
  if (![undefined, id].includes(taken.get(value))) {
    refused();
    return false;
  }
  taken.set(value, id);
  return true;
}
