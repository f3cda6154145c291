import { api } from '../../../core/contract/index.ts';
import { channelFields } from '../../../core/entities/channel.ts';
import { findChannelType } from '../../../core/vocabulary/channel-types.ts';
import type { Flag } from '../../base/flags.ts';
import { UsageError } from '../../base/usage-error.ts';
import { entityFlags } from '../../command/field-flag.ts';

/** Parses a channel type, given by number or slug. */
function readChannelType(text: string): number {
  const info = findChannelType(text);
  if (info === undefined) {
    throw new UsageError(
      {
        en: '--type {text}: see `turnpike channels types` for numbers and slugs',
        zh: '--type {text}：编号与代号见 `turnpike channels types`',
      },
      { text },
    );
  }
  return info.type;
}

/** Flags of `channels add` and `channels edit`. */
export const channelFieldFlags: readonly Flag[] = [
  ...entityFlags(api.channel.create, channelFields, {
    type: { kind: 'text', placeholder: 'TYPE', read: readChannelType },
    base_url: { placeholder: 'URL' },
    test_model: { placeholder: 'MODEL' },
  }),
  {
    name: 'key-stdin',
    kind: 'switch',
    summary: { en: 'Read the key from standard input', zh: '从标准输入读取密钥' },
  },
];
