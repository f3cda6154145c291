/**
 * A WeChat server, which gives a code to followers of an official account
 * (docs/rules/accounts.md#wechat).
 */
import { AppError } from '../../kernel/errors.ts';
import type { SignInMethod } from '../sign-in/sign-in-method.ts';
import { textOf, withQuery } from './provider-client.ts';
import { codeOf, type ThirdPartyDeps } from './third-party-deps.ts';

const label = 'rule.provider.wechat';
const provider = 'wechat';

export function createWechatMethod({ options, client }: ThirdPartyDeps): SignInMethod {
  return {
    id: 'wechat',
    label,
    provider,
    isEnabled: (from) => from.get('WeChatAuthEnabled'),
    isOpenTo: (_, identities) => identities[provider] !== undefined,
    complete: async (input) => {
      const url = withQuery(label, `${options.get('WeChatServerAddress')}/api/wechat/user`, {
        code: codeOf(input),
      });
      const headers = { authorization: options.get('WeChatServerToken') };
      const { success, data } = await client.read(label, { method: 'GET', url, headers });
      const subject = textOf(data);
      if (success !== true || subject === '')
        throw new AppError('wechat_code_invalid', { field: 'code' });
      return { identity: { provider, subject }, newcomer: { prefix: 'wechat_', displayName: '' } };
    },
  };
}
