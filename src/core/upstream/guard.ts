/**
 * The outbound guard (docs/rules/security.md#outbound-guard) for every URL that a user can
 * influence. The connection goes to the very address that was checked. The transport does not
 * follow redirects, so each hop is checked again.
 */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { AppError } from '../kernel/errors.ts';

export interface GuardPolicy {
  /** Private, loopback and link-local addresses may be reached (FETCH_ALLOW_PRIVATE). */
  readonly allowPrivate: boolean;
  /** Ports that may be connected to. Empty: any. */
  readonly ports: readonly number[];
  /** Hosts that are not checked (FETCH_ALLOW_HOSTS), in lower case. */
  readonly hosts: readonly string[];
  /**
   * The one address with its port that is not checked either, as {@link addressOf} writes it: that
   * of a channel.
   */
  readonly channelAddress?: string | undefined;
}

/** Host and port of a URL, `api.example:443`; undefined for a text that is no http(s) URL. */
export function addressOf(text: string | URL): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, hostname, port } = new URL(text);
  return /^https?:$/.test(protocol) ? withPort({ protocol, hostname, port }) : undefined;
}

function withPort({
  protocol,
  hostname,
  port,
}: {
  protocol: string;
  hostname: string;
  port: string;
}): string {
  const host = hostname.toLowerCase().replace(/^\[|\]$/g, '');
  return `${host}:${port === '' ? (protocol === 'https:' ? 443 : 80) : port}`;
}

/**
 * Whether the address is left unchecked: the operator allows its host, or a channel's requests go
 * there anyway.
 */
export function isTrusted(
  { hosts, channelAddress }: GuardPolicy,
  at: { protocol: string; hostname: string; port: string },
): boolean {
  return hosts.includes(at.hostname.toLowerCase()) || withPort(at) === channelAddress;
}

export const defaultGuardPolicy: GuardPolicy = {
  allowPrivate: false,
  ports: [80, 443, 8080, 8443],
  hosts: [],
};

/**
 * The operator's settings (FETCH_ALLOW_PRIVATE, FETCH_ALLOWED_PORTS, FETCH_ALLOW_HOSTS) as a
 * policy.
 */
export function readGuardPolicy(settings: {
  readonly fetchAllowPrivate: boolean;
  readonly fetchAllowedPorts: readonly string[];
  readonly fetchAllowHosts: readonly string[];
}): GuardPolicy {
  const ports = settings.fetchAllowedPorts
    .map(Number)
    .filter((port) => Number.isInteger(port) && port > 0);
  return {
    allowPrivate: settings.fetchAllowPrivate,
    ports: ports.length > 0 ? ports : defaultGuardPolicy.ports,
    hosts: settings.fetchAllowHosts.map((host) => host.toLowerCase()),
  };
}

/**
 * Addresses that are registered as public, but answered inside a cloud: Azure's fabric (metadata,
 * DNS, health probes) and IBM Cloud's service network.
 */
const cloudFabric = ['168.63.129.16/32', '161.26.0.0/16', '166.8.0.0/14'].map((range) =>
  ipaddr.parseCIDR(range),
);
/** All public IPv6 addresses (RFC 4291). Embedded IPv4 addresses (`::7f00:1`) are outside it. */
const globalUnicast = ipaddr.parseCIDR('2000::/3');

/**
 * Whether an address is on the public internet. IPv4-mapped IPv6 addresses are unwrapped, other
 * embeddings refused.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  if (address.range() !== 'unicast') return false;
  if (address.kind() === 'ipv6') return address.match(globalUnicast);
  return !cloudFabric.some((range) => address.match(range));
}

/** Checks scheme, port and literal addresses of a URL. Throws AppError('address_not_allowed'). */
export function checkUrl(url: URL, policy: GuardPolicy): void {
  const refuse = () => new AppError('address_not_allowed', { host: url.hostname });
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw refuse();
  if (isTrusted(policy, url)) return;
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  if (policy.ports.length > 0 && !policy.ports.includes(port)) throw refuse();
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (!policy.allowPrivate && isIP(host) !== 0 && !isPublicAddress(host)) throw refuse();
}

/**
 * Whether webhooks may use an address: https where the policy allows it, http only to
 * FETCH_ALLOW_HOSTS (docs/rules/security.md#webhook-addresses).
 */
export function isWebhookAddress(text: string, policy: GuardPolicy): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  if (url.protocol !== 'https:' && !policy.hosts.includes(url.hostname.toLowerCase())) return false;
  try {
    checkUrl(url, policy);
    return true;
  } catch {
    return false;
  }
}
