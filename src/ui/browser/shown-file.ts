/**
 * What a page may load of an address that a text or a setting names
 * (docs/rules/security.md#shown-addresses).
 */
import { isObject } from '../../core/kernel/json.ts';
import { isOwnFilePath, isWebAddress } from '../../core/kernel/shown-addresses.ts';
import { readStoredJson, storageKeys } from './local-storage.ts';

export type ShownFile =
  /** A file of this gateway, as this page reaches it, or a picture in the address itself. */
  | { readonly kind: 'own'; readonly src: string }
  /** Loaded only after a click, or through the gateway. */
  | { readonly kind: 'foreign'; readonly href: string; readonly host: string };

/** Undefined: nothing that a page loads or leads to, such as a call of this site. */
export function shownFile(address: string): ShownFile | undefined {
  const text = address.trim();
  if (/^data:/i.test(text))
    return /^data:image\//i.test(text) ? { kind: 'own', src: text } : undefined;
  const { origin: here } = window.location;
  if (text === '' || !URL.canParse(text, here)) return undefined;
  const url = new URL(text, here);
  if (isOwnOrigin(url))
    return isOwnFilePath(url.pathname)
      ? { kind: 'own', src: url.pathname + url.search }
      : undefined;
  return isWebAddress(url.href) ? { kind: 'foreign', href: url.href, host: url.host } : undefined;
}

/**
 * The page's origin, and the one by which the server calls itself: a page need not be opened at
 * that address.
 */
export function isOwnOrigin(url: URL): boolean {
  if (url.origin === window.location.origin) return true;
  const status = readStoredJson(storageKeys.status);
  const named = isObject(status) ? String(status['server_address']) : '';
  if (!URL.canParse(named)) return false;
  const server = new URL(named);
  return (
    server.origin === url.origin ||
    (server.port === url.port && isLoopback(server) && isLoopback(url))
  );
}

const isLoopback = ({ hostname }: URL): boolean =>
  /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);

/**
 * A picture that the owner of the site set and the server checked, such as its logo: the policy of
 * the page names these addresses.
 */
export function logoAddress(address: string): string | undefined {
  const text = address.trim();
  if (/^(data:image\/|\/(?![/\\]))/i.test(text) || isWebAddress(text)) return text;
  return /^[\w.-]+$/.test(text) ? `/${text}` : undefined;
}
