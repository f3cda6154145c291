/** The chain of postings, and the places that its newest link is sealed at. */
import { nowSeconds } from '../kernel/clock.ts';
import { type Check, type DoctorDeps, type Finding, problem, warning } from './check.ts';

type Verification = Awaited<ReturnType<DoctorDeps['verifyLedger']>>;

/** What breaks of the chain are to an operator. */
export function chainFindings({ breaks }: Verification['chain']): readonly Finding[] {
  const [first] = breaks;
  if (first === undefined) return [];
  const row =
    first.table === 'ledger'
      ? { en: 'posting', zh: '账本条目' }
      : { en: 'allowance', zh: '令牌额度变更' };
  return [
    problem(
      {
        en: `The chain of the ledger is broken: ${row.en} ${first.id}`,
        zh: `账本的哈希链已断裂：${row.zh} ${first.id}`,
      },
      {
        en: 'Postings were changed, removed or added by something other than the gateway',
        zh: '有网关以外的程序修改、删除或增加了账本条目',
      },
      {
        en: 'turnpike ledger verify says what; compare with a backup. After a restore by hand, remove ledger-head.json from the data folder',
        zh: '用 turnpike ledger verify 查看详情，并与备份比对。若曾手动恢复数据库，请删除数据文件夹中的 ledger-head.json',
      },
    ),
  ];
}

/** Seconds without a seal until it counts as missing. */
const tolerated = 2 * 3600;

const names = { webhook: 'ledger.seal_url', file: 'LEDGER_SEAL_FILE' } as const;

export const ledgerChecks: readonly Check[] = [
  {
    id: 'ledger-seals',
    title: { en: 'Seals of the ledger', zh: '账本封存' },
    async run({ seals, isServing, clock }) {
      const now = nowSeconds(clock);
      return (await seals()).flatMap(({ target, state }) => {
        if (state === undefined) return [];
        const isLate = isServing() && now - state.sealedAt > tolerated;
        if (state.error === '' && !isLate) return [];
        const cause =
          state.error === ''
            ? { en: '', zh: '' }
            : { en: `: ${state.error}`, zh: `：${state.error}` };
        return [
          warning(
            {
              en: `The newest link of the ledger does not reach ${names[target]}${cause.en}`,
              zh: `账本的最新链接值未能送达 ${names[target]}${cause.zh}`,
            },
            {
              en: 'Somebody who can change database and data folder can change the latest postings unnoticed',
              zh: '若有人能同时改动数据库与数据文件夹，账本最近的改动将无从发现',
            },
            {
              en: 'Mend the address or the file; it is tried again every minute',
              zh: '请修正该地址或文件；网关每分钟会重试一次',
            },
          ),
        ];
      });
    },
  },
];
