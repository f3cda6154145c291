/** What to do about a failure: the line below it, for people. */
import { optionKeys } from '../core/options/index.ts';
import { nearestWord } from './base/nearest.ts';
import type { Text, TextParams } from './base/text.ts';
import type { Command } from './command/command.ts';
import { topics } from './topics.ts';

export interface Hint {
  readonly text: Text;
  readonly params: TextParams;
}

/** For a failure of a command with these arguments. Undefined: the message says it all. */
export async function hintFor(
  code: string,
  { name }: Pick<Command, 'name'>,
  words: readonly (string | undefined)[],
): Promise<Hint | undefined> {
  if (code === 'usage' || code === 'invalid_parameter' || code === 'budget_field_invalid')
    return { text: texts.help, params: { command: name } };
  if (code === 'not_set_up') return { text: texts.setUp, params: {} };
  if (code === 'access_token_invalid') return { text: texts.login, params: {} };
  if (code === 'option_unknown') {
    const nearest = nearestWord(words[0] ?? '', optionKeys);
    return nearest === undefined
      ? { text: texts.options, params: {} }
      : { text: texts.nearest, params: { nearest } };
  }
  if (code === 'user_unknown') return { text: texts.list, params: { list: 'users list' } };
  if (code !== 'not_found') return undefined;
  const [noun] = name.split(' ');
  const list = `${noun} list`;
  const topic = topics.find((one) => one.name === noun);
  const hasList = (await topic?.load())?.some((one) => one.name === list);
  return hasList ? { text: texts.list, params: { list } } : undefined;
}

const texts = {
  help: { en: 'See: turnpike help {command}', zh: '用法：turnpike help {command}' },
  setUp: { en: 'See: turnpike help setup', zh: '用法：turnpike help setup' },
  login: {
    en: 'A new token: turnpike profiles login NAME --server URL --username NAME',
    zh: '获取新令牌：turnpike profiles login 名称 --server URL --username 用户名',
  },
  nearest: { en: 'Did you mean {nearest}?', zh: '是不是 {nearest}？' },
  options: {
    en: 'Names: turnpike options list --all',
    zh: '全部名称：turnpike options list --all',
  },
  list: { en: 'What there is: turnpike {list}', zh: '现有条目：turnpike {list}' },
} satisfies Record<string, Text>;
