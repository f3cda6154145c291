const loopback = /^https?:\/\/(localhost|127\.|\[::1\])/;

/**
 * The address that an invited visitor opens. `configured` is the site's own address; where none was set the server names
 * localhost, and the address in the reader's browser is the better one.
 */
export function inviteLink(code: string, configured: string, origin: string): string {
  const site = configured === '' || loopback.test(configured) ? origin : configured.replace(/\/+$/, '');
  return `${site}/login?aff=${encodeURIComponent(code)}`;
}
