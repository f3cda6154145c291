/** `turnpike config apply`: compares, checks, shows and writes. */
import { dirname } from 'node:path';
import type { OutputOf } from '../../../core/contract/endpoint.ts';
import { api } from '../../../core/contract/index.ts';
import { exitCodes } from '../../base/exit-codes.ts';
import type { Text } from '../../base/text.ts';
import { UsageError } from '../../base/usage-error.ts';
import { type Context, failedWith, type Outcome } from '../../command/command.ts';
import { readInputFile } from '../../command/input-file.ts';
import { planBudgets } from './budgets.ts';
import { planChannels } from './channels.ts';
import { type ConfigDocument, readDocument } from './document.ts';
import { liveBudgets, liveChannels, liveModels, liveOptions } from './live-site.ts';
import { planModels } from './models.ts';
import { planOptions } from './options.ts';
import type { Change, PlanSettings, Request } from './plan.ts';
import { printChange } from './print-plan.ts';
import { type Problem, type Problems, problemLine } from './problems.ts';
import { References } from './references.ts';

/** What the file changes; the problems that can be found without the gateway are noted. */
async function planAll(context: Context, document: ConfigDocument, settings: PlanSettings) {
  const { options, channels, models, budgets } = document;
  const nothing = { changes: [], request: {} };
  const plans = [
    options === undefined ? nothing : planOptions(options, await liveOptions(context), settings),
    channels === undefined
      ? nothing
      : planChannels(channels, await liveChannels(context), settings),
    models === undefined ? nothing : planModels(models, await liveModels(context), settings),
    budgets === undefined ? nothing : planBudgets(budgets, await liveBudgets(context), settings),
  ];
  const request: Partial<Request> = Object.assign({}, ...plans.map((plan) => plan.request));
  return { changes: plans.flatMap((plan): readonly Change[] => plan.changes), request };
}

function countOf(changes: readonly Change[]) {
  const count = (action: Change['action']) =>
    changes.filter((change) => change.action === action).length;
  return { add: count('add'), change: count('change'), remove: count('remove') };
}

export async function applyConfig(context: Context): Promise<Outcome> {
  const { file = '' } = context.arguments;
  const isStdin = file === '-';
  const text = await readInputFile(context, file);
  const { document, problems } = readDocument(text, context.output.language);
  const references = new References(
    context.environment,
    isStdin ? process.cwd() : dirname(file),
    problems,
  );
  const settings = {
    prune: context.values.on('prune'),
    writeSecrets: context.values.on('write-secrets'),
    references,
    problems,
  };
  const { changes, request: planned } = await planAll(context, document, settings);
  const request = { ...planned, below_cost: context.values.on('yes') };
  const isDry = context.values.on('dry-run');
  let isOutdated = false;
  if (changes.length > 0) {
    const { problems: refused } = await context.call(api.siteConfig.apply, {
      ...request,
      dry_run: true,
    });
    const [below, ...others] = refused;
    const isAlone = problems.list.length === 0 && others.length === 0;
    // The only problem that a person may overrule.
    if (below?.code === 'price_below_cost' && isAlone && context.terminal.interactive && !isDry) {
      if (!(await context.terminal.confirm(texts.belowCost, { message: below.message })))
        return { exitCode: 1 };
      request.below_cost = true;
    } else {
      // The file is right: the next run compares it with the site as it is by then.
      isOutdated =
        problems.list.length === 0 &&
        refused.every(({ code }) => code === 'config_changed_meanwhile');
      addRefusals(problems, refused);
    }
  }
  if (problems.list.length > 0) return refusal(context, file, problems.list, isOutdated);
  if (!context.output.json) for (const change of changes) printChange(context.output, change);
  const removals = countOf(changes).remove;
  if (!isDry && removals > 0 && !(await mayRemove(context, removals))) return { exitCode: 1 };
  if (!isDry && changes.length > 0) {
    const { problems: late, written } = await context.call(api.siteConfig.apply, request);
    addRefusals(problems, late);
    if (late.length > 0)
      return stopped(context, file, problems.list, { written, total: changes.length });
  }
  const outcome: Outcome = {
    json: { changes, problems: [], applied: !isDry },
    print: (output) => output.note(summaryText(changes.length, isDry), countOf(changes), 'ok'),
  };
  return context.values.on('exit-code') && changes.length > 0 ? failedWith(outcome) : outcome;
}

/**
 * Notes what the gateway refuses. Of an entry with a problem already, only what it refuses of other
 * fields: the rest may follow from what was left out.
 */
function addRefusals(
  problems: Problems,
  refused: OutputOf<typeof api.siteConfig.apply>['problems'],
): void {
  const found = refused.map((refusal) => {
    const entry = [refusal.section, refusal.label].filter((name) => name !== '');
    return {
      ...refusal,
      entry,
      path: refusal.field === '' ? entry : [...entry, ...refusal.field.split('.')],
    };
  });
  const fresh = found.filter(
    ({ entry, path, field }) => !problems.has(entry) || (field !== '' && !problems.has(path)),
  );
  for (const { path, message } of fresh) problems.addMessage(path, message);
}

/** Nothing was written: all problems, with their places in the file. */
function refusal(
  { output }: Context,
  file: string,
  problems: readonly Problem[],
  isOutdated: boolean,
): Outcome {
  const lines = output.json
    ? []
    : problems.map((problem) => problemLine(file === '-' ? '<stdin>' : file, problem));
  output.fail(
    isOutdated ? 'config_changed_meanwhile' : 'config_invalid',
    [...lines, output.localize(texts.refused, { count: problems.length })].join('\n'),
  );
  return {
    json: { changes: [], problems, applied: false },
    exitCode: isOutdated ? exitCodes.conflict : exitCodes.usage,
  };
}

/** The site was changed, or became unable to store, between the check and the end. */
function stopped(
  { output }: Context,
  file: string,
  problems: readonly Problem[],
  { written, total }: { readonly written: number; readonly total: number },
): Outcome {
  const lines = output.json
    ? []
    : problems.map((problem) => problemLine(file === '-' ? '<stdin>' : file, problem));
  output.fail(
    'config_stopped',
    [...lines, output.localize(texts.stopped, { written, total })].join('\n'),
  );
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

const texts = {
  same: { en: 'Nothing to change', zh: '没有需要修改的内容' },
  belowCost: {
    en: '{message}. Save them?',
    zh: '{message}。是否保存？',
  },
  planned: {
    en: 'Would add {add}, change {change}, remove {remove}',
    zh: '将添加 {add} 项，修改 {change} 项，删除 {remove} 项',
  },
  applied: {
    en: 'Added {add}, changed {change}, removed {remove}',
    zh: '已添加 {add} 项，修改 {change} 项，删除 {remove} 项',
  },
  stopped: {
    en: 'Stopped after {written} of {total} {total:change|changes}; run it again, what is done is no difference any more',
    zh: '已完成 {total} 项中的 {written} 项后停止；请重新执行，已完成的部分不会再次修改',
  },
  refused: {
    en: 'Problems: {count}. Nothing was written',
    zh: '共 {count} 个问题，未写入任何内容',
  },
  removes: {
    en: 'Remove or reset {count} {count:entry|entries}?',
    zh: '删除或恢复默认共 {count} 项？',
  },
  yes: {
    en: 'This removes or resets {count} {count:entry|entries}: add --yes',
    zh: '将删除或恢复默认共 {count} 项：请加 --yes',
  },
  unchanged: { en: 'Nothing was changed', zh: '未做任何更改' },
} as const;
