/** `turnpike config …`: the site's options, channels and models as one file (docs/config-as-code.md). */
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ChannelEntity } from '../../../core/contract/entities.ts';
import { api } from '../../../core/contract/index.ts';
import type { Text } from '../../base/text.ts';
import { UsageError } from '../../base/usage-error.ts';
import { type Command, type Context, command, failedWith, type Outcome } from '../../command/command.ts';
import { download, fileArgument } from '../../command/download.ts';
import type { Tone } from '../../kit/tones.ts';
import type { Output } from '../../show/output.ts';
import { exportChannels, planChannels } from './channels.ts';
import { type ConfigDocument, formatVersion, readDocument, writeYaml } from './document.ts';
import { exportModels, planModels } from './models.ts';
import { exportOptions, planOptions } from './options.ts';
import type { Change, PlanSettings, Step } from './plan.ts';
import { References } from './references.ts';

async function allChannels(context: Context): Promise<readonly ChannelEntity[]> {
  const rows: ChannelEntity[] = [];
  for (let page = 0; ; page++) {
    const { items, total } = await context.call(api.channel.list, { p: page, page_size: 100, id_sort: true });
    rows.push(...items);
    if (items.length === 0 || rows.length >= total) return rows;
  }
}

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}

const liveOptions = (context: Context) => context.call(api.option.list, { with_flags: true });
const liveModels = async (context: Context) => (await context.call(api.modelSquare.manage, {})).items;

async function exportAll(context: Context): Promise<ConfigDocument> {
  return {
    options: exportOptions(await liveOptions(context), context.values.on('all')),
    channels: exportChannels(await allChannels(context)),
    models: exportModels(await liveModels(context)),
  };
}

/** Options before channels, since their groups must exist; resets of options after what they were needed for. */
async function planAll(context: Context, document: ConfigDocument, folder: string): Promise<readonly Step[]> {
  const settings: PlanSettings = { prune: context.values.on('prune'), writeSecrets: context.values.on('write-secrets') };
  const references = new References(context.environment, folder);
  const { options, channels, models } = document;
  return [
    ...(options === undefined ? [] : planOptions(options, await liveOptions(context), settings, references)),
    ...(channels === undefined ? [] : planChannels(channels, await allChannels(context), settings, references)),
    ...(models === undefined ? [] : planModels(models, await liveModels(context), settings, context.output.language)),
  ];
}

const marks: Readonly<Record<Change['action'], readonly [string, Tone]>> = {
  add: ['+', 'ok'],
  change: ['~', 'warn'],
  remove: ['-', 'error'],
};

function printChange(output: Output, { section, name, action, lines }: Change): void {
  const [mark, tone] = marks[action];
  output.line(output.paint(tone, `${mark} ${section}.${name}`));
  for (const { path, from, to } of lines) {
    const label = path === '' ? '' : `${path}: `;
    if (from !== undefined && to !== undefined) output.line(output.paint('warn', `    ~ ${label}${cut(from)} → ${cut(to)}`));
    else if (to !== undefined) output.line(output.paint('ok', `    + ${label}${cut(to)}`));
    else output.line(output.paint('error', `    - ${label}${cut(from ?? '')}`));
  }
}

/** The most characters of a value in a diff. */
const shownLength = 200;
function cut(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line === '' ? '""' : line.length > shownLength ? `${line.slice(0, shownLength)}…` : line;
}

function countOf(changes: readonly Change[]) {
  const count = (action: Change['action']) => changes.filter((change) => change.action === action).length;
  return { add: count('add'), change: count('change'), remove: count('remove') };
}

async function apply(context: Context): Promise<Outcome> {
  const { file = '' } = context.arguments;
  const isStdin = file === '-';
  const text = isStdin ? await context.terminal.readAll('-') : await readFile(file, 'utf8');
  const steps = await planAll(context, readDocument(text, file), isStdin ? process.cwd() : dirname(file));
  const changes = steps.flatMap((step) => step.changes);
  const isDry = context.values.on('dry-run');
  if (!context.output.json) for (const change of changes) printChange(context.output, change);
  if (!isDry && changes.some(({ action }) => action === 'remove') && !(await mayRemove(context, countOf(changes).remove)))
    return { exitCode: 1 };
  let written = 0;
  if (!isDry) {
    for (const step of steps) {
      await step.write(context).catch((error: unknown) => {
        context.output.note(texts.stopped, { written, total: changes.length }, 'warn');
        throw error;
      });
      written += step.changes.length;
    }
  }
  const outcome: Outcome = {
    json: { changes, applied: !isDry },
    print: (output) => output.note(summaryText(changes.length, isDry), countOf(changes), 'ok'),
  };
  return context.values.on('exit-code') && changes.length > 0 ? failedWith(outcome) : outcome;
}

