import type { SignedInUser, UserEntity, UserInfo } from '../contract/entities.ts';
import { createPresenter, rowName } from '../entities/convert.ts';
import type { Fields, RowName } from '../entities/field.ts';
import { signedInUserFields, userFields, userInfoFields } from '../entities/user.ts';
import { parseObject } from '../kernel/json.ts';
import { maskPhone } from '../kernel/phone-number.ts';
import type { User } from '../storage/storage.ts';
import type { IdentitiesOfUser } from './identities.ts';

const present = createPresenter(userFields, {
  phone: maskPhone,
  setting: (text) => withoutSecret(text, false),
});

/**
 * The fields of a user that API replies contain (docs/rules/console-api.md#hidden-values). `own`:
 * the reader is this user; only then the settings say whether there is a webhook secret
 * (`has_webhook_secret`). Nobody sees the secret.
 */
export function presentUser(user: User, identities: IdentitiesOfUser, own: boolean): UserEntity {
  return present(
    { ...user, ...identityValues(identities), setting: withoutSecret(user.setting, own) },
    own ? 'whole' : 'masked',
  );
}

/** The reply to a sign-in by any method. */
export const presentSignedIn: (user: User) => SignedInUser = createPresenter(signedInUserFields);

/** The reply of `/users/get/info`. */
export const presentUserInfo: (user: User) => UserInfo = createPresenter(userInfoFields, {
  phone: maskPhone,
});

type UserFields = typeof userFields;
type IdentityName = {
  [N in keyof UserFields]: UserFields[N] extends { identity: string } ? N : never;
}[keyof UserFields];
type IdentityValues = { readonly [N in IdentityName as RowName<N>]: string };

const identityFields = Object.entries(userFields as Fields).flatMap(([name, { identity }]) =>
  identity === undefined ? [] : [[rowName(name), identity] as const],
);

function identityValues(identities: IdentitiesOfUser): IdentityValues {
  const values = identityFields.map(([name, provider]) => [name, identities[provider] ?? '']);
  return Object.fromEntries(values) as IdentityValues;
}

function withoutSecret(setting: string, reports: boolean): string {
  if (!setting.includes('webhook_secret')) return setting;
  const { webhook_secret: secret, has_webhook_secret: _, ...rest } = parseObject(setting) ?? {};
  return JSON.stringify(
    reports && typeof secret === 'string' && secret !== ''
      ? { ...rest, has_webhook_secret: true }
      : rest,
  );
}
