/** `turnpike config …`: the site's options, channels and models as one file (docs/config-as-code.md). */
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { OutputOf } from '../../../core/contract/endpoint.ts';
import type { ChannelEntity } from '../../../core/contract/entities.ts';
import { api } from '../../../core/contract/index.ts';
import { exitCodes } from '../../base/exit-codes.ts';
import type { Text } from '../../base/text.ts';
import { UsageError } from '../../base/usage-error.ts';
import { type Command, type Context, command, failedWith, type Outcome } from '../../command/command.ts';
import { download, fileArgument } from '../../command/download.ts';
import { plainText } from '../../kit/lines.ts';
import type { Tone } from '../../kit/tones.ts';
import type { Output } from '../../show/output.ts';
import { exportChannels, planChannels } from './channels.ts';
import { type ConfigDocument, formatVersion, readDocument, writeYaml } from './document.ts';
import { exportModels, planModels } from './models.ts';
import { exportOptions, planOptions } from './options.ts';
import type { Change, PlanSettings, Request } from './plan.ts';
import { type Problem, type Problems, problemLine } from './problems.ts';
import { References } from './references.ts';
import { namedSecrets } from './secrets.ts';
import { hidden } from './values.ts';

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

/** What the file changes; the problems that can be found without the gateway are noted. */
async function planAll(context: Context, document: ConfigDocument, settings: PlanSettings) {
  const { options, channels, models } = document;
  const nothing = { changes: [], request: {} };
  const plans = [
    options === undefined ? nothing : planOptions(options, await liveOptions(context), settings),
    channels === undefined ? nothing : planChannels(channels, await allChannels(context), settings),
    models === undefined ? nothing : planModels(models, await liveModels(context), settings),
  ];
  const request: Partial<Request> = Object.assign({}, ...plans.map((plan) => plan.request));
  return { changes: plans.flatMap((plan): readonly Change[] => plan.changes), request };
}

const marks: Readonly<Record<Change['action'], readonly [string, Tone]>> = {
  add: ['+', 'ok'],
  change: ['~', 'warn'],
  remove: ['-', 'error'],
};

function printChange(output: Output, { section, name, action, lines }: Change): void {
  const [mark, tone] = marks[action];
  const shown = (text: string) => cut(text.replaceAll(hidden, output.localize(texts.secret)));
  output.line(output.paint(tone, plainText(`${mark} ${section}.${name}`)));
  for (const { path, from, to } of lines) {
    const label = path === '' ? '' : `${path}: `;
    if (from !== undefined && to !== undefined) output.line(output.paint('warn', `    ~ ${label}${shown(from)} → ${shown(to)}`));
    else if (to !== undefined) output.line(output.paint('ok', `    + ${label}${shown(to)}`));
    else output.line(output.paint('error', `    - ${label}${shown(from ?? '')}`));
  }
}

/** The most characters of a value in a diff. */
const shownLength = 200;
function cut(text: string): string {
  const line = plainText(text.replaceAll(/\s+/g, ' '));
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
  const { document, problems } = readDocument(text, context.output.language);
  const references = new References(context.environment, isStdin ? process.cwd() : dirname(file), problems);
  const settings = { prune: context.values.on('prune'), writeSecrets: context.values.on('write-secrets'), references, problems };
  const { changes, request } = await planAll(context, document, settings);
  if (changes.length > 0) {
    const { problems: refused } = await context.call(api.siteConfig.apply, { ...request, dry_run: true });
    addRefusals(problems, refused);
  }
  if (problems.list.length > 0) return refusal(context, file, problems.list);
  const isDry = context.values.on('dry-run');
  if (!context.output.json) for (const change of changes) printChange(context.output, change);
  const removals = countOf(changes).remove;
  if (!isDry && removals > 0 && !(await mayRemove(context, removals))) return { exitCode: 1 };
  if (!isDry && changes.length > 0) {
    const { problems: late, written } = await context.call(api.siteConfig.apply, request);
    addRefusals(problems, late);
    if (late.length > 0) return stopped(context, file, problems.list, { written, total: changes.length });
  }
  const outcome: Outcome = {
    json: { changes, problems: [], applied: !isDry },
    print: (output) => output.note(summaryText(changes.length, isDry), countOf(changes), 'ok'),
  };
  return context.values.on('exit-code') && changes.length > 0 ? failedWith(outcome) : outcome;
}

/**
 * Notes what the gateway refuses. Of an entry with a problem already, only what it refuses of other fields: the rest may follow from
 * what was left out.
 */
function addRefusals(problems: Problems, refused: OutputOf<typeof api.siteConfig.apply>['problems']): void {
  const found = refused.map((refusal) => {
    const entry = [refusal.section, refusal.label].filter((name) => name !== '');
    return { ...refusal, entry, path: refusal.field === '' ? entry : [...entry, ...refusal.field.split('.')] };
  });
  const fresh = found.filter(({ entry, path, field }) => !problems.has(entry) || (field !== '' && !problems.has(path)));
  for (const { path, message } of fresh) problems.addMessage(path, message);
}

/** Nothing was written: all problems, with their places in the file. */
function refusal({ output }: Context, file: string, problems: readonly Problem[]): Outcome {
  const lines = output.json ? [] : problems.map((problem) => problemLine(file === '-' ? '<stdin>' : file, problem));
  output.fail('config_invalid', [...lines, output.localize(texts.refused, { count: problems.length })].join('\n'));
  return { json: { changes: [], problems, applied: false }, exitCode: exitCodes.usage };
}

/** The site was changed, or became unable to store, between the check and the end. */
function stopped(
  { output }: Context,
  file: string,
  problems: readonly Problem[],
  { written, total }: { readonly written: number; readonly total: number },
): Outcome {
  const lines = output.json ? [] : problems.map((problem) => problemLine(file === '-' ? '<stdin>' : file, problem));
  output.fail('config_stopped', [...lines, output.localize(texts.stopped, { written, total })].join('\n'));
  return { json: { changes: [], problems, applied: false, written }, exitCode: exitCodes.conflict };
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
    flags: [
      { name: 'all', kind: 'switch', summary: { en: 'Include options at their defaults', zh: '包括取默认值的设置项' } },
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
      const { document, names } = context.values.on('references') ? namedSecrets(exported) : { document: exported, names: [] };
      if (names.length > 0) context.output.note(texts.names, { names: names.join(' ') });
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
    en: 'Stopped after {written} of {total} changes; run it again, what is done is no difference any more',
    zh: '已完成 {total} 项中的 {written} 项后停止；请重新执行，已完成的部分不会再次修改',
  },
  refused: { en: 'Problems: {count}. Nothing was written', zh: '共 {count} 个问题，未写入任何内容' },
  secret: { en: hidden, zh: '（机密）' },
  names: { en: 'Set these variables when applying it: {names}', zh: '应用此文件时请设置这些环境变量：{names}' },
  removes: { en: 'Remove or reset {count} entries?', zh: '删除或恢复默认共 {count} 项？' },
  yes: { en: 'This removes or resets {count} entries: add --yes', zh: '将删除或恢复默认共 {count} 项：请加 --yes' },
  unchanged: { en: 'Nothing was changed', zh: '未做任何更改' },
} as const;
