/** What a configuration file says of a channel's key. */
import type { ChannelEntity } from '../../../core/contract/entities.ts';
import { isObject } from '../../../core/kernel/json.ts';
import type { Path, Problems } from './problems.ts';
import { isReference, type References } from './references.ts';
import { secretTexts } from './secrets.ts';
import { cleared, kept } from './values.ts';

interface KeyPlace {
  readonly path: Path;
  readonly setting: unknown;
  /** Absent: the channel is new. */
  readonly row?: ChannelEntity;
  /** Whether a key that the channel has is written again. */
  readonly again: boolean;
}

/** The key to send; undefined: the channel keeps its own, or needs none. */
export function channelKey(
  value: unknown,
  { path, setting, row, again }: KeyPlace,
  { references, problems }: { readonly references: References; readonly problems: Problems },
): string | undefined {
  const isSet = row !== undefined && row.keyless !== true;
  if (value === undefined) return undefined;
  if (value === kept) {
    if (!isSet) problems.add(path, secretTexts.nothingKept);
    return undefined;
  }
  if (value === cleared) {
    if (isSet) problems.add(path, texts.stays);
    return undefined;
  }
  if (typeof value !== 'string' || !isReference(value)) {
    problems.add(path, secretTexts.plain);
    return undefined;
  }
  if (isSet && !again) return undefined;
  const key = references.read(value, path);
  const lines = key.split('\n').filter((line) => line.trim() !== '');
  const isOneChannel =
    key.trim().startsWith('{') || (isObject(setting) && setting['multi_key_mode'] !== undefined);
  if (lines.length > 1 && !isOneChannel) problems.add(path, texts.lines);
  return key;
}

const texts = {
  stays: {
    en: 'the key of a channel cannot be cleared, only replaced',
    zh: '渠道的密钥只能更换，不能清空',
  },
  lines: {
    en: 'several keys need `setting: {multi_key_mode: random}` (or polling)',
    zh: '多个密钥需要 `setting: {multi_key_mode: random}`（或 polling）',
  },
} as const;
