/** What stands below the flags in the help: examples, exit codes, variables. */
import { exitCodes } from './base/exit-codes.ts';
import { environmentName } from './base/flags.ts';
import { type Language, localize, type Text } from './base/text.ts';
import type { Command } from './command/command.ts';
import { connectionFlags, globalFlags } from './command/common-flags.ts';
import { defaultPlaceholder } from './command/placeholder.ts';
import { examples } from './examples.ts';

export const exitMeanings: Readonly<Record<keyof typeof exitCodes, Text>> = {
  done: { en: 'Done', zh: '成功' },
  failed: {
    en: 'Failed, including a negative result of `channels test` or `ledger verify`',
    zh: '失败，包括 channels test、ledger verify 等得出否定结果',
  },
  usage: { en: 'The command line or one of its values is invalid', zh: '命令行或其中的值有误' },
  notFound: { en: 'Not found', zh: '未找到' },
  notPermitted: { en: 'Not permitted with these credentials', zh: '凭据权限不足' },
  conflict: {
    en: 'Conflict: already in use, already done or locked',
    zh: '冲突：已被占用、已完成或已锁定',
  },
  unreachable: { en: 'Gateway or database unreachable', zh: '无法连接网关或数据库' },
  interrupted: {
    en: 'Interrupted by Ctrl-C or SIGTERM; 143 where SIGTERM left nothing to finish',
    zh: '被 Ctrl-C 或 SIGTERM 中断；SIGTERM 时若无需收尾则为 143',
  },
};

const indented = (lines: readonly string[]) => lines.map((line) => `  ${line}`).join('\n');

/** Below the help of one command. */
export function helpBelow({ name }: Command, language: Language): string {
  const shown = examples[name] ?? [];
  const title = localize(language, texts.examples);
  return `${shown.length === 0 ? '' : `\n${title}\n${indented(shown)}\n`}\n${localize(language, texts.more)}`;
}

/** Below the list of all commands. */
export function programHelpBelow(language: Language): string {
  const flags = [...globalFlags, ...connectionFlags].map((flag) => {
    const value =
      flag.kind === 'switch' ? '' : ` <${flag.placeholder ?? defaultPlaceholder(flag)}>`;
    return `${`--${flag.name}${value}`.padEnd(20)} ${localize(language, flag.summary)} [${environmentName(flag.name)}]`;
  });
  const codes = (Object.keys(exitCodes) as (keyof typeof exitCodes)[]).map(
    (key) =>
      `${String(exitCodes[key]).padEnd(4)} ${localize(language, exitMeanings[key]).replaceAll('`', '')}`,
  );
  const variables = texts.variables.map(
    ([variable, meaning]) => `${variable.padEnd(22)} ${localize(language, meaning)}`,
  );
  return [
    ['', localize(language, texts.flags), indented(flags)],
    ['', localize(language, texts.environment), indented(variables)],
    ['', localize(language, texts.exitCodes), indented(codes)],
    ['', localize(language, texts.help)],
  ]
    .flat()
    .join('\n');
}

const texts = {
  examples: { en: 'Examples:', zh: '示例：' },
  flags: { en: 'Flags of nearly every command:', zh: '几乎所有命令通用的选项：' },
  environment: { en: 'Environment:', zh: '环境变量：' },
  exitCodes: { en: 'Exit codes:', zh: '退出码：' },
  more: {
    en: 'A flag with a variable in brackets can be set by it. Exit codes: turnpike --help',
    zh: '带方括号的选项也可用其中的环境变量设置。退出码见 turnpike --help',
  },
  help: {
    en: 'turnpike help <command> explains a command; nouns may be singular. Without a terminal nothing is asked: what is missing is exit code 2.',
    zh: 'turnpike help <命令> 查看某个命令的用法；名词也可用单数（如 user）。非交互运行时不会提问：缺少的内容以退出码 2 报告。',
  },
  variables: [
    [
      'TURNPIKE_<FLAG>',
      {
        en: 'Value of a flag whose help names it, as TURNPIKE_DATA_DIR; the flag wins',
        zh: '帮助中标有变量的选项的值，如 TURNPIKE_DATA_DIR；选项优先',
      },
    ],
    [
      'TURNPIKE_CONFIG_DIR',
      { en: 'Folder of the saved gateways (profiles)', zh: '已保存网关（profiles）所在目录' },
    ],
    [
      'TURNPIKE_PASSWORD',
      {
        en: 'Password, instead of --password-stdin (not for users edit)',
        zh: '密码，代替 --password-stdin（users edit 除外）',
      },
    ],
    [
      'NO_COLOR, FORCE_COLOR',
      { en: 'Colours: never, also in pipes', zh: '颜色：从不、管道中也用' },
    ],
  ] satisfies readonly (readonly [string, Text])[],
} as const;
