/** The database, its clock and the books. */
import { nowSeconds } from '../kernel/clock.ts';
import { type Check, problem, warning } from './check.ts';

/** Bytes up to which a file is read as a whole to find damage; more would hold up the lists of a running gateway. */
const checkedSize = 2 * 2 ** 30;
/** Seconds by which two clocks may differ. */
const clockTolerance = 5;

export const databaseChecks: readonly Check[] = [
  {
    id: 'database',
    title: { en: 'Database', zh: '数据库' },
    async run({ storage }) {
      if ((await storage.diagnosis.read()).size > checkedSize) return [];
      const damage = await storage.diagnosis.findDamage();
      if (damage.length === 0) return [];
      return [
        problem(
          { en: `The database file is damaged: ${damage[0]}`, zh: `数据库文件已损坏：${damage[0]}` },
          {
            en: 'Stop the gateway, keep a copy of the file and restore the latest backup',
            zh: '请停止网关，保留一份该文件的副本，然后恢复最近的备份',
          },
        ),
      ];
    },
  },
  {
    id: 'clock',
    title: { en: 'Clock', zh: '时钟' },
    async run({ storage, clock }) {
      const difference = Math.abs((await storage.diagnosis.read()).time - nowSeconds(clock));
      if (difference <= clockTolerance) return [];
      return [
        warning(
          { en: `The clocks of gateway and database differ by ${difference} s`, zh: `网关与数据库的时钟相差 ${difference} 秒` },
          { en: 'Synchronise both machines by NTP', zh: '请用 NTP 同步两台机器的时间' },
        ),
      ];
    },
  },
  {
    id: 'ledger',
    title: { en: 'Ledger', zh: '账本' },
    async run({ verifyLedger }) {
      const { drifts, staleHolds } = await verifyLedger();
      const found = [];
      if (drifts.length > 0)
        found.push(
          problem(
            { en: `${drifts.length} accounts differ from their postings`, zh: `${drifts.length} 个账户与账目不符` },
            {
              en: 'See turnpike ledger verify, and correct balances with turnpike users quota',
              zh: '请查看 turnpike ledger verify，并用 turnpike users quota 更正余额',
            },
          ),
        );
      if (staleHolds > 0)
        found.push(
          warning(
            { en: `${staleHolds} holds belong to no running request`, zh: `${staleHolds} 笔预扣不属于任何进行中的请求` },
            {
              en: 'They are released by themselves; if they stay, restart the gateway',
              zh: '它们会自动释放；若长期存在，请重启网关',
            },
          ),
        );
      return found;
    },
  },
];
