/** Builds a commander program from the commands: parsing, help, suggestions. */
import { type Argument, Command as CommanderCommand, CommanderError, Option } from 'commander';
import { type Flag, variableOf } from './base/flags.ts';
import { type Language, localize, type Text } from './base/text.ts';
import { UsageError } from './base/usage-error.ts';
import { version } from './base/version.ts';
import type { Command } from './command/command.ts';
import { connectionFlags, dataDirFlag, flagsOf, globalFlags } from './command/common-flags.ts';
import { defaultPlaceholder } from './command/placeholder.ts';
import { helpBelow, programHelpBelow } from './help.ts';
import { type Topic, topics } from './topics.ts';

/** A parsed command line. */
export interface Request {
  readonly command: Command;
  readonly flags: readonly Flag[];
  /** Flag name → value on the command line. */
  readonly given: Readonly<Record<string, unknown>>;
  /** Positional arguments in the order of the command's declaration. */
  readonly argumentValues: readonly (string | undefined)[];
}

export interface ProgramSettings {
  readonly language: Language;
  /** Cells of the help. */
  readonly width: number;
  write(text: string): void;
  writeError(text: string): void;
  run(request: Request): Promise<void>;
}

/**
 * The program with the commands of the given topics; other topics only appear in the help. Parsing
 * runs one command, or throws CommanderError after commander has written the error.
 */
export async function buildProgram(
  settings: ProgramSettings,
  loaded: readonly Topic[],
): Promise<CommanderCommand> {
  const program = new CommanderCommand('turnpike');
  program
    .description(localize(settings.language, texts.description))
    .usage(localize(settings.language, texts.usage))
    .version(version, '-V, --version', localize(settings.language, texts.version))
    .exitOverride()
    .configureOutput({ writeOut: settings.write, writeErr: settings.writeError })
    .configureHelp({ ...helpTexts(settings.language), helpWidth: settings.width })
    .addHelpText('after', () => programHelpBelow(settings.language))
    .helpOption('-h, --help', localize(settings.language, texts.help))
    .helpCommand(false)
    .showSuggestionAfterError();
  for (const flag of [...globalFlags, ...connectionFlags])
    program.addOption(optionOf(flag, settings.language).hideHelp());
  for (const topic of topics) {
    const node = child(program, topic.name, topic.summary, settings.language);
    if (topic.alias !== undefined) node.alias(topic.alias);
    if (!loaded.includes(topic)) continue;
    for (const command of await topic.load()) {
      const verb = command.name.split(' ')[1];
      declare(
        verb === undefined ? node : child(node, verb, command.summary, settings.language),
        command,
        settings,
      );
    }
  }
  return program;
}

function child(
  parent: CommanderCommand,
  name: string,
  summary: Text,
  language: Language,
): CommanderCommand {
  const node = parent
    .createCommand(name)
    .copyInheritedSettings(parent)
    .description(localize(language, summary));
  parent.addCommand(node);
  return node.helpOption('-h, --help', localize(language, texts.help)).helpCommand(false);
}

function declare(node: CommanderCommand, command: Command, settings: ProgramSettings): void {
  const { language } = settings;
  if (command.details !== undefined)
    node.description(
      `${localize(language, command.summary)}\n\n${localize(language, command.details)}`,
    );
  node.summary(localize(language, command.summary));
  for (const argument of command.arguments) {
    const name = argument.name.toUpperCase();
    const declared = node.createArgument(
      argument.optional ? `[${name}]` : `<${name}>`,
      localize(language, argument.summary),
    );
    node.addArgument(
      argument.choices === undefined ? declared : declared.choices(argument.choices),
    );
  }
  const flags = flagsOf(command);
  for (const flag of flags) node.addOption(optionOf(flag, language));
  const refused = connectionFlags.filter((flag) => !flags.some(({ name }) => name === flag.name));
  for (const flag of refused) node.addOption(optionOf(flag, language).hideHelp());
  node.addHelpText('after', () => helpBelow(command, language));
  node.action(async (...received: unknown[]) => {
    const argumentValues = received.slice(0, command.arguments.length) as (string | undefined)[];
    const typed = node.optsWithGlobals<Record<string, unknown>>();
    const misplaced = refused.find((flag) => typed[attributeOf(flag)] !== undefined);
    if (misplaced !== undefined) throw misplacedFlag(command, misplaced);
    const given = Object.fromEntries(flags.map((flag) => [flag.name, typed[attributeOf(flag)]]));
    await settings.run({ command, flags, given, argumentValues });
  });
}

/** A command that works on the data folder itself, or on no gateway at all, is not sent to one. */
function misplacedFlag({ name, flags }: Command, flag: Flag): UsageError {
  const onFolder = flags.some((one) => one.name === dataDirFlag.name);
  return new UsageError(onFolder ? texts.onFolder : texts.noGateway, {
    command: name,
    flag: flag.name,
  });
}

