import { expect, test } from 'vitest';
import {
  presentSignedIn,
  presentUser,
  presentUserInfo,
} from '../../../src/core/accounts/present-user.ts';
import { userEntity, userInfo } from '../../../src/core/contract/entities.ts';
import { toQuota } from '../../../src/core/kernel/quota.ts';
import { Secret } from '../../../src/core/kernel/secret.ts';

const user = {
  id: 3,
  username: 'ann',
  passwordHash: new Secret('hash'),
  displayName: 'Ann',
  nickname: 'A',
  portrait: '/a.png',
  role: 1,
  status: 2,
  email: 'ann@example.org',
  emailVerified: true,
  phone: '+8613812345678',
  phoneVerifiedAt: 7,
  accessTokenHash: 'token hash',
  group: 'vip',
  quota: toQuota(10),
  usedQuota: toQuota(11),
  requestCount: 12,
  held: toQuota(13),
  affCode: 'aB3d',
  affCount: 14,
  affQuota: toQuota(15),
  affHistoryQuota: toQuota(16),
  inviterId: 17,
  setting: '{"notify_type":"webhook","webhook_secret":"whsec"}',
  createdAt: 18,
  seenAt: 19,
  deletedAt: 86_400,
};

test('a user in replies: every field of the contract, in this order, and nothing else', () => {
  expect(Object.entries(presentUser(user, { github: '99', linux_do: '77' }, false))).toEqual([
    ['id', 3],
    ['username', 'ann'],
    ['display_name', 'Ann'],
    ['nickname', 'A'],
    ['portrait', '/a.png'],
    ['role', 1],
    ['status', 2],
    ['email', 'ann@example.org'],
    ['phone', '+86138****5678'],
    ['github_id', '99'],
    ['oidc_id', ''],
    ['wechat_id', ''],
    ['telegram_id', ''],
    ['linux_do_id', '77'],
    ['group', 'vip'],
    ['quota', 10],
    ['used_quota', 11],
    ['request_count', 12],
    ['aff_code', 'aB3d'],
    ['aff_count', 14],
    ['aff_quota', 15],
    ['aff_history_quota', 16],
    ['inviter_id', 17],
    ['setting', '{"notify_type":"webhook"}'],
    ['created_at', 18],
    ['seen_at', 19],
    ['DeletedAt', '1970-01-02T00:00:00.000Z'],
  ]);
});

test('users see whether they have a webhook secret, never which; the phone number stays masked', () => {
  const own = presentUser(user, {}, true);
  expect([own.setting, own.phone]).toEqual([
    '{"notify_type":"webhook","has_webhook_secret":true}',
    '+86138****5678',
  ]);
});

test('what is null in the row is an empty text, except the time of deletion', () => {
  const entity = presentUser({ ...user, phone: null, affCode: null, deletedAt: null }, {}, true);
  expect([entity.phone, entity.aff_code, entity.DeletedAt]).toEqual(['', '', null]);
  expect(userEntity.parse(entity)).toEqual(entity);
});

test('a sign-in shows a part, the user information three fields more', () => {
  const part = {
    id: 3,
    username: 'ann',
    display_name: 'Ann',
    nickname: 'A',
    portrait: '/a.png',
    role: 1,
    status: 2,
    group: 'vip',
  };
  expect(presentSignedIn(user)).toEqual(part);
  expect(presentUserInfo(user)).toEqual({
    ...part,
    email: 'ann@example.org',
    phone: '+86138****5678',
    quota: 10,
  });
  expect(userInfo.strict().safeParse(presentUserInfo(user)).success).toBe(true);
});
