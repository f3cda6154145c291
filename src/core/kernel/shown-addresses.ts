/**
 * Addresses that pages load because a text or a setting names them
 * (docs/rules/security.md#shown-addresses).
 */

/** Where this site keeps files. Nothing else of it is loaded because somebody wrote its address. */
export const ownFilePaths = ['/uploads/', '/mj/image/', '/pg/'] as const;
/**
 * Files of other sites, passed on by the gateway: after a click of a signed-in user, and icons of
 * the model square.
 */
export const foreignFilePath = '/pg/foreign';
export const iconPath = '/pg/icon';

/** `pathname`: as URL gives it. */
export function isOwnFilePath(pathname: string): boolean {
  return ownFilePaths.some((path) => pathname.startsWith(path));
}

/**
 * An absolute http(s) address without user name and password, which would only disguise its host.
 */
export function isWebAddress(text: string): boolean {
  if (!/^https?:\/\/[^/\\?#]/i.test(text) || /[\\\p{Cc}]/u.test(text) || !URL.canParse(text))
    return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}
