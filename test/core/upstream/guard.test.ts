import { describe, expect, test } from 'vitest';
import { addressOf, checkUrl, defaultGuardPolicy } from '../../../src/core/upstream/guard.ts';
import { guardedConnector } from '../../../src/core/upstream/guarded-connector.ts';

const allows = (host: string) => {
  try {
    checkUrl(new URL(`https://${host}/`), defaultGuardPolicy);
    return true;
  } catch {
    return false;
  }
};

describe('addresses that are not public', () => {
  test.each([
    ['Azure’s fabric', '168.63.129.16'],
    ['the same, mapped', '[::ffff:168.63.129.16]'],
    ['metadata of AWS, Google, Azure and others', '169.254.169.254'],
    ['metadata of AWS by IPv6', '[fd00:ec2::254]'],
    ['metadata of Alibaba Cloud', '100.100.100.200'],
    ['metadata of Oracle Cloud', '192.0.0.192'],
    ['metadata of Scaleway by IPv6', '[fd00:42::42]'],
    ['services of IBM Cloud', '161.26.0.10'],
    ['services of IBM Cloud', '166.9.8.1'],
    ['this host', '0.0.0.0'],
    ['this network', '0.1.2.3'],
    ['mapped metadata', '[::ffff:169.254.169.254]'],
    ['IPv4-compatible loopback', '[::127.0.0.1]'],
    ['NAT64 of metadata', '[64:ff9b::169.254.169.254]'],
    ['local NAT64', '[64:ff9b:1::169.254.169.254]'],
    ['6to4 of metadata', '[2002:a9fe:a9fe::1]'],
    ['Teredo', '[2001:0:53aa:64c::1]'],
    ['loopback as one number', '2130706433'],
    ['loopback in hexadecimal', '0x7f.1'],
    ['outside global unicast', '[4000::1]'],
  ])('%s: %s', (_, host) => {
    expect(allows(host)).toBe(false);
  });
});

test.each(['8.8.8.8', '168.63.129.17', '161.27.0.1', '[2606:4700::1111]', '[::ffff:8.8.8.8]'])(
  '%s is public',
  (host) => {
    expect(allows(host)).toBe(true);
  },
);

test.each([
  ['http://127.0.0.1:3000/a', true],
  ['http://127.0.0.1:3001/a', false],
  ['http://127.0.0.1/a', false],
  ['https://127.0.0.1:3000/a', true],
  ['http://10.0.0.1:3000/a', false],
])('beside a channel at 127.0.0.1:3000, %s is allowed: %s', async (address, allowed) => {
  const policy = { ...defaultGuardPolicy, channelAddress: addressOf('http://127.0.0.1:3000/v1') };
  const check = () => checkUrl(new URL(address), policy);
  if (allowed) expect(check).not.toThrow();
  else expect(check).toThrow('address_not_allowed');
  // So does the connector; nothing listens there.
  const { protocol, hostname, port, host } = new URL(address);
  const error = await new Promise<Error | null>((resolve) => {
    guardedConnector(policy)({ protocol, hostname, port, host }, (...[failure]) =>
      resolve(failure),
    );
  });
  expect((error as NodeJS.ErrnoException | null)?.code === 'address_not_allowed').toBe(!allowed);
});

test.each([
  ['https://API.example/v1', 'api.example:443'],
  ['http://api.example', 'api.example:80'],
  ['http://[::1]:8080/', '::1:8080'],
  ['ftp://api.example', undefined],
  ['no address', undefined],
])('the address of %s is %s', (text, address) => {
  expect(addressOf(text)).toBe(address);
});
