import type { SignedInUser, UserEntity } from '../contract/entities.ts';
import { parseObject } from '../kernel/json.ts';
import type { User } from '../storage/storage.ts';
import type { IdentitiesOfUser } from './identities.ts';

/**
 * The fields of a user that API replies contain (docs/rules/console-api.md#hidden-values). `own`: the reader is this user;
 * only then the settings contain the webhook secret.
 */
export function presentUser(user: User, identities: IdentitiesOfUser, own: boolean): UserEntity {
  return {
    id: user.id,
    username: user.username,
    display_name: user.displayName,
    nickname: user.nickname,
    portrait: user.portrait,
    role: user.role,
    status: user.status,
    ...presentContact(user),
    github_id: identities['github'] ?? '',
    oidc_id: identities['oidc'] ?? '',
    wechat_id: identities['wechat'] ?? '',
    telegram_id: identities['telegram'] ?? '',
    linux_do_id: identities['linux_do'] ?? '',
    group: user.group,
    quota: user.quota,
    used_quota: user.usedQuota,
    request_count: user.requestCount,
    aff_code: user.affCode ?? '',
    aff_count: user.affCount,
    aff_quota: user.affQuota,
    aff_history_quota: user.affHistory,
    inviter_id: user.inviterId,
    setting: own ? user.setting : withoutSecret(user.setting),
    created_at: user.createdAt,
    DeletedAt: user.deletedAt === null ? null : new Date(user.deletedAt * 1000).toISOString(),
  };
}

/** The reply to a sign-in by any method. */
export function presentSignedIn(user: User): SignedInUser {
  const { id, username, nickname, portrait, role, status, group } = user;
  return { id, username, display_name: user.displayName, nickname, portrait, role, status, group };
}

export function presentContact(user: User): Pick<UserEntity, 'email' | 'phone'> {
  return { email: user.email, phone: maskPhone(user.phone ?? '') };
}

/** `+8613812345678` → `+86138****5678`. */
function maskPhone(phone: string): string {
  return phone === '' ? '' : `${phone.slice(0, -8)}****${phone.slice(-4)}`;
}

function withoutSecret(setting: string): string {
  if (!setting.includes('webhook_secret')) return setting;
  const { webhook_secret: _, ...rest } = parseObject(setting) ?? {};
  return JSON.stringify(rest);
}
