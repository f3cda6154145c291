const loopback = /^https?:\/\/(localhost|127\.|\[::1\])/;

/**
 * The site's address for links and clients, without a trailing slash. `configured` is the address
 * in the server status; where none was set the server names localhost, and the address in the
 * reader's browser (`origin`) is the better one.
 */
export function siteAddress(configured: string, origin: string): string {
  return configured === '' || loopback.test(configured) ? origin : configured.replace(/\/+$/, '');
}
