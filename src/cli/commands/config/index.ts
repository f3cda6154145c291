/**
 * `turnpike config …`: the site's options, channels, models and budgets as one file
 * (docs/config-as-code.md).
 */
import type { Context } from '../../command/command.ts';
import { type Command, command } from '../../command/command.ts';
import { download, fileArgument } from '../../command/download.ts';
import { applyConfig } from './apply.ts';
import { exportBudgets } from './budgets.ts';
import { exportChannels } from './channels.ts';
import { type ConfigDocument, formatVersion, writeYaml } from './document.ts';
import { liveBudgets, liveChannels, liveModels, liveOptions } from './live-site.ts';
import { exportModels } from './models.ts';
import { exportOptions } from './options.ts';
import { namedSecrets } from './secrets.ts';

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}

async function exportAll(context: Context): Promise<ConfigDocument> {
  return {
    options: exportOptions(await liveOptions(context), context.values.on('all')),
    channels: exportChannels(await liveChannels(context)),
    models: exportModels(await liveModels(context)),
    budgets: exportBudgets(await liveBudgets(context)),
  };
}

export const configCommands: readonly Command[] = [
  command({
    name: 'config export',
    summary: {
      en: 'Write options, channels, models and the budgets of groups and models as a configuration file',
      zh: '将设置项、渠道、模型以及分组和模型的预算导出为配置文件',
    },
    details: {
      en: 'Prints YAML, or JSON with --json; with a file, writes it there and never replaces one. Options at their defaults are left out. Secrets are not in it: what is set is written as secret:keep.',
      zh: '输出 YAML（加 --json 则为 JSON）；给出文件时写入该文件，不会覆盖已有文件。取默认值的设置项不导出。机密不会写入：已设置的以 secret:keep 表示。',
    },
    arguments: [fileArgument],
    flags: [
      {
        name: 'all',
        kind: 'switch',
        summary: { en: 'Include options at their defaults', zh: '包括取默认值的设置项' },
      },
      {
        name: 'references',
        kind: 'switch',
        summary: {
          en: 'For another site: name each secret as env:NAME and list the names',
          zh: '用于另一站点：将每项机密写为 env:变量名，并列出这些变量',
        },
      },
    ],
    async run(context) {
      const exported = await exportAll(context);
      const { document, names } = context.values.on('references')
        ? namedSecrets(exported)
        : { document: exported, names: [] };
      if (names.length > 0) context.output.note(texts.names, { names: names.join(' ') });
      const { file = '-' } = context.arguments;
      const isJson = context.output.json || file.endsWith('.json');
      const whole = { turnpike: formatVersion, ...document };
      if (file === '-' && isJson) return { json: whole };
      const text = isJson ? `${JSON.stringify(whole, null, 2)}\n` : writeYaml(document);
      return download(context, async () => ({
        name: file,
        type: 'application/yaml',
        chunks: once(text),
      }));
    },
  }),
  command({
    name: 'config apply',
    summary: { en: 'Bring the site to a configuration file', zh: '按配置文件修改站点' },
    details: {
      en: 'Compares the file with the site, checks everything as the gateway would, shows each difference and then writes. If anything is wrong, all problems are listed with line and column, nothing is written and the exit code is 2. What the file does not name stays as it is, unless --prune. A second run changes nothing. Secrets are env:NAME or file:PATH.',
      zh: '将文件与站点比较，按网关的规则检查全部内容，显示每处差异后写入。如有问题，会列出全部问题及其行列位置，不写入任何内容，退出码为 2。文件未提及的内容保持不变，除非加 --prune。再次执行不会有改动。机密写作 env:变量名 或 file:路径。',
    },
    arguments: [
      {
        name: 'file',
        kind: 'text',
        summary: {
          en: 'YAML or JSON file, or - for standard input',
          zh: 'YAML 或 JSON 文件，- 表示标准输入',
        },
      },
    ],
    flags: [
      {
        name: 'dry-run',
        kind: 'switch',
        summary: { en: 'Only show what would change', zh: '只显示将要进行的改动' },
      },
      {
        name: 'prune',
        kind: 'switch',
        summary: {
          en: 'In the sections of the file, reset or delete what it does not name',
          zh: '对文件中出现的部分，将未提及的内容恢复默认或删除',
        },
      },
      {
        name: 'write-secrets',
        kind: 'switch',
        summary: {
          en: 'Write referenced secrets again that are set already',
          zh: '重新写入已设置过的机密',
        },
      },
      {
        name: 'exit-code',
        kind: 'switch',
        summary: {
          en: 'Exit with 1 if anything differs, 0 if nothing does',
          zh: '有差异时退出码为 1，无差异时为 0',
        },
      },
    ],
    run: applyConfig,
  }),
];

const texts = {
  names: {
    en: 'Set these variables when applying it: {names}',
    zh: '应用此文件时请设置这些环境变量：{names}',
  },
} as const;
