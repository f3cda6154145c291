/**
 * What callers and logs must not see of a channel: its keys and where it is
 * (docs/rules/relay.md#error-mask).
 */
import type { ProviderError } from '../canonical/chat-reply.ts';
import { isObject } from '../kernel/json.ts';
import type { UpstreamChannel } from './channel.ts';

const hidden = '***';
/** Characters of an upstream's message that are passed on. */
const longest = 4000;

/**
 * An upstream writes what they search, so what may repeat is bounded: none takes long over a
 * megabyte of the worst text.
 */
const patterns: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/\bBearer\s+\S+/gi, `Bearer ${hidden}`],
  [/\bBasic\s+[\w+/=-]{12,}/gi, `Basic ${hidden}`],
  [/\b(?:https?|wss?|socks5h?):\/\/[^\s"'<>]+/gi, hidden],
  // Addresses of version 4, and of version 6 with at least two colons in brackets or with a double
  // one.
  [/\b(?:\d{1,3}\.){3}\d{1,3}(?::\d+)?\b/g, hidden],
  [/\[[\da-f]{0,4}:[\da-f:.]{0,40}:[\da-f:.]{0,40}\](?::\d+)?/gi, hidden],
  [
    /(?<![\w:])[\da-f]{0,4}(?::[\da-f]{0,4}){0,6}::(?:[\da-f]{1,4}(?::[\da-f]{1,4})*)?(?![\w:])/gi,
    hidden,
  ],
  [/\b(?:(?:sk|pk|rk|xai|pplx|gsk)[-_]|AIza)[-_A-Za-z0-9]{10,}/g, hidden],
  [/\beyJ[-\w]{8,512}\.[-\w]{8,}\.[-\w]*/g, hidden],
];

/**
 * Hides keys, hosts and addresses that can be recognised as such; the rest of the message stays,
 * because it helps.
 */
export function maskMessage(text: string): string {
  return patterns
    .reduce((left, [pattern, replacement]) => left.replace(pattern, replacement), text)
    .slice(0, longest);
}

/** Characters of an unreadable reply that administrators are shown. */
const rawLength = 300;

/** Parts of a key that are secrets by themselves (`APIKey|SecretKey`) are at least this long. */
const shortestSecret = 8;

/** The texts in a service account's JSON that belong to it alone. */
const accountFields = [
  'private_key',
  'private_key_id',
  'client_email',
  'client_id',
  'project_id',
] as const;

function partsOfKey(key: string): readonly string[] {
  const account = parsedAccount(key);
  if (account === undefined) return [key, ...key.split(/[|\s]+/)];
  return [
    key,
    ...accountFields.map((name) => account[name]).filter((value) => typeof value === 'string'),
  ];
}

function parsedAccount(key: string): Record<string, unknown> | undefined {
  if (!key.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(key);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * A secret as servers repeat it: as it is, inside JSON, in an address, in a header of basic
 * authorization.
 */
function spellingsOf(secret: string): readonly string[] {
  const encoded = Buffer.from(secret).toString('base64');
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    encoded,
    encoded.replace(/=+$/, ''),
  ];
}

interface Address {
  readonly hosts: readonly string[];
  /** User and password of a proxy. */
  readonly secrets: readonly string[];
}

function addressOf(text: string | undefined): Address {
  if (text === undefined || !URL.canParse(text)) return { hosts: [], secrets: [] };
  const { hostname, username, password } = new URL(text);
  const credentials = [username, password].filter((part) => part !== '');
  return {
    hosts: hostname === '' ? [] : [hostname],
    secrets: credentials.map((part) => decodeURIComponent(part)),
  };
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

export type Mask = (text: string) => string;

type Masked = Pick<
  UpstreamChannel,
  'key' | 'baseUrl' | 'proxy' | 'keys' | 'organization' | 'rules'
>;

/**
 * Hides the channel's key in any spelling, its organization, the headers that its rules set, its
 * host and its proxy's, besides what {@link maskMessage} hides.
 */
export function maskOf({ key, baseUrl, proxy, keys, organization, rules }: Masked): Mask {
  const addresses = [addressOf(baseUrl), addressOf(proxy)];
  const all = [key, ...(keys?.enabled ?? []).map((keyed) => keyed.key)];
  const secrets = [
    ...all
      .flatMap((one) => partsOfKey(one.reveal()))
      .filter((part) => part.length >= shortestSecret),
    ...addresses.flatMap((address) => address.secrets),
    ...[organization, ...rules.headerWords].filter((text) => text.length >= shortestSecret),
  ];
  // The longest first: a part must not be replaced inside the whole.
  const spellings = [...new Set(secrets.flatMap(spellingsOf))].sort((a, b) => b.length - a.length);
  const hosts = addresses
    .flatMap((address) => address.hosts)
    .map((host) => new RegExp(`(?<![\\w-])${escapePattern(host)}(?::\\d+)?(?![\\w-])`, 'gi'));
  return (text) => {
    const keyless = spellings.reduce((left, secret) => left.replaceAll(secret, hidden), text);
    return maskMessage(hosts.reduce((left, host) => left.replace(host, hidden), keyless));
  };
}

/** An upstream's error with every text in it masked. */
export function maskError(error: ProviderError, mask: Mask): ProviderError {
  const masked = (text: string | undefined) => (text === undefined ? undefined : mask(text));
  const { message, raw, type, code, param } = error;
  return {
    ...error,
    message: masked(message),
    raw: masked(raw)?.slice(0, rawLength),
    type: masked(type),
    code: masked(code),
    param: masked(param),
  };
}

/** A value of an upstream with every text in it masked, names of fields included. */
export function maskValue(value: unknown, mask: Mask): unknown {
  if (typeof value === 'string') return mask(value);
  if (Array.isArray(value)) return value.map((item) => maskValue(item, mask));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [mask(name), maskValue(item, mask)]),
  );
}