async function mayRemove(context: Context, count: number): Promise<boolean> {
  if (context.values.on('yes')) return true;
  if (!context.terminal.interactive) throw new UsageError(texts.yes, { count });
  const agreed = await context.terminal.confirm(texts.removes, { count });
  if (!agreed) context.output.note(texts.unchanged);
  return agreed;
}

function summaryText(changes: number, isDry: boolean): Text {
  if (changes === 0) return texts.same;
  return isDry ? texts.planned : texts.applied;
}

export const configCommands: readonly Command[] = [
  command({
    name: 'config export',
    summary: { en: 'Write options, channels and models as a configuration file', zh: '将设置项、渠道与模型导出为配置文件' },
    details: {
      en: 'Prints YAML, or JSON with --json; with a file, writes it there and never replaces one. Options at their defaults are left out. Secrets are not in it: what is set is written as secret:keep.',
      zh: '输出 YAML（加 --json 则为 JSON）；给出文件时写入该文件，不会覆盖已有文件。取默认值的设置项不导出。机密不会写入：已设置的以 secret:keep 表示。',
    },
    arguments: [fileArgument],
    flags: [{ name: 'all', kind: 'switch', summary: { en: 'Include options at their defaults', zh: '包括取默认值的设置项' } }],
    async run(context) {
      const document = await exportAll(context);
      const { file = '-' } = context.arguments;
      const isJson = context.output.json || file.endsWith('.json');
      const whole = { turnpike: formatVersion, ...document };
      if (file === '-' && isJson) return { json: whole };
      const text = isJson ? `${JSON.stringify(whole, null, 2)}\n` : writeYaml(document);
      return download(context, async () => ({ name: file, type: 'application/yaml', chunks: once(text) }));
    },
  }),
  command({
    name: 'config apply',
    summary: { en: 'Bring the site to a configuration file', zh: '按配置文件修改站点' },
    details: {
      en: 'Shows each difference, checks the whole file and then writes. What the file does not name stays as it is, unless --prune. It can be repeated: a second run changes nothing. Secrets are env:NAME or file:PATH.',
      zh: '显示每处差异，检查整个文件后再写入。文件未提及的内容保持不变，除非加 --prune。可重复执行：再次执行不会有改动。机密写作 env:变量名 或 file:路径。',
    },
    arguments: [
      {
        name: 'file',
        kind: 'text',
        summary: { en: 'YAML or JSON file, or - for standard input', zh: 'YAML 或 JSON 文件，- 表示标准输入' },
      },
    ],
    flags: [
      { name: 'dry-run', kind: 'switch', summary: { en: 'Only show what would change', zh: '只显示将要进行的改动' } },
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
        summary: { en: 'Write referenced secrets again that are set already', zh: '重新写入已设置过的机密' },
      },
      {
        name: 'exit-code',
        kind: 'switch',
        summary: { en: 'Exit with 1 if anything differs, 0 if nothing does', zh: '有差异时退出码为 1，无差异时为 0' },
      },
    ],
    run: apply,
  }),
];

const texts = {
  same: { en: 'Nothing to change', zh: '没有需要修改的内容' },
  planned: { en: 'Would add {add}, change {change}, remove {remove}', zh: '将添加 {add} 项，修改 {change} 项，删除 {remove} 项' },
  applied: { en: 'Added {add}, changed {change}, removed {remove}', zh: '已添加 {add} 项，修改 {change} 项，删除 {remove} 项' },
  stopped: {
    en: 'Stopped after {written} of {total} changes; correct the cause and run it again',
    zh: '已完成 {total} 项中的 {written} 项后停止；排除原因后请重新执行',
  },
  removes: { en: 'Remove or reset {count} entries?', zh: '删除或恢复默认共 {count} 项？' },
  yes: { en: 'This removes or resets {count} entries: add --yes', zh: '将删除或恢复默认共 {count} 项：请加 --yes' },
  unchanged: { en: 'Nothing was changed', zh: '未做任何更改' },
} as const;
