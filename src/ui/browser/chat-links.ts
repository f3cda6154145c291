/**
 * Chat clients that a token can be opened in: the presets of option `Chats`
 * (docs/rules/options.md#chat-links).
 */
import { isObject } from '../../core/kernel/json.ts';

export interface ChatLink {
  readonly name: string;
  readonly href: string;
}

interface LinkValues {
  /** With its `sk-`. */
  readonly key: string;
  /** The site's address, without a path. */
  readonly address: string;
}

/** Never followed, whatever the server sent. */
const forbidden = /^(javascript|data|vbscript|file|blob):/i;

/** The links of the presets for one token. What is no link of a client is left out. */
export function chatLinks(presets: unknown, { key, address }: LinkValues): readonly ChatLink[] {
  if (!Array.isArray(presets)) return [];
  return presets
    .filter(isObject)
    .flatMap(Object.entries<unknown>)
    .flatMap(([name, template]) => {
      if (typeof template !== 'string') return [];
      const href = template
        .replaceAll('{address}', encodeURIComponent(address))
        .replaceAll('{key}', key);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers ignore these characters when they parse the scheme
      return forbidden.test(href.replace(/[\x00-\x20]/g, '')) ? [] : [{ name, href }];
    });
}
