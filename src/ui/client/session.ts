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
/**
 * Counts the logins and sign-outs of this browser that the page has seen, in other tabs as well.
 */
let logins = 0;
let lastId: number | undefined;

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

function become(user: SignedInUser | null): void {
  current = user;
  if (user?.id === lastId) return;
  lastId = user?.id;
  logins += 1;
}

function tell(): void {
  for (const listener of listeners) listener();
}

export function currentUser(): SignedInUser | null {
  if (current === undefined) become(readUser());
  return current ?? null;
}

/** Names the login of now: another one after each login and sign-out, also of the same user. */
export function currentLogin(): number {
  currentUser();
  return logins;
}

export function storeUser(user: SignedInUser): void {
  writeStored(storageKeys.user, JSON.stringify(user));
  become(user);
  expired = false;
  tell();
}

/**
 * Forgets the login and everything that was read with it. `because`: the server no longer knew it.
 */
export function forgetUser(because?: 'expired'): void {
  expired = because === 'expired';
  clearStored();
  become(null);
  tell();
}

/** Whether the server ended the login of this page. */
export const isExpired = (): boolean => expired;

/** Where a visitor without a login goes (docs/rules/console.md#login-guard). */
export function loginPath(): string {
  return expired ? '/login?expired=true' : '/login';
}

/** Another tab logged in or out. */
function readAgain({ key }: StorageEvent): void {
  if (key !== storageKeys.user && key !== null) return;
  current = undefined;
  tell();
}

/** Calls `listener` when somebody signs in or out, here or in another tab. Returns what ends it. */
function followUser(listener: () => void): () => void {
  // Once for all listeners: none acts on the new user before the others know of it.
  window.addEventListener('storage', readAgain);
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Calls `forget` after each login and sign-out: what was read or made with the login before is not
 * for the one after it.
 */
export function onOtherLogin(forget: () => void): void {
  let login = currentLogin();
  followUser(() => {
    if (login === currentLogin()) return;
    login = currentLogin();
    forget();
  });
}

export function useUser(): SignedInUser | null {
  return useSyncExternalStore(followUser, currentUser);
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
