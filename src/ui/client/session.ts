/**
 * Who is signed in, as this browser remembers it. The server decides; this only saves asking before
 * every page.
 */
import { useSyncExternalStore } from 'react';
import type { SignedInUser } from '../../core/contract/entities.ts';
import { defaultInput } from '../../core/entities/convert.ts';
import type { Field } from '../../core/entities/field.ts';
import { signedInUserFields } from '../../core/entities/user.ts';
import { isObject } from '../../core/kernel/json.ts';
import { isAdmin, isRoot } from '../../core/vocabulary/roles.ts';
import { clearStored, readStoredJson, storageKeys, writeStored } from '../browser/local-storage.ts';

/**
 * What a field of the signed-in user is where an earlier release did not store it. The build puts
 * the values in place of this module.
 */
export const signedInDefaults: Readonly<Record<string, string | number | boolean>> =
  Object.fromEntries(
    Object.entries<Field>(signedInUserFields).map(([name, field]) => [name, defaultInput(field)]),
  );

const listeners = new Set<() => void>();
let current: SignedInUser | null | undefined;
let expired = false;

function readUser(): SignedInUser | null {
  const value = readStoredJson(storageKeys.user);
  if (!isObject(value) || typeof value['id'] !== 'number' || typeof value['role'] !== 'number')
    return null;
  const fields = Object.entries(signedInDefaults).map(([name, absent]) => [
    name,
    typeof value[name] === typeof absent ? value[name] : absent,
  ]);
  return Object.fromEntries(fields) as SignedInUser;
}

function tell(): void {
  for (const listener of listeners) listener();
}

export function currentUser(): SignedInUser | null {
  if (current === undefined) current = readUser();
  return current;
}

export function storeUser(user: SignedInUser): void {
  writeStored(storageKeys.user, JSON.stringify(user));
  current = user;
  expired = false;
  tell();
}

/**
 * Forgets the login and everything that was read with it. `because`: the server no longer knew it.
 */
export function forgetUser(because?: 'expired'): void {
  expired = because === 'expired';
  clearStored();
  current = null;
  tell();
}

/** Whether the server ended the login of this page. */
export const isExpired = (): boolean => expired;

/** Where a visitor without a login goes (docs/rules/console.md#login-guard). */
export function loginPath(): string {
  return expired ? '/login?expired=true' : '/login';
}

export function useUser(): SignedInUser | null {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    // Another tab logged in or out.
    const follow = (event: StorageEvent) => {
      if (event.key !== storageKeys.user && event.key !== null) return;
      current = undefined;
      listener();
    };
    window.addEventListener('storage', follow);
    return () => {
      listeners.delete(listener);
      window.removeEventListener('storage', follow);
    };
  }, currentUser);
}

export function useIsAdmin(): boolean {
  const user = useUser();
  return user !== null && isAdmin(user.role);
}

export function useIsRoot(): boolean {
  const user = useUser();
  return user !== null && isRoot(user.role);
}

/** What to call a user: nickname, display name, name. */
export function nameOf(user: Pick<SignedInUser, 'nickname' | 'display_name' | 'username'>): string {
  return user.nickname || user.display_name || user.username;
}
