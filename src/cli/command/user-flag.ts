/**
 * `--user ID|NAME` (docs/rules/command-line.md#users): the same flag for calls that take an id and
 * for those that take a name.
 */
import type { Endpoint } from '../../core/contract/endpoint.ts';
import { CallError } from '../../core/contract/envelope.ts';
import { api } from '../../core/contract/index.ts';
import { AppError } from '../../core/kernel/errors.ts';
import { maxPageSize } from '../../core/kernel/page.ts';
import type { Flag, LookUpCall } from '../base/flags.ts';
import type { Text } from '../base/text.ts';
import { fieldFlag } from './field-flag.ts';

const isId = (text: string): boolean => /^[1-9]\d{0,14}$/.test(text);

/**
 * `field`: what the call filters by. A value of the other kind is looked up before the command
 * runs.
 */
export function userFlag(
  call: Pick<Endpoint, 'path' | 'input'>,
  field: 'user_id' | 'username',
  summary: Text = texts.only,
): Flag {
  return fieldFlag(call, field, summary, {
    name: 'user',
    kind: 'text',
    placeholder: 'ID|NAME',
    read: (text) => (field === 'user_id' ? Number(text) : text),
    lookUp: async (text, make) => {
      if (isId(text) === (field === 'user_id')) return text;
      return isId(text) ? findName(text, make) : String(await findId(text, make));
    },
  });
}

/** Throws AppError user_unknown. */
async function findName(id: string, make: LookUpCall): Promise<string> {
  try {
    return (await make(api.user.get, { id: Number(id) })).username;
  } catch (error) {
    throw error instanceof CallError && error.code === 'not_found'
      ? new AppError('user_unknown', { user: id })
      : error;
  }
}

/**
 * Names are unique whatever their case. The search finds parts of names, too. Throws AppError
 * user_unknown.
 */
async function findId(name: string, make: LookUpCall): Promise<number> {
  for (let p = 1; ; p++) {
    const { items } = await make(api.user.search, { keyword: name, p, page_size: maxPageSize });
    const found = items.find(({ username }) => username.toLowerCase() === name.toLowerCase());
    if (found !== undefined) return found.id;
    if (items.length < maxPageSize) throw new AppError('user_unknown', { user: name });
  }
}

const texts = {
  only: { en: 'Only this user; a number is an id', zh: '仅此用户；数字视为编号' },
} as const;
