/** `turnpike reset-root-password` (docs/rules/maintenance.md#root-password). */
import { api } from '../../../core/contract/index.ts';
import { userFields } from '../../../core/entities/user.ts';
import { type Command, command, done } from '../../command/command.ts';
import { dataDirFlag } from '../../command/common-flags.ts';
import { readSecret } from '../../command/secret-input.ts';

const shortest = userFields.password.limits.min;

export const resetRootPasswordCommands: readonly Command[] = [
  command({
    name: 'reset-root-password',
    summary: { en: 'Set a new password for the super admin', zh: '为超级管理员设置新密码' },
    details: {
      en: 'Works on the machine of the gateway, while it runs or not. Ends the sessions and the system access token of the super admin, and turns password sign-in on.',
      zh: '在网关所在的机器上执行，网关运行与否均可。会结束超级管理员的所有会话和系统访问令牌，并开启密码登录。',
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
      dataDirFlag,
    ],
    local: true,
    async run(context) {
      const password = await readSecret(context, 'password', texts.ask);
      const { id, username } = await context.call(api.auth.info, {});
      await context.call(api.user.update, { id, password });
      await context.call(api.option.set, { key: 'PasswordLoginEnabled', value: true });
      return done(texts.changed, { username }, { id, username });
    },
  }),
];

const texts = {
  ask: { en: `New password (${shortest} characters or more)`, zh: `新密码（至少 ${shortest} 位）` },
  changed: {
    en: 'The password of {username} is changed; all sessions of this account have ended',
    zh: '{username} 的密码已修改，该账户的所有会话已结束',
  },
} as const;
