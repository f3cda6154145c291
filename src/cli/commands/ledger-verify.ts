/** `turnpike ledger verify` and `ledger head` (docs/rules/ledger.md#ledger-verify). */
import type { OutputOf } from '../../core/contract/endpoint.ts';
import { api } from '../../core/contract/index.ts';
import { ledgerHead, mostSeals } from '../../core/contract/ledger.ts';
import { parseJson } from '../../core/kernel/json.ts';
import { formatCount } from '../../core/pricing/format.ts';
import { UsageError } from '../base/usage-error.ts';
import {
  type Command,
  type Context,
  command,
  failedWith,
  type Outcome,
} from '../command/command.ts';
import { readInputFile } from '../command/input-file.ts';
import { describeBreak } from '../show/chain-break.ts';
import type { Output } from '../show/output.ts';
import { printTable, type View } from '../show/table.ts';
import { formatTime } from '../show/times.ts';

const { ledger } = api;

type Verification = OutputOf<typeof ledger.verify>;
type Seal = OutputOf<typeof ledger.head>;
interface CheckedSeals {
  readonly checked: number;
  /** Seals that do not fit. */
  readonly broken: number;
  readonly breaks: OutputOf<typeof ledger.checkSeals>['breaks'];
}

export const verifyCommands: readonly Command[] = [
  command({
    name: 'ledger verify',
    summary: {
      en: 'Recompute every balance, token and statement and follow the chain; exit code 1 on any difference',
      zh: '核对每个余额、令牌与账单，并校验哈希链；有任何偏差时退出码为 1',
    },
    details: {
      en: 'With --sealed the ledger is also compared with links that were kept elsewhere: lines of LEDGER_SEAL_FILE, of `ledger head`, or bodies that the seal address received.',
      zh: '给出 --sealed 时，还会与留存在别处的链接值比对：LEDGER_SEAL_FILE 或 `ledger head` 输出的各行，或封存地址收到的请求体。',
    },
    flags: [
      {
        name: 'sealed',
        kind: 'text',
        placeholder: 'FILE',
        summary: {
          en: 'Compare with the seals in this file; -: standard input',
          zh: '与此文件中的封存记录比对；- 表示标准输入',
        },
      },
    ],
    async run(context) {
      const file = context.values.text('sealed');
      const seals = file === undefined ? undefined : await readSeals(context, file);
      const found = await context.call(ledger.verify, {});
      const sealed = seals === undefined ? undefined : await checkSeals(context, seals);
      const outcome: Outcome = {
        json: sealed === undefined ? found : { ...found, sealed },
        print: async (output, view) => printVerification(output, found, sealed, await view()),
      };
      return found.ok && (sealed === undefined || sealed.breaks.length === 0)
        ? outcome
        : failedWith(outcome);
    },
  }),
  command({
    name: 'ledger head',
    summary: {
      en: 'Print the newest links, for keeping elsewhere',
      zh: '输出账本的最新链接值，供留存在别处',
    },
    async run(context) {
      const head = await context.call(ledger.head, {});
      return { json: head, print: (output) => output.line(JSON.stringify(head)) };
    },
  }),
];

/** One seal per line. Throws UsageError. */
async function readSeals(context: Context, file: string): Promise<readonly Seal[]> {
  const text = await readInputFile(context, file);
  const seals = text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const seal = ledgerHead.safeParse(parseJson(line)).data;
    if (seal === undefined) throw new UsageError(texts.format, { file, line: index + 1 });
    return [seal];
  });
  if (seals.length === 0) throw new UsageError(texts.empty, { file });
  return seals;
}

async function checkSeals(context: Context, seals: readonly Seal[]): Promise<CheckedSeals> {
  const breaks: CheckedSeals['breaks'] = [];
  for (let done = 0; done < seals.length; done += mostSeals) {
    const piece = seals.slice(done, done + mostSeals);
    breaks.push(...(await context.call(ledger.checkSeals, { seals: piece })).breaks);
  }
  const times = new Set(breaks.map(({ at }) => at));
  return { checked: seals.length, broken: seals.filter(({ at }) => times.has(at)).length, breaks };
}

