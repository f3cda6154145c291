/**
 * Icons that managers of the model square chose on other sites: visitors get them from here
 * (docs/rules/files.md#foreign-files).
 */
import { buffer } from 'node:stream/consumers';
import type { Clock } from '../../kernel/clock.ts';
import { headerText } from '../../upstream/exchange.ts';
import type { GuardPolicy } from '../../upstream/guard.ts';
import { atMost } from '../at-most.ts';
import { download } from '../results/download.ts';
import { headBytes, mediaTypeOf } from '../results/media-type.ts';

/**
 * What a picture is, by its first bytes; an SVG has no such bytes and is one where it is declared
 * as one. Undefined: no picture.
 */
function pictureTypeOf(bytes: Buffer, declared: string): string | undefined {
  const head = bytes.subarray(0, headBytes);
  const text = head.toString('latin1');
  if (text.startsWith('\0\0\x01\0')) return 'image/x-icon';
  if (/^ftypavi[fs]/.test(text.slice(4))) return 'image/avif';
  if (/^image\/svg\+xml\s*(;|$)/i.test(declared.trim()) && /^(\xef\xbb\xbf)?\s*</.test(text))
    return 'image/svg+xml';
  const { type } = mediaTypeOf(head) ?? {};
  return type?.startsWith('image/') ? type : undefined;
}

export interface Icon {
  readonly type: string;
  readonly bytes: Buffer;
}

/**
 * The icon at an address; null where no entry of the model square has this icon, and where it
 * cannot be had.
 */
export type FindIcon = (address: string) => Promise<Icon | null>;

export interface IconDeps {
  readonly guard: GuardPolicy;
  readonly clock: Clock;
  /** Whether an entry of the model square has this icon. Nothing else is fetched. */
  readonly isIcon: (address: string) => Promise<boolean>;
}

const maxBytes = 512 * 1024;
/** Most of the memory that icons take. */
const maxKept = 32 * 1024 * 1024;
/**
 * Milliseconds: for a fetch, until an icon is fetched again, and until one is that could not be
 * had.
 */
const totalTimeout = 10_000;
const life = 3_600_000;
const pause = 60_000;

interface Kept {
  readonly icon: Promise<Icon | null>;
  readonly until: number;
  readonly size: number;
}

export function bindFindIcon({ guard, clock, isIcon }: IconDeps): FindIcon {
  /** The oldest first. */
  const kept = new Map<string, Kept>();

  const fetchIcon = async (url: string): Promise<Icon | null> => {
    try {
      const { status, headers, body } = await download({ url, guard, totalTimeout });
      const bytes = await buffer(atMost(body, status === 200 ? maxBytes : 0));
      const type = pictureTypeOf(bytes, headerText(headers, 'content-type'));
      return type === undefined ? null : { type, bytes };
    } catch {
      // An icon that is not there is the manager's matter: the console shows the logo of the
      // model's maker.
      return null;
    }
  };

  const keep = (address: string, entry: Kept): void => {
    kept.delete(address);
    kept.set(address, entry);
    let sum = [...kept.values()].reduce((total, { size }) => total + size, 0);
    for (const [old, { size }] of kept) {
      if (sum <= maxKept) break;
      kept.delete(old);
      sum -= size;
    }
  };

  return async (address) => {
    if (!(await isIcon(address))) return null;
    const known = kept.get(address);
    if (known !== undefined && clock.now() < known.until) return known.icon;
    const icon = fetchIcon(address);
    // Requests that come meanwhile wait for the same fetch.
    keep(address, { icon, until: clock.now() + totalTimeout * 2, size: maxBytes });
    const found = await icon;
    keep(address, {
      icon,
      until: clock.now() + (found === null ? pause : life),
      size: found?.bytes.length ?? 1024,
    });
    return found;
  };
}
