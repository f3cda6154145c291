/** `turnpike reset-root-password` (docs/rules/maintenance.md#root-password). */
import { api } from '../../../core/contract/index.ts';
import { userFields } from '../../../core/entities/user.ts';
import { type Command, type Context, command, type Outcome } from '../../command/command.ts';
import { dataDirFlag } from '../../command/common-flags.ts';
import { readSecret } from '../../command/secret-input.ts';
import { loadCommandConfig } from '../../connection/connect.ts';

const shortest = userFields.password.limits.min;

export const resetRootPasswordCommands: readonly Command[] = [
  command({
    name: 'reset-root-password',
    summary: { en: 'Set a new password for the super admin', zh: '为超级管理员设置新密码' },
    details: {
      en: 'Works on the machine of the gateway, while it runs or not. Ends the sessions and the system access token of the super admin and a lock after failed sign-ins, and turns password sign-in on. Second factors stay unless --reset-factors is given.',
      zh: '在网关所在的机器上执行，网关运行与否均可。会结束超级管理员的所有会话和系统访问令牌，解除登录失败后的锁定，并开启密码登录。不加 --reset-factors 时，两步验证方式保持不变。',
    },
    flags: [
      {
        name: 'password-stdin',
        kind: 'switch',
        summary: {
          en: 'Read the password from standard input (or TURNPIKE_PASSWORD)',
          zh: '从标准输入读取密码（或用 TURNPIKE_PASSWORD）',
        },
      },
      {
        name: 'reset-factors',
        kind: 'switch',
        summary: {
          en: 'Also remove authenticator app, passkeys and recovery codes',
          zh: '同时移除身份验证器应用、通行密钥和恢复码',
        },
      },
      dataDirFlag,
    ],
    local: true,
    async run(context): Promise<Outcome> {
      await checkSite(context);
      const password = await readSecret(context, 'password', texts.ask);
      const { id, username } = await context.call(api.auth.info, {});
      await context.call(api.user.update, { id, password });
      await context.call(api.option.set, { key: 'PasswordLoginEnabled', value: true });
      const resets = context.values.on('reset-factors');
      if (resets) await context.call(api.secondFactor.reset, { id });
      const { totp_since, passkeys } = await context.call(api.secondFactor.get, {});
      const asksSecond = totp_since !== null || passkeys.length > 0;
      const asksHuman = (await context.call(api.system.status, {})).turnstile_check;
      return {
        json: { id, username, second_factor: asksSecond, turnstile: asksHuman },
        print: (output) => {
          output.note(texts.changed, { username }, 'ok');
          if (resets) output.note(texts.removed);
          if (asksSecond) output.note(texts.second, {}, 'warn');
          if (asksHuman) output.note(texts.human, {}, 'warn');
        },
      };
    },
  }),
];

/** Opening a mistyped folder would make a new site there. Throws AppError site_missing. */
async function checkSite({ values, environment }: Context): Promise<void> {
  const { config } = await loadCommandConfig(values, environment);
  const { requireSite } = await import('../../../core/maintenance/site-database.ts');
  requireSite(config);
}

const texts = {
  ask: { en: `New password (${shortest} characters or more)`, zh: `新密码（至少 ${shortest} 位）` },
  changed: {
    en: 'The password of {username} is changed; all sessions of this account have ended',
    zh: '{username} 的密码已修改，该账户的所有会话已结束',
  },
  removed: {
    en: 'The second factors of this account are removed',
    zh: '已移除该账户的两步验证方式',
  },
  second: {
    en: 'Signing in also asks for the second factor. If it is lost, run this again with --reset-factors',
    zh: '登录时还需要两步验证。若已丢失，请加 --reset-factors 再次执行',
  },
  human: {
    en: 'The sign-in page asks Cloudflare Turnstile. If that fails: turnpike options set TurnstileCheckEnabled false',
    zh: '登录页面需要通过 Cloudflare Turnstile。若无法通过：turnpike options set TurnstileCheckEnabled false',
  },
} as const;
