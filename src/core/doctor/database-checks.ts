/** The database, its schema, its clock, its key and the books. */
import { nowSeconds } from '../kernel/clock.ts';
import type { AppError } from '../kernel/errors.ts';
import type { Text } from '../kernel/text.ts';
import { isKnownMigration } from '../maintenance/migrate-site.ts';
import { type Check, type Finding, longLimit, problem, warning, wordsOf } from './check.ts';
import { chainFindings } from './ledger-checks.ts';

/**
 * Bytes up to which a file is read as a whole to find damage; more would hold up the lists of a
 * running gateway.
 */
const checkedSize = 2 * 2 ** 30;
/** Seconds by which two clocks may differ. */
const clockTolerance = 5;

export const databaseChecks: readonly Check[] = [
  {
    id: 'database',
    title: { en: 'Database', zh: '数据库' },
    limit: longLimit,
    async run({ storage }) {
      if ((await storage.diagnosis.read()).size > checkedSize) return [];
      const damage = await storage.diagnosis.findDamage();
      if (damage.length === 0) return [];
      return [
        problem(
          {
            en: `The database file is damaged: ${damage[0]}`,
            zh: `数据库文件已损坏：${damage[0]}`,
          },
          { en: 'Rows may be lost, and charges may fail', zh: '数据可能丢失，计费可能失败' },
          {
            en: 'Stop the gateway, keep a copy of the file, and run: turnpike restore FILE --force',
            zh: '请停止网关，保留一份该文件的副本，然后执行：turnpike restore FILE --force',
          },
        ),
      ];
    },
  },
  {
    id: 'migrations',
    title: { en: 'Schema of the database', zh: '数据库结构' },
    async run({ storage }) {
      const { schema } = await storage.diagnosis.read();
      if (isKnownMigration(schema)) return [];
      return [
        problem(
          {
            en: `A newer version has migrated the database (${schema}) while this one is running`,
            zh: `本程序运行期间，更新的版本迁移了数据库（${schema}）`,
          },
          { en: 'This version may read or write it wrongly', zh: '当前版本可能无法正确读写' },
          {
            en: 'Install the newer version here as well, and restart',
            zh: '请在此处也安装新版本并重启',
          },
        ),
      ];
    },
  },
  {
    id: 'key-file',
    title: { en: 'Key file', zh: '密钥文件' },
    async run({ storage }) {
      try {
        await storage.channels.listAll();
        return [];
      } catch (error) {
        const cause = error instanceof Error ? error.message : String(error);
        return [wrongKey({ en: cause, zh: cause })];
      }
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
          {
            en: `The clocks of gateway and database differ by ${difference} s`,
            zh: `网关与数据库的时钟相差 ${difference} 秒`,
          },
          {
            en: 'Holds, sign-ins and statements are timed by both',
            zh: '预扣、登录与账单同时使用这两个时钟',
          },
          {
            en: 'Run on both machines: timedatectl set-ntp true',
            zh: '请在两台机器上执行：timedatectl set-ntp true',
          },
        ),
      ];
    },
  },
  {
    id: 'ledger',
    title: { en: 'Ledger', zh: '账本' },
    limit: longLimit,
    async run({ ledgerQueue, verifyLedger }) {
      const { stalled, failure } = ledgerQueue();
      if (failure?.code === 'database_replaced') return [changedFile(failure)];
      if (stalled) return [unwritable(wordsOf(failure))];
      const { drifts, staleHolds, chain } = await verifyLedger();
      const found: Finding[] = [...chainFindings(chain)];
      if (drifts.length > 0)
        found.push(
          problem(
            {
              en: `${drifts.length} accounts differ from their postings`,
              zh: `${drifts.length} 个账户与账本不符`,
            },
            {
              en: 'Something other than the gateway changed a balance: these users have more or less than the ledger proves',
              zh: '有网关以外的程序改动了余额：这些用户的余额与账本不一致',
            },
            {
              en: 'List them with turnpike ledger verify, then correct each with turnpike users quota',
              zh: '用 turnpike ledger verify 列出，再用 turnpike users quota 逐一更正',
            },
          ),
        );
      if (staleHolds > 0)
        found.push(
          warning(
            {
              en: `Holds that belong to no running request: ${staleHolds}`,
              zh: `${staleHolds} 笔预扣不属于任何进行中的请求`,
            },
            { en: 'Their users can spend that much less', zh: '相应用户的可用余额会因此减少' },
            {
              en: 'They are released by themselves within two minutes; if they stay, restart the gateway',
              zh: '它们会在两分钟内自动释放；若长期存在，请重启网关',
            },
          ),
        );
      return found;
    },
  },
];

function changedFile({ params }: AppError): Finding {
  const file = String(params['file']);
  return problem(
    params['how'] === 'missing'
      ? { en: `${file} was deleted while the gateway runs`, zh: `网关运行期间，${file} 被删除` }
      : {
          en: `${file} was replaced while the gateway runs`,
          zh: `网关运行期间，${file} 被另一个文件替换`,
        },
    {
      en: 'Nothing is written any more: requests and changes are refused with 503 until the restart',
      zh: '不再写入任何数据：重启之前，请求与更改均被拒绝（503）',
    },
    {
      en: 'Find out which program did it, put the right database in its place or restore a backup, and restart the gateway',
      zh: '请查明是哪个程序所为，放回正确的数据库或恢复备份，然后重启网关',
    },
  );
}

function unwritable(cause: Text): Finding {
  return problem(
    { en: `Settlements cannot be written. ${cause.en}`, zh: `结算无法写入。${cause.zh}` },
    {
      en: 'New requests are refused with 503. Charges that are in the journal are safe, also through a restart',
      zh: '新请求会被拒绝（503）。已写入日志文件的扣费不会丢失，重启后也在',
    },
    {
      en: 'Free space on the disk, or mend the database: the gateway goes on by itself within a second',
      zh: '请清理磁盘空间或修复数据库：网关会在一秒内自动恢复',
    },
  );
}

/** The same finding on a site that is open and on one that cannot be opened. */
export function wrongKey(cause: Text): Finding {
  return problem(
    {
      en: `The stored keys cannot be decrypted: ${cause.en}`,
      zh: `无法解密已保存的密钥：${cause.zh}`,
    },
    {
      en: 'The database was written with another key: provider keys, tokens and passwords of services are unreadable',
      zh: '数据库是用另一把密钥写入的：上游密钥、令牌及各项服务的密码均无法读取',
    },
    {
      en: 'Put back the secret.json (or CRYPTO_SECRET) with which the database was written; earlier ones may be in snapshots/',
      zh: '请放回写入该数据库时所用的 secret.json（或 CRYPTO_SECRET）；旧文件可能在 snapshots/ 中',
    },
  );
}