function optionOf(flag: Flag, language: Language): Option {
  const placeholder = flag.placeholder ?? defaultPlaceholder(flag);
  const named = flag.optionalValue === true ? ` [${placeholder}]` : ` <${placeholder}>`;
  const value = flag.kind === 'switch' ? '' : named;
  const name = variableOf(flag);
  const variable = name === undefined ? '' : ` [${name}]`;
  // commander would treat `--no-x` as the negation of `x`; here it is a flag of its own.
  const required = flag.required === true ? localize(language, texts.required) : '';
  const option = new Option(
    `--${flag.name}${value}`,
    `${localize(language, flag.summary)}${required}${variable}`,
  );
  option.attributeName = () => attributeOf(flag);
  option.negate = false;
  return option;
}

function attributeOf(flag: Flag): string {
  return flag.name;
}

/**
 * The message of a usage error, with the wrong word and what is allowed; commander only has English
 * messages.
 */
export function usageErrorMessage(error: CommanderError, language: Language): string {
  const message = error.message.replace(/^error: /, '');
  const text = usageErrors[error.code];
  if (text === undefined) return message;
  const quoted = [...message.matchAll(/'([^']*)'/g)].map((match) => match[1] ?? '');
  const nearest = /Did you mean (?:one of )?([^?]+)\?/.exec(message)?.[1];
  const expected = /Expected (\d+) argument/.exec(message)?.[1] ?? '';
  const given = /but got \d+: (.+)\.$/.exec(message)?.[1] ?? '';
  const choices = /Allowed choices are (.+)\.$/.exec(message)?.[1] ?? '';
  const [first = '', second = ''] = quoted;
  const reported = localize(language, text, { first, second, expected, given, choices });
  if (nearest !== undefined) return reported + localize(language, texts.nearest, { nearest });
  return error.code === 'commander.unknownCommand'
    ? reported + localize(language, texts.seeHelp)
    : reported;
}

export { CommanderError };

/**
 * commander's words in the help. It calls flags options, which here are the options of the site.
 */
function helpTexts(language: Language) {
  return {
    subcommandTerm: (command: CommanderCommand) =>
      [command.name(), ...command.registeredArguments.map(shownArgument)].join(' '),
    styleTitle: (title: string) =>
      language === 'zh' ? (titles[title] ?? title) : title.replace('Options:', 'Flags:'),
    styleUsage: (usage: string) =>
      usage
        .replace(/\|\S+/, '')
        .replace('[options]', language === 'zh' ? '[选项]' : '[flags]')
        .replace('[command]', language === 'zh' ? '<命令>' : '<command>'),
  };
}

function shownArgument(argument: Argument): string {
  return argument.required ? `<${argument.name()}>` : `[${argument.name()}]`;
}

const titles: Readonly<Record<string, string>> = {
  'Usage:': '用法：',
  'Arguments:': '参数：',
  'Options:': '选项：',
  'Commands:': '命令：',
};
const usageErrors: Readonly<Record<string, Text>> = {
  'commander.unknownOption': { en: 'Unknown flag {first}', zh: '未知选项 {first}' },
  'commander.unknownCommand': { en: 'Unknown command {first}', zh: '未知命令 {first}' },
  'commander.missingArgument': { en: 'The argument {first} is missing', zh: '缺少参数 {first}' },
  'commander.optionMissingArgument': {
    en: 'The flag needs a value: {first}',
    zh: '选项缺少值：{first}',
  },
  'commander.excessArguments': {
    en: 'Too many arguments for {first}: {given} (expected {expected})',
    zh: '{first} 的参数过多：{given}（应为 {expected} 个）',
  },
  'commander.invalidArgument': {
    en: '{second} {first}: choose one of {choices}',
    zh: '{second} {first}：可选 {choices}',
  },
};
const texts = {
  required: { en: ' (required)', zh: '（必填）' },
  onFolder: {
    en: "turnpike {command} works on the data folder itself, so --{flag} is not possible: run it on the gateway's machine",
    zh: 'turnpike {command} 直接操作数据目录，不能使用 --{flag}：请在网关所在的机器上执行',
  },
  noGateway: {
    en: 'turnpike {command} works without a gateway, so it takes no --{flag}',
    zh: 'turnpike {command} 不连接网关，不能使用 --{flag}',
  },
  seeHelp: { en: ': see --help for the commands', zh: '：可用命令见 --help' },
  nearest: { en: ' (did you mean {nearest}?)', zh: '（是不是 {nearest}？）' },
  description: {
    en: 'Turnpike: a self-hosted AI model gateway with prepaid quota billing.',
    zh: 'Turnpike：自托管的 AI 模型网关，预付额度计费。',
  },
  usage: { en: '[serve] [flags] | <command> [flags]', zh: '[serve] [选项] | <命令> [选项]' },
  version: { en: 'Print the version', zh: '输出版本号' },
  help: { en: 'Show help', zh: '显示帮助' },
} as const;
