import { siteAddress } from '../../browser/site-address.ts';

/** The address that an invited visitor opens. */
export function inviteLink(code: string, configured: string, origin: string): string {
  return `${siteAddress(configured, origin)}/login?aff=${encodeURIComponent(code)}`;
}
