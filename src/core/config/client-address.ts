import { BlockList, isIP } from 'node:net';

/**
 * The caller's address: that of the socket or, if the peer is a trusted proxy, the right-most entry
 * of X-Forwarded-For that is not one (docs/rules/security.md#client-address). Only the proxies in
 * TRUSTED_PROXIES are trusted.
 */
export interface ClientAddress {
  find(socketAddress: string | undefined, forwardedFor: string | undefined): string;
  /** Whether forwarded headers from this peer are trusted. */
  isTrusted(socketAddress: string | undefined): boolean;
}

/** Ranges that the entry `private` stands for. */
const privateRanges = [
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  '::1/128',
  'fc00::/7',
  'fe80::/10',
];

/**
 * `trusted`: addresses, CIDR ranges or the word `private`. Invalid entries are passed to
 * `onInvalid`.
 */
export function createClientAddress(
  trusted: readonly string[],
  onInvalid: (entry: string) => void,
): ClientAddress {
  const list = new BlockList();
  for (const entry of trusted.flatMap((one) => (one === 'private' ? privateRanges : [one]))) {
    const [address = '', prefix] = entry.split('/');
    const family = isIP(address);
    const bits = prefix === undefined ? (family === 4 ? 32 : 128) : Number(prefix);
    if (family === 0 || !Number.isInteger(bits) || bits < 0 || bits > (family === 4 ? 32 : 128))
      onInvalid(entry);
    else list.addSubnet(address, bits, family === 4 ? 'ipv4' : 'ipv6');
  }
  const isTrusted = (address: string | undefined): boolean => {
    const plain = plainAddress(address);
    const family = isIP(plain);
    return family !== 0 && list.check(plain, family === 4 ? 'ipv4' : 'ipv6');
  };
  const anyTrusted = trusted.length > 0;
  return {
    isTrusted,
    find: (socketAddress, forwardedFor) => {
      if (!anyTrusted) return plainAddress(socketAddress);
      let address = plainAddress(socketAddress);
      const hops = forwardedFor?.split(',') ?? [];
      while (isTrusted(address)) {
        const next = plainAddress(hops.pop()?.trim());
        if (isIP(next) === 0) break;
        address = next;
      }
      return address;
    },
  };
}

/** Whether there is nothing to remove; most addresses are like this. */
const isPlainIpv4 = (address: string): boolean =>
  !address.includes(':') && !address.startsWith('[');

/** Normalizes an address: IPv4-mapped forms to IPv4, `[::1]:80` and `1.2.3.4:80` without port. */
function plainAddress(address = ''): string {
  if (isPlainIpv4(address)) return address;
  const bare = address
    .replace(/^\[(.*)\](:\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');
  return bare.startsWith('::ffff:') && isIP(bare.slice(7)) === 4 ? bare.slice(7) : bare;
}
