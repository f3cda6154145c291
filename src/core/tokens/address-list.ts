/** A token's `allow_ips`: addresses and CIDR ranges, one per line (docs/rules/relay.md#ip-list). */
import { BlockList, isIP } from 'node:net';

export interface AddressList {
  allows(address: string): boolean;
}

/** Adds a line to the list. False when it is neither an address nor a range. */
function addLine(list: BlockList, line: string): boolean {
  const [address = '', prefix, more] = line.split('/');
  const family = isIP(address);
  if (family === 0 || more !== undefined) return false;
  const kind = family === 4 ? 'ipv4' : 'ipv6';
  if (prefix === undefined) {
    list.addAddress(address, kind);
    return true;
  }
  if (!/^\d{1,3}$/.test(prefix) || Number(prefix) > (family === 4 ? 32 : 128)) return false;
  list.addSubnet(address, Number(prefix), kind);
  return true;
}

function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.replace(/[\s,]/g, ''))
    .filter((line) => line !== '');
}

/** The first line that is neither an address nor a range, or undefined. */
export function findBadAddress(text: string): string | undefined {
  return linesOf(text).find((line) => !addLine(new BlockList(), line));
}

/** Null: no restriction. A list without a valid line allows no address. */
export function readAddressList(text: string): AddressList | null {
  const lines = linesOf(text);
  if (lines.length === 0) return null;
  const list = new BlockList();
  for (const line of lines) addLine(list, line);
  return {
    allows: (address) => {
      const plain = address.startsWith('::ffff:') ? address.slice(7) : address;
      const family = isIP(plain);
      return family !== 0 && list.check(plain, family === 4 ? 'ipv4' : 'ipv6');
    },
  };
}
