/**
 * `turnpike setup`: the setup page as a command, without a setup code
 * (docs/rules/accounts.md#setup-code).
 */
import { api } from '../../core/contract/index.ts';
import { userFields } from '../../core/entities/user.ts';
import { languages } from '../../core/vocabulary/languages.ts';
import { UsageError } from '../base/usage-error.ts';
import { type Command, command, done } from '../command/command.ts';
import { readSecret } from '../command/secret-input.ts';

const shortest = userFields.password.limits.min;

export const setupCommands: readonly Command[] = [
  command({
    name: 'setup',
    summary: {
      en: 'Set up a new gateway: super admin, site name, mode',
      zh: '初始化网关：超级管理员、站点名称、使用模式',
    },
    details: {
      en: 'Works before the first start and while the gateway is running. No setup code is needed, because the command reads the data folder. With --server it sets up a remote gateway; --setup-code is the code that it shows when it starts.',
      zh: '首次启动之前或网关运行时均可执行。命令直接读取数据目录，无需初始化码。加 --server 可初始化远程网关，此时用 --setup-code 给出它启动时显示的初始化码。',
    },
    flags: [
      {
        name: 'username',
        kind: 'text',
        summary: { en: 'Username of the super admin', zh: '超级管理员用户名' },
      },
      {
        name: 'password-stdin',
        kind: 'switch',
        summary: {
          en: 'Read the password from standard input (or TURNPIKE_PASSWORD)',
          zh: '从标准输入读取密码（或用 TURNPIKE_PASSWORD）',
        },
      },
      { name: 'system-name', kind: 'text', summary: { en: 'Site name', zh: '站点名称' } },
      {
        name: 'self-use',
        kind: 'switch',
        summary: { en: 'Self-use mode: models need no price', zh: '自用模式：模型无需定价' },
      },
      { name: 'demo', kind: 'switch', summary: { en: 'Demo site mode', zh: '演示站点模式' } },
      {
        name: 'site-language',
        kind: 'text',
        placeholder: languages.join('|'),
        choices: languages,
        summary: {
          en: 'Language of errors, log texts, emails and notices (default: the language of this command)',
          zh: '接口报错、日志文字、邮件和通知的语言（默认与本命令的语言相同）',
        },
      },
      {
        name: 'setup-code',
        variable: true,
        kind: 'text',
        placeholder: 'CODE',
        summary: { en: 'Setup code of a remote gateway', zh: '远程网关的初始化码' },
      },
    ],
    makesSite: true,
    async run(context) {
      const { values, terminal, output } = context;
      if (values.on('self-use') && values.on('demo')) throw new UsageError(texts.oneMode);
      const given = values.text('username');
      if (given === undefined && !terminal.interactive) throw new UsageError(texts.username);
      const username = given ?? (await terminal.ask(texts.askUsername, false));
      const password = await readSecret(context, 'password', texts.askPassword);
      const setupCode = values.text('setup-code');
      if (setupCode === undefined && (await context.connection()).kind === 'remote')
        throw new UsageError(texts.setupCode);
      const siteLanguage = languages.find((language) => language === values.text('site-language'));
      await context.call(api.system.setup, {
        username,
        password,
        confirmPassword: password,
        SelfUseModeEnabled: values.on('self-use'),
        DemoSiteEnabled: values.on('demo'),
        setup_token: setupCode,
        SystemName: values.text('system-name'),
        SiteLanguage:
          siteLanguage ??
          (given === undefined
            ? await terminal.choose(texts.askLanguage, languageNames, output.language)
            : undefined),
      });
      return done(texts.ready, { username }, { username });
    },
  }),
];

const languageNames = [
  { value: 'zh', name: { en: 'Chinese', zh: '中文' } },
  { value: 'en', name: { en: 'English', zh: '英文' } },
] as const;

const texts = {
  oneMode: { en: 'Use either --self-use or --demo', zh: '--self-use 与 --demo 只能选一个' },
  username: { en: '--username is required', zh: '缺少 --username' },
  setupCode: {
    en: '--setup-code is required for a remote gateway: it shows the code when it starts',
    zh: '初始化远程网关需要 --setup-code：网关启动时会显示初始化码',
  },
  askUsername: { en: 'Username of the super admin', zh: '超级管理员用户名' },
  askPassword: {
    en: `Password (${shortest} characters or more)`,
    zh: `密码（至少 ${shortest} 位）`,
  },
  askLanguage: {
    en: 'Language of errors, log texts, emails and notices',
    zh: '接口报错、日志文字、邮件和通知的语言',
  },
  ready: {
    en: 'Setup complete; {username} is the super admin. Next: turnpike channels add',
    zh: '初始化完成，{username} 为超级管理员。下一步：turnpike channels add',
  },
} as const;