function printVerification(
  output: Output,
  found: Verification,
  sealed: CheckedSeals | undefined,
  view: View,
): void {
  const { ok, users, postings, stale_holds: holds, chain, drifts } = found;
  const counts = { users: formatCount(users), postings: formatCount(postings), holds };
  output.line(
    output.paint(ok ? 'ok' : 'error', output.localize(ok ? texts.sound : texts.drift, counts)),
  );
  const covered = { linked: formatCount(chain.linked), earlier: formatCount(chain.earlier) };
  output.line(output.localize(chain.earlier === 0 ? texts.linked : texts.linkedLater, covered));
  const noted = chain.noted_at;
  output.line(
    noted === null
      ? output.localize(texts.notNoted)
      : output.localize(texts.noted, { time: formatTime(noted, view.now) }),
  );
  const localize: Output['localize'] = (text, params) => output.localize(text, params);
  for (const one of chain.breaks) output.line(output.paint('error', describeBreak(one, localize)));
  if (sealed !== undefined) {
    const isKept = sealed.breaks.length === 0;
    const seals = { seals: sealed.checked, broken: sealed.broken };
    output.line(
      output.paint(
        isKept ? 'ok' : 'error',
        output.localize(isKept ? texts.kept : texts.unkept, seals),
      ),
    );
    for (const { at, ...one } of sealed.breaks.slice(0, mostShown)) {
      output.line(
        output.paint('error', `${formatTime(at, view.now)}  ${describeBreak(one, localize)}`),
      );
    }
  }
  if (holds > 0) output.line(output.localize(texts.holds, counts));
  if (drifts.length === 0) return;
  printTable(
    output,
    [
      { title: { en: 'account', zh: '账户' }, value: (row) => `${row.account} ${row.id}` },
      { title: { en: 'name', zh: '名称' }, value: (row) => row.name },
      {
        title: { en: 'expected', zh: '应为' },
        value: (row) => formatCount(row.expected),
        align: 'right',
      },
      {
        title: { en: 'actual', zh: '实际' },
        value: (row) => formatCount(row.actual),
        align: 'right',
      },
      {
        title: { en: 'drift', zh: '偏差' },
        value: (row) => formatCount(row.drift),
        align: 'right',
        tone: () => 'error',
      },
    ],
    drifts,
    view,
  );
}

/** Broken seals that are listed: the first says where, the others follow from it. */
const mostShown = 5;

const texts = {
  sound: {
    en: 'The ledger adds up: {users} {users:user|users}, {postings} {postings:posting|postings}',
    zh: '账本相符：{users} 个用户，{postings} 个条目',
  },
  drift: {
    en: 'The ledger does not add up: {users} {users:user|users}, {postings} {postings:posting|postings}',
    zh: '账本不符：{users} 个用户，{postings} 个条目',
  },
  linked: {
    en: 'Chain: {linked} {linked:posting|postings} followed, all of them',
    zh: '哈希链：已逐条校验全部 {linked} 个条目',
  },
  linkedLater: {
    en: 'Chain: {linked} {linked:posting|postings} followed; {earlier} from before it compared as a whole',
    zh: '哈希链：已逐条校验 {linked} 个条目；此前的 {earlier} 个按整段校验',
  },
  noted: {
    en: 'Compared with the newest link as it was noted in the data folder: {time}',
    zh: '已与数据文件夹中记录的最新链接值比对：{time}',
  },
  notNoted: {
    en: 'The data folder has no note of the newest link, so a missing end would show only with --sealed',
    zh: '数据文件夹中没有最新链接值的记录，末尾若被截去，只有 --sealed 才能发现',
  },
  kept: {
    en: 'Seals: {seals} compared, all fit',
    zh: '封存记录：已比对 {seals} 条，全部相符',
  },
  unkept: {
    en: 'Seals: {broken} of {seals} {broken:does|do} not fit: postings were changed since, or a backup was restored',
    zh: '封存记录：{seals} 条中有 {broken} 条不符：账本被改动过，或曾从备份恢复',
  },
  format: {
    en: '{file}, line {line}: not a seal of the ledger',
    zh: '{file} 第 {line} 行不是账本的封存记录',
  },
  empty: { en: '{file} has no seals', zh: '{file} 中没有封存记录' },
  holds: { en: '{holds} {holds:hold|holds} without a request', zh: '{holds} 笔预扣没有对应的请求' },
} as const;
