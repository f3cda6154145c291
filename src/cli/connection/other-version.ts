/**
 * A gateway of another version than this program, which does not have a call of it
 * (docs/rules/command-line.md#other-versions).
 */
import { CallError, type RawReply } from '../../core/contract/envelope.ts';
import { isObject } from '../../core/kernel/json.ts';
import { type Language, localize } from '../base/text.ts';
import { version as ownVersion } from '../base/version.ts';

/** How every gateway answers a path that it does not have (docs/rules/console-api.md#unknown-paths). */
export function isUnknownPath({ status, body }: RawReply): boolean {
  if (status !== 404 || !isObject(body) || !isObject(body['error'])) return false;
  const { message } = body['error'];
  return typeof message === 'string' && message.startsWith('Invalid URL (');
}

export interface OtherVersion {
  readonly url: string;
  /** The gateway's; '': it did not say. */
  readonly theirs: string;
  readonly language: Language;
}

/** The failure of a call that the gateway does not have: which of the two is older. */
export function unknownCall({ url, theirs, language }: OtherVersion, ours = ownVersion): CallError {
  const order = compareVersions(theirs, ours);
  const text =
    theirs === '' ? texts.silent : order < 0 ? texts.older : order > 0 ? texts.newer : texts.other;
  return new CallError(localize(language, text, { url, theirs, ours }), 404, 'unknown_url');
}

/** Below 0: the first is older. What follows a `+` or `-` says nothing of the age. */
export function compareVersions(one: string, other: string): number {
  const [first, second] = [one, other].map((text) =>
    (/^v?([\d.]+)/.exec(text)?.[1] ?? '').split('.').map(Number),
  );
  for (const index of [0, 1, 2]) {
    const difference = (first?.[index] ?? 0) - (second?.[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

const texts = {
  older: {
    en: 'The gateway at {url} is of version {theirs} and does not have this command, which is of version {ours}: upgrade the gateway',
    zh: '{url} 的网关是 {theirs} 版，不支持 {ours} 版的此命令：请升级网关',
  },
  newer: {
    en: 'The gateway at {url} is of version {theirs} and no longer has this command of version {ours}: upgrade this program',
    zh: '{url} 的网关是 {theirs} 版，已不再支持 {ours} 版的此命令：请升级本程序',
  },
  other: {
    en: 'The gateway at {url} ({theirs}) does not have this command of this program ({ours}): use the same build for both',
    zh: '{url} 的网关（{theirs}）不支持本程序（{ours}）的此命令：请使用相同的构建',
  },
  silent: {
    en: 'The server at {url} does not have this command (this program is of version {ours}): it is another version, or no Turnpike',
    zh: '{url} 的服务器不支持此命令（本程序为 {ours} 版）：版本不同，或不是 Turnpike',
  },
} as const;
