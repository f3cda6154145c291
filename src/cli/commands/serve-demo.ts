/** `turnpike serve --demo`: what of it is about the command line. */
import { environmentVariableOf, settings } from '../../core/config/schema.ts';
import type { Setting } from '../../core/config/setting.ts';
import type { Demo } from '../../demo/demo.ts';
import { UsageError } from '../base/usage-error.ts';
import type { Context } from '../command/command.ts';
import type { Output } from '../show/output.ts';

/** Flags about where a site is kept: a demo has a folder of its own. */
const refused = ['data-dir', 'database-url', 'redis-url', 'workers', 'log-dir'];
/** Settings that a demo takes from the environment: none that leads to another site's data. */
const kept = ['host', 'port', 'open', 'logLevel', 'logTo', 'logFormat'] as const;

/** Undefined where the command was stopped meanwhile. Throws UsageError for flags of real sites. */
export async function makeDemo(context: Context, stop: AbortSignal): Promise<Demo | undefined> {
  const { output, values } = context;
  const flag = refused.find((name) => values.typed(name) !== undefined);
  if (flag !== undefined) throw new UsageError(texts.refused, { flag: `--${flag}` });
  output.note(texts.making);
  const { openDemo } = await import('../../demo/demo.ts');
  try {
    return await openDemo({ notice: output.localize(texts.notice), stop });
  } catch (error) {
    if (stop.aborted) return undefined;
    throw error;
  }
}

/** What of the environment the configuration of a demo is made of. */
export function demoEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const rows: Readonly<Record<string, Setting<unknown>>> = settings;
  const names = kept.flatMap((key) => [environmentVariableOf(key), ...(rows[key]?.names ?? [])]);
  return Object.fromEntries(names.map((name) => [name, environment[name]]));
}

/** Name, password and key with which a demo is tried. */
export function demoAccess({ site }: Demo) {
  const [customer] = site.customers;
  return { username: site.rootName, password: site.password, key: customer?.key ?? '' };
}

/** Lines of the banner. */
export function demoLines(output: Output, url: string, demo: Demo): readonly string[] {
  const { username, password, key } = demoAccess(demo);
  const model = demo.site.customers[0]?.models[0]?.[0] ?? '';
  const row = (title: { en: string; zh: string }, value: string) =>
    `  ${output.paint('dim', output.localize(title))}  ${output.paint('current', value)}`;
  const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'hello' }] });
  return [
    row(texts.signIn, `${username} / ${password}`),
    row(texts.key, key),
    '',
    `  ${output.localize(texts.about)}`,
    '',
    `  curl ${url}/v1/chat/completions \\`,
    `    -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' \\`,
    `    -d '${body}'`,
    '',
    `  turnpike tui --data-dir ${demo.dataDir}`,
  ];
}

const texts = {
  refused: {
    en: '{flag} cannot be used with --demo: a demo has a folder of its own',
    zh: '{flag} 不能与 --demo 同时使用：演示站点使用自己的临时目录',
  },
  making: {
    en: 'Making a demo site with two weeks of usage',
    zh: '正在生成含两周用量的演示站点',
  },
  notice: {
    en: 'This is a demo site. Its people are made up, its models follow a script, and all of it is deleted when it stops.',
    zh: '这是演示站点：用户均为虚构，模型只返回预设内容，停止后数据会全部删除。',
  },
  signIn: { en: 'Sign in   ', zh: '登录    ' },
  key: { en: 'API key   ', zh: '令牌    ' },
  about: {
    en: 'This is a demo: made-up people, scripted models, no vendor and no key. All of it is deleted when it stops (Ctrl-C). Every user has this password.',
    zh: '这是演示站点：用户为虚构，模型返回预设内容，无需任何密钥。停止（Ctrl-C）后数据全部删除。所有用户的密码相同。',
  },
} as const;
